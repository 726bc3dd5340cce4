// A run as a film: the steps that the player would show at its speed, each drawn before the next one.

import { nextStep, pace } from "./pace.js";

const MOST_FILMED = 150; // pictures
const AT_THE_END = 2000; // milliseconds
const LOOK_AGAIN = 30; // milliseconds until it is looked again whether a frame has come

/**
 * The steps of a film, and how long each is seen.
 * @param {import("./run.js").Run} run
 * @param {number} speed 1 is the usual one
 * @param {number} [most] pictures; a longer run is shown in longer strides
 * @returns {{step: number, wait: number}[]}
 */
export function filmed(run, speed, most = MOST_FILMED) {
  const { stride, wait } = pace(run.total, speed);
  const longer = Math.max(1, Math.ceil(run.end / stride / (most - 1)));
  const found = [{ step: 0, wait: wait * longer }];
  while (found[found.length - 1].step < run.end && found.length < most) {
    const step = nextStep(run, found[found.length - 1].step, stride * longer);
    found.push({ step, wait: wait * longer });
  }
  const last = found[found.length - 1];
  Object.assign(last, { step: run.end, wait: AT_THE_END });
  return found;
}

export class Film {
  /** @param {import("./player.js").Player} player */
  constructor(player) {
    this.player = player;
  }

  /** The steps at the player's speed. */
  get steps() {
    return filmed(this.player.run, +this.player.speed.value);
  }

  /** Be at a step, drawn; false if another run is shown meanwhile. @param {number} step */
  async show(step) {
    const { run } = this.player;
    this.player.go(step, "dragging"); // then all frames are asked for, and nothing glides
    while (!run.holds(step)) {
      await new Promise((later) => setTimeout(later, LOOK_AGAIN));
      if (this.player.run !== run) return false;
    }
    await this.player.go(step, "dragging");
    return this.player.run === run;
  }
}
