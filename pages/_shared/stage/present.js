// Presenter mode: the stage alone fills the screen, larger, and a ring that the class can see goes
// with the pointer. How it looks is in stage.css, by an attribute of the document: "folded", or
// "open" with the controls beside it.

const ROOT = document.documentElement;

/**
 * All that is not on the way from the page to the stage. The sidebar is spared while it is open.
 * @param {HTMLElement} stage
 * @param {boolean} sidebar whether it is open
 * @returns {any[]} elements
 */
function around(stage, sidebar) {
  /** @type {any[]} */
  const found = [];
  for (let node = stage; node.parentElement && node !== document.body; node = node.parentElement) {
    found.push(...[...node.parentElement.children].filter((other) => other !== node));
  }
  const open = sidebar ? document.querySelector("[data-testid=stSidebar]") : null;
  return found.filter((node) => !node.inert && !node.matches(".pointer-ring, script, style") && !node.contains(open));
}

export class Presenter {
  /** @param {HTMLElement} root the stage's */
  constructor(root) {
    this.stage = root;
    /** @type {any[]} */
    this.unreachable = []; // the elements beneath the stage, hidden from keys and screen readers
    this.buttons = {
      present: root.querySelector('[data-do="present"]'),
      controls: root.querySelector('[data-do="controls"]'),
    };
    this.ring = document.createElement("div");
    this.ring.className = "pointer-ring";
    this.ring.hidden = true;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    window.addEventListener("pointermove", (event) => this.follow(event), { signal });
    for (const what of ["pointerdown", "pointerup"]) {
      const press = () => this.ring.classList.toggle("pressed", what === "pointerdown");
      window.addEventListener(what, press, { capture: true, signal });
    }
    ROOT.addEventListener("pointerleave", () => (this.ring.hidden = true), { signal });
    // The browser takes Escape for itself while the page fills the screen.
    const left = () => document.fullscreenElement || this.leave();
    document.addEventListener("fullscreenchange", left, { signal });
  }

  get on() {
    return "present" in ROOT.dataset;
  }

  /** Fill the window; the screen can only be had when the user has just pressed something. */
  enter() {
    document.body.append(this.ring);
    this.show("folded");
  }

  leave() {
    const left = this.on;
    this.ring.remove();
    this.show(null);
    if (left) this.buttons.present.focus({ preventScroll: true });
    if (document.fullscreenElement) document.exitFullscreen();
  }

  /** What the button does. */
  toggle() {
    if (this.on) return this.leave();
    this.enter();
    ROOT.requestFullscreen?.().catch(() => {}); // a frame may not; the window is filled anyway
  }

  /** Put the controls beside the stage, or fold them away again. */
  fold() {
    if (this.on) this.show(ROOT.dataset.present === "open" ? "folded" : "open");
  }

  /** @param {string | null} state */
  show(state) {
    if (state) ROOT.dataset.present = state;
    else delete ROOT.dataset.present;
    for (const node of this.unreachable) node.inert = false;
    this.unreachable = state ? around(this.stage, state === "open") : [];
    for (const node of this.unreachable) node.inert = true;
    this.buttons.present.setAttribute("aria-pressed", this.on);
    this.buttons.controls.setAttribute("aria-pressed", state === "open");
  }

  /** @param {PointerEvent} event */
  follow({ clientX, clientY, pointerType }) {
    this.ring.hidden = pointerType === "touch";
    this.ring.style.translate = `${clientX}px ${clientY}px`;
  }

  destroy() {
    this.leave();
    this.listeners.abort();
  }
}
