// A tour of a lab in five to eight cards, made from what the lab says of itself: its sentence, the marks of the
// picture, a step that the reader takes, the first event, a linked view, and what to try. What a card speaks of
// is lit. A card that asks for something goes on when it is done, and can be skipped; the others have Next.

import { Callout } from "./callout.js";
import { light, signsOf } from "./signs.js";

const LESSON_BELOW = ".st-key-chapter"; // the lesson below
const LOOKS_EVERY = 150; // milliseconds
const RESTS = 3; // looks without a change: a drag has come to its end

/** What a card can ask for. @typedef {"step" | "drag" | "open" | null} Asked */

/**
 * @typedef {object} Card
 * @property {string} at selector of what it points at
 * @property {string} text
 * @property {Asked} asks
 * @property {string} [mark] of the picture, which lights up
 * @property {number} [go] the step to go to
 * @property {number} [view] the linked view to open
 */

/** @typedef {Omit<import("./signs.js").Sign, "nodes">} Mark */

/**
 * Return three marks of different kinds, or all if they are fewer: the first, the middle and the last,
 * because points come first, then lines and areas, then what is dragged. One class of points stands for all.
 * @param {Mark[]} marks
 */
function chosen(marks) {
  const first = marks.find(({ ofClass }) => ofClass);
  const kept = marks.filter((mark) => mark === first || !mark.ofClass);
  return kept.length > 3 ? [kept[0], kept[kept.length >> 1], kept[kept.length - 1]] : kept;
}

/** @param {Mark} mark @returns {Card} */
function cardOf({ name, handle }) {
  const card = { at: ".stage .picture", mark: name };
  if (handle === undefined) return { ...card, text: `Lit up: ${name}.`, asks: null };
  return { ...card, text: `Lit up: ${handle}. Drag it, or move it with the arrow keys.`, asks: "drag" };
}

/** @param {{name: string, more: boolean}} event */
const ofEvent = ({ name, more }) => (more ? `The ticks are events. This is the first one: ${name}. ] goes to the next.` : `The tick is an event of this run: ${name}. ] goes to it.`);

/**
 * Return the cards of a tour.
 * @param {object} lab
 * @param {string} lab.lead its sentence
 * @param {Mark[]} lab.marks of its picture, each once
 * @param {{step: number, name: string, more: boolean} | null} lab.event the first, and whether there are more
 * @param {{at: number, title: string} | null} lab.view a linked view
 * @param {boolean} lab.steps whether there are any to take
 * @returns {Card[]}
 */
export function cardsOf({ lead, marks, event, view, steps }) {
  /** @type {Card[]} */
  const cards = lead ? [{ at: ".stage .picture", text: lead, asks: null }] : [];
  cards.push(...chosen(marks).map(cardOf));
  if (steps) cards.push({ at: '.stage .player [data-do="step"]', text: "Take a step, with this button or →. The caption below says what it does.", asks: "step" });
  if (event) cards.push({ at: ".stage .player .ticks i", text: ofEvent(event), asks: null, go: event.step });
  if (view) cards.push({ at: `.stage .beside figure:nth-of-type(${view.at + 1})`, text: `${view.title}: this view follows the steps, and ▦ opens it as a table of its numbers.`, asks: null, view: view.at });
  const to = "Open Try this: it has questions about this lab, with answers, and goals that the run judges.";
  return [...cards, { at: '.chapters a[href="#try-this"]', text: to, asks: "open" }];
}

export class Tour {
  /**
   * @param {HTMLElement} root
   * @param {import("./panel.js").Panel} picture
   * @param {import("./player.js").Player} player
   * @param {import("./beside.js").Beside} beside
   */
  constructor(root, picture, player, beside) {
    this.root = root;
    this.picture = picture;
    this.player = player;
    this.beside = beside;
    this.callout = new Callout(root);
    this.callout.node.classList.add("tour");
    this.callout.node.onkeydown = (event) => this.tab(event);
    /** @type {Card[]} */
    this.cards = [];
    this.at = -1; // the card; −1: there is no tour
    /** @type {string[] | null} */
    this.classes = null;
    this.opens = 0; // the step that the lab opens on
    this.timer = 0;
    this.before = ""; // what the reader has done when the card comes,
    this.seen = ""; // at the last look,
    this.rested = 0; // and for how many looks it has been the same
    /** @type {HTMLElement | null} */
    this.target = null;
    this.listeners = new AbortController();
  }

