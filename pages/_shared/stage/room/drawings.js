// Everybody's drawings over each other on the picture, once they are shown: all of them faint, the best
// one and the median one on top, and at the end the algorithm's.

import { acrossAxis, downAxis, toShare } from "../axes.js";
import { part } from "./bars.js";
import { drawnShape, emptySheet, looks } from "./shapes.js";
import { inDigits } from "./tally.js";

/** @typedef {import("./tally.js").Votes} Votes */
/** @typedef {{places: number[][], count: number}} Drawn a drawing in shares of the sheet, and how many phones gave it */
/** @typedef {{places: number[][], cost: number}} Judged */

/** Return the drawings of a tally: of every phone the last one. @param {Votes[]} tally @returns {Drawn[]} */
export function drawingsOf(tally) {
  return tally.flatMap(([first, second, count]) => {
    const places = /** @type {any} */ (second ?? first);
    return Array.isArray(places) ? [{ places, count }] : [];
  });
}

/** Turn shares of a sheet into data. @param {number[][]} places @param {number[]} axes the sheet's */
export const inData = (places, [left, right, bottom, top]) =>
  places.map(([u, v]) => [left + u * (right - left), bottom + v * (top - bottom)]);

/** Turn data into shares of a sheet. @param {number[][]} places @param {number[]} axes the sheet's */
export const inShares = (places, [left, right, bottom, top]) =>
  places.map(([x, y]) => [(x - left) / (right - left), (y - bottom) / (top - bottom)]);

/**
 * Return the drawing with the least cost and the one in the middle, each phone counted; null without a drawing that has a cost.
 * @param {Drawn[]} drawings
 * @param {(number | null)[]} costs
 * @returns {{best: Judged, median: Judged, all: number} | null}
 */
export function standOut(drawings, costs) {
  const known = drawings.flatMap(({ places, count }, i) => {
    const cost = costs[i];
    return cost === null || cost === undefined ? [] : Array(count).fill({ places, cost });
  });
  known.sort((one, other) => one.cost - other.cost);
  return known.length ? { best: known[0], median: known[Math.ceil(known.length / 2) - 1], all: known.length } : null;
}

/**
 * Say what the drawings cost; the algorithm's only once it is revealed.
 * @param {{shape: import("./shapes.js").Shape, measure: string}} sheet
 * @param {ReturnType<typeof standOut>} found
 * @param {number | null} [least]
 */
export function drawingsInWords({ shape, measure }, found, least) {
  const [best, median, algorithms] = looks(shape);
  const unsaid = found ? [] : ["no drawing has a cost"];
  const said = found ? [`${best}: the best of the room, ${inDigits(found.best.cost)}`, `${median}: the median one of ${found.all}, ${inDigits(found.median.cost)}`] : unsaid;
  const own = typeof least === "number" ? [`${algorithms}: the algorithm's, ${inDigits(least)}`] : [];
  return `${measure.charAt(0).toUpperCase()}${measure.slice(1)}: ${[...said, ...own].join("; ")}.`;
}

export class Drawings {
  /** @param {HTMLElement} container what the plot fills @param {import("../plot.js").Plot} plot */
  constructor(container, plot) {
    this.plot = plot;
    this.window = part("div", "drawings"); // the axes: what is beyond them is cut off
    this.window.hidden = true;
    this.svg = this.window.appendChild(emptySheet());
    /** @type {number[] | null} */
    this.axes = null;
    container.append(this.window);
  }

  /**
   * @param {any} sheet
   * @param {Drawn[]} drawings
   * @param {ReturnType<typeof standOut>} [found]
   * @param {number[][]} [best] the algorithm's, in shares of the sheet
   */
  show({ shape, axes }, drawings, found, best) {
    this.axes = axes;
    const drawn = (/** @type {number[][]} */ places, /** @type {string} */ look) => drawnShape(shape, places, look, axes);
    const marked = found ? [drawn(found.median.places, "median"), drawn(found.best.places, "nearest")] : [];
    this.svg.replaceChildren(...drawings.map(({ places }) => drawn(places, "faint")), ...marked, ...(best ? [drawn(best, "algorithms")] : []));
    this.window.hidden = false;
    this.draw();
  }

  /** Put the sheet over the axes, also when the picture is zoomed. */
  draw() {
    if (!this.axes || this.window.hidden || !this.plot.ready) return;
    const { x, y } = this.plot.axes;
    const [left, right, bottom, top] = this.axes;
    const [from, to] = [left, right].map((value) => acrossAxis(x, toShare(x, value)));
    const [low, high] = [bottom, top].map((value) => downAxis(y, toShare(y, value)));
    Object.assign(this.window.style, { left: `${x._offset}px`, top: `${y._offset}px`, width: `${x._length}px`, height: `${y._length}px` });
    Object.assign(this.svg.style, { left: `${from}px`, top: `${high}px`, width: `${to - from}px`, height: `${low - high}px` });
  }

  hide() {
    this.axes = null;
    this.window.hidden = true;
    this.svg.replaceChildren();
  }
}
