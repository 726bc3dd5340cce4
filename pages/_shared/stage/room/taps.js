// Everybody's taps as dots on the picture, once the votes are shown, and in words.

import { Grips } from "../grips.js";

/** @typedef {import("./tally.js").Votes} Votes */
/** @typedef {{at: number[], count: number}} Tap a place in shares of the axes, and how many phones gave it */

/**
 * Return where the phones have tapped, each counted with its last answer; none if they answered otherwise.
 * @param {Votes[]} tally
 * @returns {Tap[]}
 */
export function tapsOf(tally) {
  return tally.flatMap(([first, second, count]) => {
    const at = second ?? first;
    return Array.isArray(at) ? [{ at, count }] : [];
  });
}

/** Return the middle of the taps, along each axis. @param {Tap[]} taps */
export function medianOf(taps) {
  return [0, 1].map((axis) => {
    const all = taps.flatMap(({ at, count }) => Array(count).fill(at[axis])).sort((a, b) => a - b);
    const half = all.length / 2;
    return (all[Math.ceil(half) - 1] + all[Math.floor(half)]) / 2;
  });
}

/** Return the tap that is nearest to a place. @param {Tap[]} taps @param {number[]} place */
export function nearestOf(taps, place) {
  return taps.reduce((best, tap) => (apart(tap.at, place) < apart(best.at, place) ? tap : best));
}

/** @param {number[]} one @param {number[]} other */
const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

/**
 * Say how many taps there are, and how far from the right place.
 * @param {Tap[]} taps
 * @param {number[]} [right] unknown as long as the answer is not shown
 */
export function tapsInWords(taps, right) {
  const all = taps.reduce((sum, { count }) => sum + count, 0);
  const said = `${all} ${all === 1 ? "tap" : "taps"} on the picture; the diamond is their median`;
  if (!right) return `${said}.`;
  const share = (/** @type {number[]} */ place) => `${Math.round(100 * apart(place, right))} %`;
  return `${said}, ${share(medianOf(taps))} of the picture's side from the right place. The nearest tap, with a thick rim, is ${share(nearestOf(taps, right).at)} away.`;
}

export class TapDots extends Grips {
  /** @type {string[]} */
  looks = []; // their classes

  /**
   * @param {Tap[]} taps
   * @param {number[]} [right] where the answer is, once it is shown
   */
  show(taps, right) {
    const marked = taps.length ? [medianOf(taps), ...(right ? [nearestOf(taps, right).at] : [])] : [];
    this.looks = [...taps.map(() => "tap"), "tap median", "tap nearest"];
    const all = [...taps.map(({ at }) => at), ...marked];
    this.setPlaces(this.plot.ready ? all.map(([u, v]) => this.plot.toData({ u, v })) : [], "xy");
  }

  create() {
    const node = document.createElement("i");
    node.setAttribute("aria-hidden", "true");
    return this.container.appendChild(node);
  }

  /** @param {HTMLElement} node @param {number} i */
  look(node, i) {
    node.className = this.looks[i];
  }
}
