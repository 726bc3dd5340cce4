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

// The pace at every step that is shown while a run of `total` steps is played.
function paces(total, speed, ...how) {
  const found = [];
  for (let step = 0; step < total; ) {
    found.push({ step, ...pace(total, step, speed, ...how) });
    step += found.at(-1).stride;
  }
  return found;
}
const time = (found) => found.reduce((sum, { wait }) => sum + wait, 0);

test("short runs go slowly and evenly", () => {
  for (const [total, wait] of [[5, 1500], [8, 1500], [10, 1200], [20, 600]])
    for (const each of paces(total, 1)) {
      assert.equal(each.stride, 1);
      assert.ok(Math.abs(each.wait - wait) < 1e-9);
    }
});

test("long runs begin slowly, gather speed, and take about twelve seconds", () => {
  for (const total of [21, 50, 100, 301, 1000, 20000]) {
    const found = paces(total, 1);
    assert.ok(Math.abs(found[0].wait - 600) < 1e-9);
    const rates = found.map(({ stride, wait }) => stride / wait);
    for (const [i, rate] of rates.slice(1).entries()) assert.ok(rate > rates[i]);
    for (const { stride, wait } of found) {
      assert.ok(wait >= 40 - 1e-9);
      assert.ok(Number.isInteger(Math.log2(stride)));
      assert.ok(stride === 1 || wait < 80 + 1e-9); // no longer strides than the eye needs
    }
    assert.ok(time(found) > 12000 && time(found) < 13500);
  }
});

test("at a lower speed the strides shrink before the frames get slower", () => {
  assert.equal(pace(600, 599, 1).stride, 4);
  const slow = pace(600, 599, 0.25);
  assert.ok(slow.stride === 1 && slow.wait < 45);
  assert.deepEqual(pace(5, 0, 0.25), { stride: 1, wait: 6000 });
});

test("at a higher speed the whole run takes less, but no frame less than the eye needs", () => {
  for (const total of [20, 300, 5000])
    for (const step of [0, 7, total - 1]) {
      const slow = pace(total, step, 1);
      const fast = pace(total, step, 4);
      assert.ok(fast.wait >= 40 - 1e-9);
      assert.ok(Math.abs((4 * fast.wait) / fast.stride - slow.wait / slow.stride) < 1e-9);
    }
});

test("at no speed does a surface that changes its colour flash more than three times a second", () => {
  for (const total of [20, 51, 108, 300, 2001, 20000])
    for (const speed of [0.25, 0.5, 1, 2, 4])
      for (const { step, stride, wait } of paces(total, speed, false, true)) {
        const usual = pace(total, step, speed);
        assert.ok(1000 / wait <= 6 + 1e-9); // changes a second; a flash is a pair of them
        assert.ok(Math.abs(wait / stride - usual.wait / usual.stride) < 1e-9); // a run takes as long
        assert.ok(1000 / pace(total, step, speed, true, true).wait <= 6 + 1e-9);
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
