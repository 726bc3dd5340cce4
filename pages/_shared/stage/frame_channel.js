// The channel to Python for frames. Streamlit draws frames in a separate part of the page, with a
// separate component, boot/frames.js. Both components meet in `window.chalkline`, whichever is
// loaded first and however often one of them is put on the page again.

import { PATIENCE } from "./outbox.js";

const LONGEST_PATIENCE = 40000;

/**
 * The object that the components share.
 * @typedef {object} Exchange
 * @property {((wanted: import("./protocol.js").Wanted) => void) | null} [ask] set by frames.js
 * @property {((answer: import("./protocol.js").Frames) => void) | null} [deliver] set by the stage
 * @property {number} [number] of the last request
 * @property {((drawings: import("./protocol.js").Drawings) => void) | null} [judge] set by judge.js of the page
 * @property {((answer: import("./protocol.js").Judged) => void) | null} [judged] set by the stage's room/judge.js
 * @property {number} [drawings] number of the last request to judge
 * @property {(component: any) => () => void} [mountStage] set by the scripts when they are there
 * @property {import("./film.js").Film} [film] of the run that is shown: the menu of exports takes pictures of it
 * @property {(() => void) | null} [onScripts] called when they come later than the stage
 */

/** Requests frames, one request at a time. */
export class FrameChannel {
  /**
   * @param {Exchange} exchange
   * @param {(answer: import("./protocol.js").Frames) => boolean} take returns whether it was of use
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

  /** Request what is wanted now, if anything, unless an earlier request is still open. */
  ask() {
    if (this.busy || !this.send()) return;
    this.first = this.exchange.number; // From here on any answer counts.
    this.since = Date.now();
    this.wait(PATIENCE);
  }

  // No answer came, so the connection may be broken: request again, with what is wanted by then.
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

  // An answer without frames must not lead to the same request at once, so the timer does it. But
  // if Python has run the page and received no request, the request was lost with the connection.
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

  /** Stop waiting for an answer. */
  forget() {
    clearTimeout(this.timer);
    this.first = null;
  }

  close() {
    this.forget();
    if (this.exchange.deliver === this.receive) this.exchange.deliver = null;
  }
}
