// The stage in a frame of slides or of a course: it is alone there, and gives the keys back when asked.

export class Embedding {
  /** @param {boolean} recorded an exported run: in a frame it is always alone */
  constructor(recorded) {
    const asked = new URLSearchParams(location.search).get("embed") === "true";
    this.framed = window.parent !== window;
    this.on = asked || (recorded && this.framed);
    document.documentElement.toggleAttribute("data-embedded", this.on);
  }

  /** The page around has the keys again, and hears of it. */
  giveBack() {
    if (!this.framed) return;
    /** @type {any} */ (document.activeElement)?.blur();
    window.parent.postMessage({ chalkline: { keys: "back" } }, "*");
    window.parent.focus();
  }
}
