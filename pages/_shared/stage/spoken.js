// Announcements for screen readers: headline and index of a step, with enough time between them to
// be heard. While a run plays, only the newest step waits; events go first, and none is left out.

const BETWEEN = 2000; // milliseconds between two announcements while a run plays
// milliseconds to wait after a step by hand, so that several steps at once are one announcement
const AT_REST = 300;
const MOST_EVENTS = 3; // that one announcement names: of more, the newest

export class Spoken {
  /** @param {HTMLElement} node a status that nobody sees */
  constructor(node) {
    this.node = node;
    this.timer = 0;
    this.last = -Infinity; // the time of the last announcement
    /** @type {string[]} */
    this.events = []; // that wait to be announced
  }

  /**
   * Announce that a step is shown.
   * @param {string} headline
   * @param {string} where such as "step 3 of 8"
   * @param {string | null} event that happens at the step
   * @param {boolean} playing
   */
  step(headline, where, event, playing) {
    if (this.events.length && !event && playing) return;
    const now = [where, event].filter(Boolean).join(", ");
    const before = this.events.filter((other) => event && other !== now);
    const text = `${[...before, now].slice(-MOST_EVENTS).join("; ")}. ${headline}`;
    clearTimeout(this.timer);
    this.events = [];
    if (text === this.node.textContent) return;
    if (event) this.events = [...before, now];
    const wait = playing ? Math.max(0, this.last + BETWEEN - Date.now()) : AT_REST;
    this.timer = setTimeout(() => this.say(text), wait);
  }

  /** @param {string} text */
  say(text) {
    this.node.textContent = text;
    this.last = Date.now();
    this.events = [];
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
