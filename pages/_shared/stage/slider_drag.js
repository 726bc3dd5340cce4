// Reports a slider's value while it is dragged; Streamlit's own sliders report it only when let go.
// A value is sent as often as Python answers, and outdated values are never sent.

export class SliderDrag {
  /** @param {import("./outbox.js").Outbox} outbox */
  constructor(outbox) {
    this.outbox = outbox;
    this.slider = null; // the slider that is being dragged
    this.observer = new MutationObserver(() => this.moved());
    this.listeners = new AbortController();
    const how = { capture: true, signal: this.listeners.signal };
    document.addEventListener("pointerdown", (event) => this.take(event), how);
    window.addEventListener("pointerup", () => this.letGo(), how);
    window.addEventListener("pointercancel", () => this.letGo(), how);
  }

  take({ target }) {
    const slider = target.closest?.("[data-testid=stSidebar] [class*=st-key-]");
    if (!slider || !valueOf(slider)) return;
    const key = slider.className.match(/st-key-(\S+)/)[1];
    this.slider = slider;
    this.key = key;
    this.before = valueOf(slider);
    this.value = valueOf(slider);
    this.moving = false;
    const what = { attributes: true, attributeFilter: ["aria-valuetext"], subtree: true };
    this.observer.observe(slider, what);
  }

  moved() {
    const { key, before, slider } = this;
    const value = valueOf(slider);
    if (value === this.value) return;
    this.value = value;
    this.moving = true;
    this.outbox.sendLatest("live", { key, before, value });
  }

  letGo() {
    if (!this.slider) return;
    this.observer.disconnect();
    this.outbox.forgetLatest();
    const { key, before, value } = this;
    this.slider = null;
    // Streamlit reports a new value itself, but not a return to the old one.
    if (this.moving && value === before) this.outbox.send("live", { key, before, value });
  }

  destroy() {
    this.letGo();
    this.listeners.abort();
  }
}

const valueOf = (slider) =>
  slider.querySelector("input[type=range]")?.getAttribute("aria-valuetext");
