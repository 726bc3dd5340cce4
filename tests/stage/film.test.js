import assert from "node:assert/strict";
import test from "node:test";

import { Film, filmed } from "../../pages/_shared/stage/film.js";
import { Run } from "../../pages/_shared/stage/run.js";
import { frames, opening } from "./made.js";

const run = (total, events = {}) => new Run(opening(total, [0], events));
const steps = (film) => film.map(({ step }) => step);
const length = (film) => film.slice(0, -1).reduce((sum, { wait }) => sum + wait, 0);

test("a short run is shown step by step, as long as in the player, and rests at its end", () => {
  const film = filmed(run(5), 1);
  assert.deepEqual(steps(film), [0, 1, 2, 3, 4]);
  assert.deepEqual(film.map(({ wait }) => wait), [1500, 1500, 1500, 1500, 2000]);
  assert.equal(length(filmed(run(5), 2)), length(film) / 2);
});

test("a long run is shown in strides that take as long as the player, and has its last step", () => {
  const film = filmed(run(10_000), 1);
  assert.ok(film.length <= 150);
  assert.equal(film.at(-1).step, 9999);
  assert.ok(Math.abs(length(film) - 12_000) < 400);
  const slow = filmed(run(10_000), 0.25);
  assert.ok(slow.length <= 150 && length(slow) > 40_000);
  assert.deepEqual(steps(filmed(run(1), 1)), [0]);
});

test("events are not skipped where there are few", () => {
  assert.ok(steps(filmed(run(3000, { 1001: "converged" }), 1)).includes(1001));
});

test("a step is drawn before the film goes on, and another run ends it", async () => {
  const shown = [];
  const player = { run: run(3), go: async (step) => shown.push(step) };
  const film = new Film(player);
  setTimeout(() => player.run.add(frames([1]), 100, 0), 50);
  assert.equal(await film.show(1), true);
  assert.deepEqual(shown, [1, 1]);
  setTimeout(() => (player.run = run(3)), 50);
  assert.equal(await film.show(2), false);
});
