// Decides which frames to request. The step the user is at comes first. Then come either the steps
// that follow it, or the steps of the whole run from coarse to fine.

import { MOST_WANTED } from "./protocol.js";

/**
 * @typedef {object} Intent
 * @property {number} at the step that is wanted
 * @property {(step: number) => number} [next] the step that will follow a step; itself at the end
 * @property {number} [few] request more when fewer than this many of the following steps are held
 * @property {number} [many] how many to request then
 * @property {number} [levels] cut the whole run into 2 ** levels parts
 * @property {number} [bite] how many of these steps to request at once
 */

/**
 * Return the steps to request now, the most wanted first.
 * @param {import("./run.js").Run} run
 * @param {Intent} intent
 * @returns {number[]}
 */
export function framesWanted(run, intent) {
  const wanted = [intent.at];
  if (intent.next) wanted.push(...following(run, intent));
  if (intent.levels) wanted.push(...spread(run, intent));
  const missing = wanted.filter((step) => !run.holds(step));
  return [...new Set(missing)].slice(0, MOST_WANTED);
}

/**
 * Return the steps that follow, if few of them are held.
 * @param {import("./run.js").Run} run
 * @param {Intent} intent
 */
function following(run, { at, next, few, many }) {
  const path = [];
  let last = at;
  while (path.length < many && next(last) !== last) path.push((last = next(last)));
  return path.slice(0, few).every((step) => run.holds(step)) ? [] : path;
}

/**
 * Return some of the missing steps: the coarsest level first, and within a level the nearest first.
 * @param {import("./run.js").Run} run
 * @param {Intent} intent
 */
function spread(run, { at, levels, bite }) {
  const found = new Set();
  for (let level = 0; level <= levels && found.size < bite; level++) {
    const missing = ofLevel(run.total, level).filter((step) => !run.holds(step));
    missing.sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
    missing.forEach((step) => found.add(step));
    if (2 ** level >= run.total) break; // the finest level was the last
  }
  return [...found].slice(0, Math.max(0, Math.min(bite, run.room)));
}

/** Return the steps that cut a run into 2 ** level parts. */
export function ofLevel(total, level) {
  const parts = Math.min(2 ** level, Math.max(1, total - 1));
  const steps = Array.from({ length: parts + 1 }, (_, i) => Math.round(((total - 1) * i) / parts));
  return [...new Set(steps)];
}

/**
 * Return how many steps to request ahead while playing, so that an answer arrives before the held
 * frames are played.
 * @param {number} latency milliseconds until an answer
 * @param {number} wait milliseconds between two frames
 */
export function lead(latency, wait) {
  const few = Math.ceil(Math.min(40, Math.max(10, (1.5 * latency) / wait)));
  return { few, many: Math.min(MOST_WANTED, 2 * few) };
}
