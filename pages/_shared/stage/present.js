// Presenter mode: the stage alone fills the screen, enlarged, and a ring around the pointer shows
// the class where it is. The style sheets depend on an attribute of the document: "folded", or
// "open" with the controls beside the stage.

const ROOT = document.documentElement;

/**
 * Return the elements that presenter mode hides: all that do not contain the stage. An open sidebar
 * stays.
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
  /**
   * @param {HTMLElement} root the stage's
   * @param {import("./embedding.js").Embedding} embedding
   */
  constructor(root, embedding) {
    this.stage = root;
    this.embedding = embedding;
    this.handsOn = false; // the stage of the next lab goes on: the screen stays full
    this.full = false; // the screen, since presenter mode is on
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
    document.addEventListener("fullscreenchange", () => this.screenChanged(), { signal });
  }

  get on() {
    return "present" in ROOT.dataset;
  }

  /** Fill the window. Full screen needs a user's click or key, so `toggle` asks for it. */
  enter() {
    this.full = Boolean(document.fullscreenElement);
    document.body.append(this.ring);
    this.show("folded");
  }

  /** Unfold the page again; in a frame that has the stage alone there is nothing to unfold. */
  leave() {
    if (!this.embedding.on) this.end();
  }

  // In full screen the browser handles Escape itself, so the stage listens for the end of full
  // screen. Of the last time it may be told when presenter mode is on again.
  screenChanged() {
    const over = this.full && !document.fullscreenElement;
    this.full = Boolean(document.fullscreenElement);
    if (over) this.leave();
  }

  end() {
    const left = this.on;
    this.full = false;
    this.ring.remove();
    this.show(null);
    if (left) this.buttons.present.focus({ preventScroll: true });
    if (document.fullscreenElement && !this.handsOn) document.exitFullscreen();
  }

  /** Switch presenter mode on or off. */
  toggle() {
    if (this.on) return this.leave();
    this.enter();
    // refused inside a frame; the window is filled anyway
    ROOT.requestFullscreen?.().catch(() => {});
  }

  /** Show the controls beside the stage, or hide them again. */
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
    this.end();
    this.listeners.abort();
  }
}
