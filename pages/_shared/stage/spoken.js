// Announcements for screen readers: headline and index of a step, with enough time between them to
// be heard. While a run plays, only the newest step waits; an event goes first.

const BETWEEN = 2000; // milliseconds between two announcements while a run plays
// milliseconds to wait after a step by hand, so that several steps at once are one announcement
const AT_REST = 300;

export class Spoken {
  /** @param {HTMLElement} node a status that nobody sees */
  constructor(node) {
    this.node = node;
    this.timer = 0;
    this.last = -Infinity; // the time of the last announcement
    this.event = false; // whether the waiting announcement is an event
  }

  /**
   * Announce that a step is shown.
   * @param {string} headline
   * @param {string} where such as "step 3 of 8"
   * @param {string | null} event that happens at the step
   * @param {boolean} playing
   */
  step(headline, where, event, playing) {
    if (this.event && !event && playing) return;
    const text = `${[where, event].filter(Boolean).join(", ")}. ${headline}`;
    clearTimeout(this.timer);
    this.event = false;
    if (text === this.node.textContent) return;
    this.event = Boolean(event);
    const wait = playing ? Math.max(0, this.last + BETWEEN - Date.now()) : AT_REST;
    this.timer = setTimeout(() => this.say(text), wait);
  }

  /** @param {string} text */
  say(text) {
    this.node.textContent = text;
    this.last = Date.now();
    this.event = false;
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
