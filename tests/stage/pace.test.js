import assert from "node:assert/strict";
import test from "node:test";

import { nextStep, pace, ticks } from "../../pages/_shared/stage/pace.js";
import { Run } from "../../pages/_shared/stage/run.js";
import { opening } from "./made.js";

function played(run, stride, from = 0) {
  const path = [from];
  while (path.at(-1) < run.end) path.push(nextStep(run, path.at(-1), stride));
  return path;
}

test("short runs go slowly, long ones take twelve seconds", () => {
  assert.deepEqual(pace(5, 1), { stride: 1, wait: 1500 });
  assert.deepEqual(pace(8, 1), { stride: 1, wait: 1500 });
  assert.deepEqual(pace(10, 1), { stride: 1, wait: 1200 });
  assert.deepEqual(pace(100, 1), { stride: 1, wait: 120 });
  assert.deepEqual(pace(300, 1), { stride: 1, wait: 40 });
  for (const total of [301, 500, 1000, 20000]) {
    const { stride, wait } = pace(total, 1);
    assert.equal(stride, Math.ceil(total / 300));
    assert.ok(wait >= 40);
    assert.ok(Math.abs((total / stride) * wait - 12000) < 1);
  }
});

test("at a lower speed the strides shrink before the frames get slower", () => {
  assert.equal(pace(1200, 1).stride, 4);
  assert.deepEqual(pace(1200, 0.25), { stride: 1, wait: 40 });
  assert.deepEqual(pace(5, 0.25), { stride: 1, wait: 6000 });
});

test("at a higher speed the whole run takes less, but no frame less than the eye needs", () => {
  for (const total of [20, 300, 5000]) {
    const slow = pace(total, 1);
    const fast = pace(total, 4);
    assert.ok(fast.wait >= 40);
    assert.ok(Math.abs((4 * fast.wait) / fast.stride - slow.wait / slow.stride) < 1e-9);
  }
});

test("at no speed does a surface that changes its colour flash more than three times a second", () => {
  for (const total of [20, 51, 108, 300, 2001, 20000]) {
    for (const speed of [0.25, 0.5, 1, 2, 4]) {
      const usual = pace(total, speed);
      const { stride, wait } = pace(total, speed, false, true);
      assert.ok(1000 / wait <= 6 + 1e-9); // changes a second; a flash is a pair of them
      assert.ok(Math.abs(wait / stride - usual.wait / usual.stride) < 1e-9); // a run takes as long
      assert.ok(1000 / pace(total, speed, true, true).wait <= 6 + 1e-9);
    }
  }
});

test("playing goes on by strides to the end, and stops at every event on its way", () => {
  const run = new Run(opening(100, [0], { 7: "e", 20: "e", 21: "f" }));
  assert.deepEqual(played(run, 10), [0, 7, 10, 20, 21, 30, 40, 50, 60, 70, 80, 90, 99]);
  assert.deepEqual(played(run, 10, 13).slice(0, 4), [13, 20, 21, 30]); // the same strides for all
  assert.deepEqual(played(run, 1).length, 100);
});

test("of very many events it does not stop at each", () => {
  const events = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [2 * i, "e"]));
  const run = new Run(opening(300, [0], events));
  assert.deepEqual(played(run, 100), [0, 100, 200, 299]);
});

test("ticks stand at their steps; those that would fall on each other are one", () => {
  const few = new Run(opening(101, [0], { 0: "start", 50: "turn", 100: "converged" }));
  assert.deepEqual(ticks(few), [
    { share: 0, title: "step 0: start" },
    { share: 0.5, title: "step 50: turn" },
    { share: 1, title: "step 100: converged" },
  ]);
  const events = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, "mistake"]));
  const many = ticks(new Run(opening(5000, [0], events)));
  assert.equal(many.length, 200);
  assert.match(many[0].title, /^step 0: mistake, and 12 more$/);
  const one = new Run(opening(1, [0], { 0: "done" }));
  assert.deepEqual(ticks(one), [{ share: 0, title: "step 0: done" }]);
});
