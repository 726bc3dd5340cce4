// The part of a run that the browser has: its length, its events, and the frames that have come.

import { patched, unpack } from "./packing.js";

const MOST_HELD = 1500; // frames
const MOST_TEXT = 40e6; // characters, as they were sent
const STOPPED = "stopped at max_iter"; // the event's name in the code

/**
 * Return whether a trace may change the colour of large parts of a picture: it is a region, a filled
 * shape, or a line so dense that it fills its view. What is under curves hardly jumps.
 * @param {any} trace
 */
const recolours = ({ type, fill, meta }) => type === "image" || fill === "toself" || meta === "dense";

export class Run {
  /** @param {import("./protocol.js").Opening} opening */
  constructor(opening) {
    this.total = Math.max(1, opening.total);
    this.end = this.total - 1;
    this.views = opening.views;
    this.equal = opening.equal;
    this.unit = opening.unit;
    this.first = opening.first;
    this.recolours = this.views.some(({ first }) => first.data.some(recolours));
    this.names = opening.names;
    this.numbers = opening.numbers;
    this.drawing = opening.drawing; // what a class can draw on the picture, or null
    this.steps = unpack(opening.steps); // steps of the events, ascending
    this.kinds = unpack(opening.kinds);
    this.held = new Map(); // frames by step
    this.text = 0;
    this.figures = []; // by view: its figure that was shown last
    this.addOpening(opening);
  }

  /** Keep the frames that came with the answer to a move; these are never dropped. */
  addOpening({ frames }) {
    for (const [step, frame] of Object.entries(frames)) {
      this.drop(+step);
      this.held.set(+step, { frame, text: 0, lasting: true });
    }
  }

  /**
   * Keep frames; if there are too many, drop those farthest from the step `at`.
   * @param {Object<string, import("./protocol.js").Frame>} frames
   * @param {number} text total length of the frames as they were sent
   */
  add(frames, text, at) {
    const fresh = Object.entries(frames).filter(([step]) => !this.holds(+step));
    for (const [step, frame] of fresh) {
      const share = text / fresh.length;
      this.held.set(+step, { frame, text: share, lasting: false });
      this.text += share;
    }
    this.makeRoom(at);
  }

  /** Return how many more frames can be kept before others have to be dropped. */
  get room() {
    return this.text < MOST_TEXT ? MOST_HELD - this.held.size : 0;
  }

  makeRoom(at) {
    const full = () => this.held.size > MOST_HELD || this.text > MOST_TEXT;
    if (!full()) return;
    const farthest = [...this.held.keys()].sort((a, b) => Math.abs(b - at) - Math.abs(a - at));
    for (const step of farthest) {
      if (!full()) return;
      if (!this.held.get(step).lasting) this.drop(step);
    }
  }

  drop(step) {
    this.text -= this.held.get(step)?.text ?? 0;
    this.held.delete(step);
  }

  holds(step) {
    return this.held.has(step);
  }

  /** Return the step itself if it is held, otherwise the nearest held one. */
  nearest(step) {
    if (this.holds(step)) return step;
    let best = 0;
    let least = Infinity;
    for (const other of this.held.keys()) {
      const far = Math.abs(other - step);
      if (far < least || (far === least && other < best)) [best, least] = [other, far];
    }
    return best;
  }

  /**
   * Return where the curves of a view over the steps are at a step. At the last step all of it is known, also where
   * the lab has gone back to an earlier place.
   * @param {number} view @param {number} step
   */
  placeIn(view, step) {
    const number = this.number(step);
    const { at } = this.views[view];
    if (at && number - this.first === at.length - 1) return Math.max(...at);
    return at?.[number - this.first] ?? number;
  }

  /** Return the number of the step in the whole run, as its lab counts. @param {number} step */
  number(step) {
    return this.first + (this.numbers ? this.numbers[step] : step);
  }

  /** Name a step: "round 7". @param {number} step */
  called(step) {
    return `${this.unit} ${this.number(step)}`;
  }

  /** Return the caption of a held step. */
  caption(step) {
    return this.held.get(step)?.frame.caption ?? "";
  }

  /** Return the end of a held step's caption that waits for an answer, or "". @param {number} step */
  answer(step) {
    return this.held.get(step)?.frame.answer ?? "";
  }

  /** Return the question about the step after a held one, or null. */
  question(step) {
    return this.held.get(step)?.frame.question ?? null;
  }

  /**
   * Return the figure of a view at a held step; the very same object on every call.
   * @returns {import("./protocol.js").Figure}
   */
  figure(view, step) {
    const { first } = this.views[view];
    const patch = this.held.get(step)?.frame.views[view] ?? {};
    if (this.figures[view]?.patch !== patch) {
      this.figures[view] = { patch, figure: patched(first, patch) };
    }
    return this.figures[view].figure;
  }

  /** Return the index of the first event at or after a step, in `steps` and `kinds`. */
  eventFrom(step) {
    let low = 0;
    let high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle] < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Return the event of a step, or null. */
  event(step) {
    const place = this.eventFrom(step);
    if (this.steps[place] !== step) return null;
    const name = this.names[this.kinds[place]];
    return name === STOPPED ? "stopped at the limit of steps" : name;
  }

  /**
   * Return the nearest step with an event before (-1) or after (1) a step; the step itself if there
   * is none.
   */
  eventStep(step, direction) {
    const place = direction > 0 ? this.eventFrom(step + 1) : this.eventFrom(step) - 1;
    return this.steps[place] ?? step;
  }
}
