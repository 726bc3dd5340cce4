import assert from "node:assert/strict";
import test from "node:test";

import { Film, filmed } from "../../pages/_shared/stage/film.js";
import { nextStep, pace } from "../../pages/_shared/stage/pace.js";
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
  for (const total of [400, 10_000])
    for (const speed of [1, 0.25]) {
      const [film, long] = [filmed(run(total), speed), run(total)];
      assert.ok(film.length <= 150);
      assert.equal(film.at(-1).step, total - 1);
      let time = 0;
      for (let step = 0, next; step < long.end; step = next) {
        const { stride, wait } = pace(total, step, speed);
        next = nextStep(long, step, stride);
        time += wait;
      }
      assert.ok(Math.abs(length(film) - time) < 1e-6);
      assert.ok(Math.abs(speed * time - 12_000) < 1_500);
    }
  assert.deepEqual(steps(filmed(run(1), 1)), [0]);
});

test("events are not skipped where there are few", () => {
  const few = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [31 * i + 7, "converged"]));
  const film = steps(filmed(run(3000, few), 1));
  assert.ok(Object.keys(few).every((step) => film.includes(+step)));
  assert.ok(film.length <= 150);
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