  /** Begin at the step that the lab opens on. @param {string[] | null} classes the names of the points' groups */
  async begin(classes) {
    const { run } = this.player;
    this.player.pause();
    await this.player.go(this.opens < run.end ? this.opens : 0, null);
    this.classes = classes;
    const lead = document.querySelector(".lab-title p")?.textContent?.trim() ?? "";
    const first = run.steps[0];
    const event = first === undefined ? null : { step: first, name: run.event(first) ?? "", more: run.steps.length > 1 };
    const seen = this.beside.panels.findIndex(({ share }) => share !== "nothing");
    const view = seen < 0 ? null : { at: seen, title: run.views[seen + 1].title };
    const marks = signsOf(this.picture, classes);
    const cards = cardsOf({ lead, marks, view, event, steps: run.end > 0 });
    this.cards = cards.filter(({ at }) => /** @type {HTMLElement | null} */ (document.querySelector(at))?.offsetParent);
    this.show(0);
  }

  /** The card that is shown. */
  get card() {
    return this.cards[this.at];
  }

  /** @param {number} at */
  show(at) {
    clearInterval(this.timer);
    this.listeners.abort();
    this.at = at;
    const { card } = this;
    if (!card) return void this.end();
    if (card.view !== undefined) this.beside.unfold(card.view);
    if (card.go !== undefined) {
      this.player.pause();
      this.player.go(card.go, null);
    }
    this.light();
    const last = at === this.cards.length - 1;
    const next = card.asks ? "Skip" : last ? "Done" : "Next";
    /** @type {[string, () => void][]} */
    const buttons = [[next, () => this.show(at + 1)], ["Close", () => this.end()]];
    const target = (this.target = this.pointedAt());
    target.scrollIntoView?.({ block: "nearest" });
    this.callout.show(target, `Tour, ${at + 1} of ${this.cards.length}`, card.text, buttons);
    this.listeners = new AbortController();
    target.addEventListener("keydown", (/** @type {any} */ event) => this.tab(event), { signal: this.listeners.signal });
    const focused = card.asks ? target : this.button;
    focused?.focus({ preventScroll: true });
    this.before = this.seen = this.done();
    this.timer = setInterval(() => this.look(), LOOKS_EVERY);
  }

  /** @returns {HTMLElement | null} */
  get button() {
    return this.callout.node.querySelector("button");
  }

  /** The mark of the picture that the card speaks of. */
  get sign() {
    const { mark } = this.card;
    return mark === undefined ? null : (signsOf(this.picture, this.classes).find(({ name }) => name === mark) ?? null);
  }

  light() {
    light(this.picture, this.sign);
  }

  /** What is dragged is pointed at itself. @returns {any} */
  pointedAt() {
    const { at, asks } = this.card;
    return (asks === "drag" && this.sign?.nodes[0]) || document.querySelector(at);
  }

  /** Return how far the reader is with what the card asks for: when it changes, it has been done. */
  done() {
    switch (this.card.asks) {
      case "step":
        return `${this.player.at}`;
      case "drag": // a place, or a grip that goes through the steps
        return JSON.stringify([this.picture.handles.map(({ places }) => places), this.picture.track.nodes.length && this.player.at]);
      case "open":
        return `${document.activeElement?.closest?.(LESSON_BELOW) !== null}`;
      default:
        return "";
    }
  }

  /** Go on if what the card asks for is done. */
  look() {
    if (!this.target?.isConnected) return this.show(this.at); // drawn again
    const now = this.done();
    const held = this.target.matches?.(":active"); // by a pointer
    this.rested = now === this.seen && !held ? this.rested + 1 : 0;
    this.seen = now;
    if (now !== this.before && this.rested >= RESTS) this.show(this.at + 1);
  }

  // The card comes after what it points at in the order of Tab, although it is at the page's end.
  /** @param {any} event */
  tab(event) {
    if (event.key !== "Tab") return;
    const back = event.shiftKey;
    const from = document.activeElement;
    const to = from === this.target && !back ? this.button : from === this.button && back ? this.target : null;
    if (!to) return;
    event.preventDefault();
    to.focus({ preventScroll: true });
  }

  /** A step is drawn: a mark may be drawn by other elements now. */
  shown() {
    if (this.card?.mark) this.light();
  }

  /** Return whether there was a tour. */
  end() {
    clearInterval(this.timer);
    this.listeners.abort();
    if (this.at < 0) return false;
    const within = this.callout.node.contains(document.activeElement);
    this.at = -1;
    light(this.picture, null);
    this.callout.hide();
    if (within) /** @type {HTMLElement | null} */ (this.root.querySelector('[data-do="signs"]'))?.focus({ preventScroll: true });
    return true;
  }

  destroy() {
    this.end();
  }
}
