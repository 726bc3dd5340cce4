// Asks Python what the room's drawings cost. The answer comes once for the same drawings.

import { MOST_DRAWINGS } from "../protocol.js";

const JUDGE_AGAIN = 5000; // milliseconds without an answer

/** @typedef {{costs: (number | null)[], best: number[][], least: number | null, link: Record<string, string>}} Verdict on drawings, with the best one in data */

export class Judge {
  /** @param {any} exchange the object that the components share @param {() => void} onJudged */
  constructor(exchange, onJudged) {
    this.exchange = exchange;
    this.onJudged = onJudged;
    this.asked = "";
    this.number = 0;
    /** @type {Verdict | null} */
    this.verdict = null;
    /** @type {any} */
    this.timer = 0;
    this.receive = (/** @type {import("../protocol.js").Judged} */ answer) => this.received(answer);
    exchange.judged = this.receive;
  }

  /**
   * Return the verdict on drawings, or null as long as it has not come.
   * @param {string} scene the key of the scene whose algorithm judges
   * @param {number[][][]} drawings places in data
   * @param {number[]} counts phones that gave each of them
   */
  on(scene, drawings, counts) {
    const text = JSON.stringify([scene, drawings, counts]);
    if (text === this.asked) return this.verdict;
    this.asked = text;
    this.verdict = null;
    this.ask(scene, drawings.slice(0, MOST_DRAWINGS), counts.slice(0, MOST_DRAWINGS));
    return null;
  }

  /** @param {string} scene @param {number[][][]} places @param {number[]} counts */
  ask(scene, places, counts) {
    clearTimeout(this.timer);
    this.number = (this.exchange.drawings ?? 0) + 1;
    this.exchange.drawings = this.number; // of all stages on this page
    this.exchange.judge?.({ scene, places, counts, number: this.number });
    this.timer = setTimeout(() => this.ask(scene, places, counts), JUDGE_AGAIN);
  }

  /** @param {import("../protocol.js").Judged} answer */
  received({ asked, costs, best, least, link }) {
    if (!asked || asked !== this.number) return;
    clearTimeout(this.timer);
    this.verdict = { costs, best, least, link };
    this.onJudged();
  }

  /** Nothing is judged any more. */
  forget() {
    clearTimeout(this.timer);
    this.asked = "";
    this.verdict = null;
  }

  destroy() {
    this.forget();
    if (this.exchange.judged === this.receive) this.exchange.judged = null;
  }
}
