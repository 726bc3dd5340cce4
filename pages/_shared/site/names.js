// What Streamlit leaves without a name for screen readers, names twice, or leaves without a hint at an error;
// and which section of the menu the page is in.

const RESTS = 300; // milliseconds: the page changes in many small parts

class Names {
  constructor() {
    this.timer = 0;
    this.section = "";
    new MutationObserver(() => this.later()).observe(document.body, { childList: true, subtree: true });
    this.later();
  }

  later() {
    this.timer ||= setTimeout(() => this.give(), RESTS);
  }

  /** Mark the section of the menu that the page is in. */
  mark() {
    for (const menu of document.querySelectorAll('[data-testid="stTopNavSection"]')) {
      if (menu.textContent.trim() === this.section) menu.setAttribute("aria-current", "true");
      else menu.removeAttribute("aria-current");
    }
  }

  give() {
    this.timer = 0;
    for (const tabs of document.querySelectorAll('[data-testid="stTabs"] [role="tablist"]:not([aria-label])')) {
      tabs.setAttribute("aria-label", tabs.closest("[role=dialog]") ? "Ways to load data" : "Lesson");
    }
    for (const image of document.querySelectorAll("img:not([alt]), #js-plotly-tester, [role=img]:not([aria-label], [aria-labelledby], .stage *)")) {
      image.setAttribute("aria-hidden", true);
    }
    // On a narrow page the menu is a list whose sections break it: as links in a navigation it is read well.
    for (const part of document.querySelectorAll('[data-testid="stSidebarNavItems"]:not([role]), [data-testid="stSidebarNavItems"] li:not([role])')) {
      part.setAttribute("role", "none");
    }
    for (const list of document.querySelectorAll('[data-testid="stSelectbox"] [role=group]:not([aria-label])')) {
      const name = list.querySelector("input")?.ariaLabel;
      if (name) list.setAttribute("aria-label", name);
    }
    this.mark();
    // It would be read twice.
    for (const slider of document.querySelectorAll('[data-testid="stSlider"] input[aria-label][aria-labelledby]')) {
      slider.removeAttribute("aria-labelledby");
    }
    // A table that was pasted and cannot be read: its field says so, and what is wrong with it.
    for (const dialog of document.querySelectorAll('[data-testid="stDialog"]')) {
      const alert = dialog.querySelector("[role=alert]");
      if (alert) alert.id ||= "what-is-wrong";
      for (const field of dialog.querySelectorAll('[data-testid="stTextArea"] textarea')) {
        const wrong = Boolean(alert && field.value);
        field.setAttribute("aria-invalid", wrong);
        if (wrong) field.setAttribute("aria-describedby", alert.id);
        else field.removeAttribute("aria-describedby");
      }
    }
  }
}

/** Give names from now on, on every page of this visit. @param {{data: {section: string}}} page */
export default function ({ data }) {
  const names = ((window.chalkline ??= {}).names ??= new Names());
  names.section = data.section;
  names.mark(); // at once; the menu may be drawn again while the page still changes
  names.later();
}
