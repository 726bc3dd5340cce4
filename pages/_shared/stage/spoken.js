// Announcements for screen readers: the headline and the number of a step, no faster than they can
// be heard. While a run plays, the newest step waits for its turn, and an event goes first.

const BETWEEN = 2000; // milliseconds between two announcements while a run plays
const AT_REST = 300; // after a step by hand: several at once are one announcement

export class Spoken {
  /** @param {HTMLElement} node a status that nobody sees */
  constructor(node) {
    this.node = node;
    this.timer = 0;
    this.last = -Infinity; // the time of the last announcement
    this.event = false; // whether the waiting announcement is an event
  }

  /**
   * A step is shown.
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
