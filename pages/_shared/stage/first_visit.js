// The first visit of a browser: the lab plays by itself once, and three cards name what a newcomer
// does not know. They never come again, and not at a link, on a wall, in a frame or in a quiz.

import { Callout } from "./callout.js";

const REMEMBERED = "first visit"; // in the browser's memory
const UNTIL_PLAY = 1200; // milliseconds until it plays,
const PLAYS_AT_MOST = 6000; // and until it stops
const WATCHED_EVERY = 200;
const PICKED = ".stage .picture .handle.query:not([hidden])"; // a lab may have another name for it, or none
const TRY_THIS = '.chapters a[href="#try-this"]';
const EXPERIMENT = ".stage .lesson:not([hidden])"; // the question of a situation

/** What the cards point at after the picked place, and what they say. @type {[string, string][]} */
const GREETINGS = [
  [
    '.stage .player [data-do="play"]',
    "Every step can be reached: play, go one step on or back, or drag the slider. The space bar plays, ← and → step.",
  ],
  [TRY_THIS, "Try this has experiments, each with a question and its answer, and goals to reach. Idea explains the method."],
];

/** Return the sentence on a picked place. @param {string} label of its handle, with its place */
export const ofPicked = (label) => `${label.replace(/ at .*|:.*/, "")}: drag this mark anywhere. The lines below the picture speak of it.`;

/**
 * Return whether a page may greet its visitor.
 * @param {object} page
 * @param {string} page.query of the address; a link to anything says what is to be seen
 * @param {boolean} page.alone whether the stage is on a wall or in a frame
 * @param {boolean} page.busy whether there is a quiz or nothing to show
 * @param {string | null} page.stored what the browser remembers
 */
export function greets({ query, alone, busy, stored }) {
  return query === "" && !alone && !busy && stored === null;
}

export class FirstVisit {
  /**
   * @param {HTMLElement} root
   * @param {import("./player.js").Player} player
   */
  constructor(root, player) {
    this.player = player;
    this.callout = new Callout(root);
    this.timer = 0;
    this.playing = false; // by itself
    this.offered = false;
    this.acted = false; // the visitor has pressed something
    this.listeners = new AbortController();
  }

  /**
   * Greet the visitor if this is the first visit. Only the first call counts: later the visitor is at work.
   * @param {{alone: boolean, busy: boolean}} page
   */
  offer({ alone, busy }) {
    if (this.offered) return;
    this.offered = true;
    /** @type {string | null} */
    let stored = REMEMBERED; // a page that is refused storage would greet at every visit
    try {
      stored = localStorage.getItem(REMEMBERED);
      // An experiment of the lesson may have the defaults, and so no parameter in the address.
      const asked = document.querySelector(EXPERIMENT) !== null;
      if (!greets({ query: location.search, alone, busy: busy || asked, stored })) return;
      localStorage.setItem(REMEMBERED, "over");
    } catch {
      return;
    }
    const { signal } = this.listeners;
    for (const what of ["pointerdown", "keydown"]) {
      document.addEventListener(what, (event) => this.taken(event), { capture: true, signal });
    }
    this.timer = setTimeout(() => this.begin(), UNTIL_PLAY);
  }

  /** @returns {void} */
  begin() {
    if (this.acted || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.greet();
    this.playing = true;
    this.player.do("play");
    this.timer = setTimeout(() => this.watch(PLAYS_AT_MOST), WATCHED_EVERY);
  }

  // The cards come when the run has ended or has been stopped: they would stand in its way.
  /** @param {number} left milliseconds @returns {void} */
  watch(left) {
    if (left > 0 && this.player.playing) {
      this.timer = setTimeout(() => this.watch(left - WATCHED_EVERY), WATCHED_EVERY);
      return;
    }
    this.stop();
    this.greet();
  }

  greet() {
    /** @type {HTMLElement | null} */
    const picked = document.querySelector(PICKED);
    /** @type {[HTMLElement | null, string][]} */
    const all = GREETINGS.map(([selector, text]) => [document.querySelector(selector), text]);
    if (picked) all.unshift([picked, ofPicked(picked.getAttribute("aria-label") ?? "")]);
    this.card(all.filter(([target]) => target?.offsetParent), 0);
  }

  // The visitor has the reins from the first press on.
  /** @param {any} event */
  taken(event) {
    this.acted = true;
    if (event.key === "Escape") this.end();
    // a press on Play, and the space bar, stop the run themselves
    if (!event.target.closest?.('.callout, [data-do="play"]') && event.key !== " ") this.stop();
    this.playing = false;
  }

  stop() {
    if (this.playing) this.player.pause();
    this.playing = false;
  }

  /** @param {[any, string][]} cards @param {number} i of the card to show @returns {void} */
  card(cards, i) {
    if (i >= cards.length) return this.end();
    const last = i === cards.length - 1;
    const [target, text] = cards[i];
    /** @type {[string, () => void][]} */
    const buttons = last ? [] : [["Next", () => this.card(cards, i + 1)]];
    buttons.push([last ? "Got it" : "Close", () => this.end()]);
    this.callout.show(target, `First visit, ${i + 1} of ${cards.length}`, text, buttons);
  }

  end() {
    clearTimeout(this.timer);
    this.callout.hide();
    this.listeners.abort();
  }

  destroy() {
    this.end();
  }
}
