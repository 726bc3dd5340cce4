// Tracks: grips whose places are steps. Dragging one goes to the step whose place is nearest to the
// pointer. This needs no answer from Python.

import { Grips } from "./grips.js";
import { unpack } from "./packing.js";

const BIG_STEP = 5; // steps that a key with Shift moves by

/**
 * Return the step with the place nearest to a pixel; of equally near ones, the step nearest to
 * `at`.
 * @param {ArrayLike<number>} places (steps * handles * 2) data
 * @param {number} handles
 * @param {string} along the directions that count: "xy", "x" or "y"
 * @param {number[]} pixel
 * @param {(place: number[]) => number[]} toPixel
 * @param {number} at
 */
export function nearestStep(places, handles, along, pixel, toPixel, at) {
  let best = at;
  let least = Infinity;
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = toPixel([places[i], places[i + 1]]);
    const dx = along.includes("x") ? x - pixel[0] : 0;
    const dy = along.includes("y") ? y - pixel[1] : 0;
    const far = dx * dx + dy * dy;
    const step = Math.floor(i / (2 * handles));
    const nearer = far < least || (far === least && Math.abs(step - at) < Math.abs(best - at));
    if (nearer) [best, least] = [step, far];
  }
  return best;
}

export class TrackGrips extends Grips {
  /**
   * @param {HTMLElement} container
   * @param {import("./plot.js").Plot} plot
   * @param {import("./player.js").Player} player
   */
  constructor(container, plot, player) {
    super(container, plot);
    this.player = player;
    /** @type {import("./protocol.js").Track} */
    this.track; // set while the view has a track
    this.at = 0; // the step that the user is at
    this.end = 0;
  }

  /**
   * @param {import("./protocol.js").Track | null} track
   * @param {number} at
   */
  show(track, at) {
    this.track = track;
    this.at = at;
    if (!track) return this.setPlaces([], "xy");
    const { handles, along } = track;
    const all = unpack(track.places);
    const from = 2 * handles * at;
    const pair = (_, i) => [all[from + 2 * i], all[from + 2 * i + 1]];
    this.end = all.length / (2 * handles) - 1;
    this.setPlaces(Array.from({ length: handles }, pair), along);
  }

  look(node, i) {
    node.classList.add("grip");
    const which = this.places.length > 1 ? `, handle ${i + 1}` : "";
    const state = {
      role: "slider",
      "aria-label": this.track.label + which,
      "aria-valuemin": 0,
      "aria-valuemax": this.end,
      "aria-valuenow": this.at,
      "aria-valuetext": `${this.at + 1} of ${this.end + 1}`,
    };
    for (const [name, value] of Object.entries(state)) node.setAttribute(name, value);
  }

  taken() {
    this.player.hold("dragging");
  }

  letGo() {
    this.player.hold(null);
  }

  put(_, { u, v }) {
    const { width, height } = this.plot.area();
    const pixel = [u * width, (1 - v) * height];
    const { handles, along, places } = this.track;
    const toPixel = (place) => this.plot.toPixel(place);
    const step = nearestStep(unpack(places), handles, along, pixel, toPixel, this.at);
    if (step !== this.at) this.player.goByHand(step);
  }

  key(_, { key, shiftKey }) {
    const step = shiftKey ? BIG_STEP : 1;
    const { at } = this.player; // may be drawn only later
    const to = {
      ArrowLeft: at - step,
      ArrowDown: at - step,
      ArrowRight: at + step,
      ArrowUp: at + step,
      Home: 0,
      End: this.end,
    }[key];
    if (to === undefined) return false;
    this.player.goByHand(to);
    return true;
  }
}
