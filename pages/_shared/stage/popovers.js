// What opens by a key takes the focus. Streamlit puts a popover at the end of the page, dozens of Tab
// stops away from its button; Escape closes it and gives the focus back by itself.

const POPOVER_BUTTON = '[data-testid="stPopoverButton"]';
const POPOVER = '[data-testid="stPopoverBody"]';
const FOCUSABLE = "button:not([disabled]), input, select, textarea, a[href], [role=slider], [tabindex='0']";
const ISOLATED = '[data-testid="stBidiComponentIsolated"]';
const FRAMES_TO_COME = 3600; // a minute: its controls may have to come from a busy server

/** The first control of a popover; those of our own parts are in a tree of their own. @param {Element | null} body */
function firstControl(body) {
  const isolated = [...(body?.querySelectorAll(ISOLATED) ?? [])].map(({ shadowRoot }) => shadowRoot);
  const controls = [...isolated, body].flatMap((tree) => [...(tree?.querySelectorAll(FOCUSABLE) ?? [])]);
  return controls.find((control) => control.checkVisibility({ visibilityProperty: true }));
}

export class Popovers {
  constructor() {
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("click", (event) => this.click(event), { capture: true, signal });
  }

  /** A click that a key makes has no pointer's count. @param {any} event */
  click({ detail, target }) {
    const button = target.closest?.(POPOVER_BUTTON);
    if (button && detail === 0 && button.getAttribute("aria-expanded") !== "true") this.follow(button, FRAMES_TO_COME);
  }

  /** @param {any} button as long as it has the focus @param {number} frames that it may still take */
  follow(button, frames) {
    if (this.listeners.signal.aborted || frames === 0 || document.activeElement !== button) return;
    const control = firstControl(document.querySelector(POPOVER));
    control?.focus();
    if (document.activeElement === button) requestAnimationFrame(() => this.follow(button, frames - 1));
  }

  destroy() {
    this.listeners.abort();
  }
}
