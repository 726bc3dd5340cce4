// A tour of a lab in five to eight cards, made from what the lab says of itself: its sentence, the marks of the
// picture, which light up, a step that the reader takes, the first event, a linked view, and what to try.

import { Callout } from "./callout.js";
import { light, signsOf } from "./signs.js";

const CLASS = /^point of class /; // one class of points stands for all
const HINT_OF_TRY = "Try this has questions about this lab, with answers, and goals that the run judges.";

/**
 * @typedef {object} Card
 * @property {string} at selector of what it points at
 * @property {string} text
 * @property {string} [mark] of the picture, which lights up
 * @property {number} [go] the step to go to
 * @property {boolean} [wait] it goes on when the reader has taken a step
 */

/**
 * Return three marks of different kinds, or all if they are fewer: the first, the middle and the last,
 * because points come first, then lines and areas, then what is dragged.
 * @param {string[]} marks
 */
function chosen(marks) {
  const once = [...new Set(marks)];
  const first = once.find((mark) => CLASS.test(mark));
  const kept = once.filter((mark) => mark === first || !CLASS.test(mark));
  return kept.length > 3 ? [kept[0], kept[kept.length >> 1], kept[kept.length - 1]] : kept;
}

/**
 * Return the cards of a tour.
 * @param {object} lab
 * @param {string} lab.lead its sentence
 * @param {string[]} lab.marks of its picture
 * @param {{step: number, name: string} | null} lab.event the first
 * @param {string} lab.view the title of the first linked view, if one is open
 * @returns {Card[]}
 */
export function cardsOf({ lead, marks, event, view }) {
  const picture = ".stage .picture";
  /** @type {Card[]} */
  const cards = lead ? [{ at: picture, text: lead }] : [];
  cards.push(...chosen(marks).map((mark) => ({ at: picture, text: `Lit up: ${mark}.`, mark })));
  cards.push({ at: '.stage .player [data-do="step"]', text: "Take a step, with this button or →. The caption below says what it does.", wait: true });
  if (event) cards.push({ at: ".stage .player .track", text: `The ticks are events. This is the first one: ${event.name}. ] goes to the next.`, go: event.step });
  if (view) cards.push({ at: ".stage .beside .open", text: `${view}: this view follows the steps, and opens as a table of its numbers.` });
  return [...cards, { at: '.chapters a[href="#try-this"]', text: HINT_OF_TRY }];
}

export class Tour {
  /**
   * @param {HTMLElement} root
   * @param {import("./panel.js").Panel} picture
   * @param {import("./player.js").Player} player
   */
  constructor(root, picture, player) {
    this.root = root;
    this.picture = picture;
    this.player = player;
    this.callout = new Callout(root);
    /** @type {Card[]} */
    this.cards = [];
    this.at = -1; // the card; −1: there is no tour
    /** @type {string[] | null} */
    this.classes = null;
  }

  /** Begin at the first step. @param {string[] | null} classes the names of the points' groups */
  async begin(classes) {
    await this.player.go(0, null);
    const { run } = this.player;
    const first = run.steps[0];
    this.classes = classes;
    const [lead, view] = [".lab-title p", ".stage .beside .open .fold"].map((what) => document.querySelector(what)?.textContent?.trim() ?? "");
    const marks = signsOf(this.picture, classes).map(({ name }) => name);
    const cards = cardsOf({ lead, marks, view, event: first === undefined ? null : { step: first, name: run.event(first) ?? "" } });
    this.cards = cards.filter(({ at }) => /** @type {HTMLElement | null} */ (document.querySelector(at))?.offsetParent);
    this.show(0);
  }

  /** @param {number} at */
  show(at) {
    const card = this.cards[at];
    if (!card) {
      this.end();
      return;
    }
    this.at = at;
    const sign = card.mark ? signsOf(this.picture, this.classes).find(({ name }) => name === card.mark) : null;
    light(this.picture, sign ?? null);
    if (card.go !== undefined) this.player.go(card.go, null);
    const last = at === this.cards.length - 1;
    /** @type {[string, () => void][]} */
    const buttons = [[last ? "Done" : "Next", () => this.show(at + 1)], ...(last ? [] : [/** @type {[string, () => void]} */ (["Close", () => this.end()])])];
    const target = /** @type {HTMLElement} */ (document.querySelector(card.at));
    this.callout.show(target, `Tour, ${at + 1} of ${this.cards.length}`, card.text, buttons);
    this.callout.node.querySelector("button")?.focus({ preventScroll: true });
  }

  /** A step is shown: this may be what the card has asked for. @param {number} step */
  shown(step) {
    if (step > 0 && this.cards[this.at]?.wait) this.show(this.at + 1);
  }

  /** Return whether there was a tour. */
  end() {
    if (this.at < 0) return false;
    this.at = -1;
    light(this.picture, null);
    this.callout.hide();
    /** @type {HTMLElement | null} */ (this.root.querySelector('[data-do="signs"]'))?.focus({ preventScroll: true });
    return true;
  }

  destroy() {
    this.end();
  }
}
