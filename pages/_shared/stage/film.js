// A run as a film: the steps that the player would show at its speed, each drawn before the next one.

import { nextStep, pace, stopsAt } from "./pace.js";

const MOST_FILMED = 150; // pictures
const AT_THE_END = 2000; // milliseconds
const LOOK_AGAIN = 30; // milliseconds until it is looked again whether a frame has come

/**
 * The steps of a film, and how long each is seen; of very many steps, some are left out.
 * @param {import("./run.js").Run} run
 * @param {number} speed 1 is the usual one
 * @returns {{step: number, wait: number}[]}
 */
export function filmed(run, speed) {
  const played = [];
  let time = 0;
  for (let step = 0; step < run.end; ) {
    const { stride, wait } = pace(run.total, step, speed, false, run.recolours);
    played.push({ step, time });
    time += wait;
    step = nextStep(run, step, stride);
  }
  let kept = played;
  for (let part = 2; kept.length >= MOST_FILMED; part *= 2)
    kept = played.filter(({ step }, i) => i % part === 0 || stopsAt(run, step));
  const ends = [...kept.slice(1).map((next) => next.time), time];
  const shown = kept.map(({ step, time }, i) => ({ step, wait: ends[i] - time }));
  return [...shown, { step: run.end, wait: AT_THE_END }];
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
