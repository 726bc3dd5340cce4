// Printing: the stage looks as on the screen, only smaller and always light, with its legend below.

const WIDTH = 700; // pixels of an A4 page, upright
const LIGHT = {
  "--st-background-color": "#ffffff",
  "--st-secondary-background-color": "#f4f6f8",
  "--st-text-color": "#16202b",
  "--st-border-color": "#d5dae0",
};

export class Printing {
  /**
   * @param {any} root the stage's
   * @param {() => Promise<any> | void} redraw in the colours that apply by then
   * @param {{prepare: () => void, restore: () => void}} legend
   */
  constructor(root, redraw, legend) {
    this.root = root;
    this.legend = legend;
    /** @type {any} */
    this.box = root.parentElement;
    this.redraw = redraw;
    this.printing = false;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    window.addEventListener("beforeprint", () => this.prepare(), { signal });
    window.addEventListener("afterprint", () => this.restore(), { signal });
  }

  // The stage keeps its layout and is shrunk as a whole.
  prepare() {
    const { root, box } = this;
    const width = box.clientWidth;
    const printed = width - root.querySelector(".tools").offsetWidth; // the tools are not printed
    const height = root.querySelector(".picture").clientHeight;
    const kept = { ...LIGHT, "--picture": `${height}px`, "--type": getComputedStyle(root).fontSize };
    for (const [name, value] of Object.entries(kept)) root.style.setProperty(name, value);
    box.style.setProperty("width", `${width}px`);
    box.style.setProperty("zoom", `${Math.min(1, WIDTH / printed)}`);
    this.printing = true;
    const drawn = this.redraw();
    this.legend.prepare();
    // Its samples are copies of the marks, which may get their colours only now.
    Promise.resolve(drawn).then(() => this.printing && this.legend.prepare());
  }

  restore() {
    this.printing = false;
    for (const name of [...Object.keys(LIGHT), "--picture", "--type"]) this.root.style.removeProperty(name);
    for (const name of ["width", "zoom"]) this.box.style.removeProperty(name);
    this.redraw();
    this.legend.restore();
  }

  destroy() {
    this.listeners.abort();
  }
}
