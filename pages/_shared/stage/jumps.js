// Jumps of a lab's page: from its head to a chapter of the lesson below, and for the keyboard past
// menu and parameters to the picture.

const CHAPTER = ".chapters a";
const TABS = ".st-key-chapter [role=tab]";

export class Jumps {
  /** @param {HTMLElement} root the stage's */
  constructor(root) {
    this.root = root;
    this.skip = document.createElement("button");
    this.skip.className = "skip-to-picture";
    this.skip.textContent = "Skip to the picture";
    this.skip.onclick = () => this.toPicture();
    document.body.prepend(this.skip);
    this.listeners = new AbortController();
    document.addEventListener("click", (event) => this.click(event), { signal: this.listeners.signal });
  }

  toPicture() {
    /** @type {HTMLElement | null} */
    const picture = this.root.querySelector(".picture");
    picture?.scrollIntoView({ block: "nearest" });
    picture?.focus();
  }

  /** @param {any} event of a click anywhere on the page */
  click(event) {
    const link = event.target.closest?.(CHAPTER);
    if (!link) return;
    event.preventDefault();
    this.toChapter(link.textContent);
  }

  /** Open a chapter of the lesson, and scroll to it. @param {string} name */
  toChapter(name) {
    /** @type {HTMLElement[]} */
    const tabs = [...document.querySelectorAll(TABS)];
    const tab = tabs.find((each) => each.textContent === name);
    tab?.click();
    tab?.focus({ preventScroll: true });
    tab?.scrollIntoView({ block: "start" });
  }

  destroy() {
    this.skip.remove();
    this.listeners.abort();
  }
}
