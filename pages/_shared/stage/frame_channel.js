// The line to Python for frames. Streamlit draws them in a part of the page of its own, with a
// component of its own, frames.js. Both meet in `window.chalkline`, whichever comes first and
// however often either is put onto the page anew.

import { PATIENCE } from "./outbox.js";

const LONGEST_PATIENCE = 40000;

/**
 * What the components share.
 * @typedef {object} Exchange
 * @property {((wanted: import("./protocol.js").Wanted) => void) | null} [ask] set by frames.js
 * @property {((answer: import("./protocol.js").Frames) => void) | null} [deliver] set by the stage
 * @property {number} [number] of the last request
 * @property {(component: any) => () => void} [mountStage] set by the scripts when they are there
 * @property {(() => void) | null} [onScripts] called when they come later than the stage
 */

/** One request is on its way at a time. */
export class FrameChannel {
  /**
   * @param {Exchange} exchange
   * @param {(answer: import("./protocol.js").Frames) => boolean} take says whether it was of use
   * @param {() => object} wish what is wanted by now: {scene, steps, at}
   */
  constructor(exchange, take, wish) {
    this.exchange = exchange;
    this.take = take;
    this.wish = wish;
    this.first = null;
    this.latency = 200;
    this.receive = (answer) => this.received(answer);
    exchange.deliver = this.receive;
  }

  get busy() {
    return this.first !== null;
  }

  /** Ask for what is wanted, if anything is, unless an answer is still to come. */
  ask() {
    if (this.busy || !this.send()) return;
    this.first = this.exchange.number; // any answer from here on will do
    this.since = Date.now();
    this.wait(PATIENCE);
  }

  // Without an answer the connection may be broken: ask again, for what is wanted by then.
  wait(patience) {
    this.timer = setTimeout(() => {
      if (this.send()) this.wait(Math.min(2 * patience, LONGEST_PATIENCE));
      else this.first = null;
    }, patience);
  }

  send() {
    const wish = this.wish();
    if (!wish.steps.length) return false;
    this.exchange.number = (this.exchange.number ?? 0) + 1;
    this.exchange.ask?.({ ...wish, number: this.exchange.number });
    return true;
  }

  // An answer that brings nothing must not be asked for again at once: it waits for its turn. But
  // where Python has run the page and heard of no request, the request was lost with the connection.
  received(answer) {
    if (!answer.asked) return this.again();
    if (!this.take(answer) || !this.busy || answer.asked < this.first) return;
    this.latency = 0.7 * this.latency + 0.3 * (Date.now() - this.since);
    this.forget();
    this.ask();
  }

  again() {
    if (!this.busy) return;
    this.forget();
    this.ask();
  }

  /** Expect no answer any more. */
  forget() {
    clearTimeout(this.timer);
    this.first = null;
  }

  close() {
    this.forget();
    if (this.exchange.deliver === this.receive) this.exchange.deliver = null;
  }
}
