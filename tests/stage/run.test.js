import assert from "node:assert/strict";
import test from "node:test";

import { ticks } from "../../pages/_shared/stage/pace.js";
import { Run } from "../../pages/_shared/stage/run.js";
import { frames, opening } from "./made.js";

test("the nearest held step: itself, or the earlier of two equally near ones", () => {
  const run = new Run(opening(100, [0, 10, 20, 99]));
  assert.deepEqual([0, 4, 5, 6, 15, 16, 60, 98].map((at) => run.nearest(at)), [
    0, 0, 0, 10, 10, 20, 99, 99,
  ]);
  run.add(frames([15]), 10, 15);
  assert.equal(run.nearest(15), 15);
});

test("a figure is that of step 0 with what differs, and the same object when asked again", () => {
  const run = new Run(opening(10, [0, 1, 9]));
  assert.deepEqual(run.figure(0, 9).layout, { now: 9 });
  assert.equal(run.figure(0, 9), run.figure(0, 9));
  assert.equal(run.figure(0, 0), run.views[0].first);
  assert.equal(run.caption(9), "step 9");
  assert.equal(run.caption(5), "");
});

test("events by step, before and after", () => {
  const run = new Run(opening(50, [0], { 3: "first", 10: "second", 49: "first" }));
  const names = [0, 3, 10, 49].map((step) => run.event(step));
  assert.deepEqual(names, [null, "first", "second", "first"]);
  assert.deepEqual([0, 3, 9, 10, 49].map((step) => run.eventStep(step, 1)), [3, 10, 10, 49, 49]);
  assert.deepEqual([0, 3, 4, 10, 49].map((step) => run.eventStep(step, -1)), [0, 3, 3, 3, 10]);
  const all = new Run(opening(3, [0], { 2: "stopped at max_iter" }));
  assert.equal(all.event(2), "stopped at the limit of steps");
  const plain = new Run(opening(5, [0]));
  assert.equal(plain.event(0), null);
  assert.equal(plain.eventStep(2, 1), 2);
  assert.equal(plain.eventStep(2, -1), 2);
});

test("the steps of a part of a run keep the numbers that they have in the whole", () => {
  const part = new Run({ ...opening(3, [0, 1, 2], { 2: "end" }), numbers: [0, 50, 100] });
  assert.deepEqual([0, 1, 2].map((step) => part.number(step)), [0, 50, 100]);
  assert.deepEqual(ticks(part), [{ share: 1, title: "step 100: end" }]);
  assert.equal(new Run(opening(3, [0])).number(2), 2);
});

test("an empty run has one step", () => {
  const run = new Run(opening(0, [0]));
  assert.equal(run.total, 1);
  assert.equal(run.end, 0);
});

test("of too many frames the farthest go, but not those of the opening", () => {
  const run = new Run(opening(10000, [0, 5000, 9999]));
  const near = Array.from({ length: 1000 }, (_, i) => i);
  run.add(frames(near), 1000, 500);
  run.add(frames(near.map((step) => 3000 + step)), 1000, 3500);
  assert.equal(run.held.size, 1500);
  assert.equal(run.room, 0);
  for (const step of [0, 5000, 9999, 3000, 3999, 999]) assert.ok(run.holds(step), `${step}`);
  assert.ok(!run.holds(1));
});

test("of too much text the farthest goes", () => {
  const run = new Run(opening(1000, [0, 999]));
  for (let i = 1; i <= 10; i++) run.add(frames([10 * i, 10 * i + 1]), 8e6, 10 * i);
  assert.ok(run.text <= 40e6);
  assert.ok(run.holds(101) && run.holds(100) && run.holds(0) && run.holds(999));
  assert.ok(!run.holds(10));
  const before = run.text;
  run.add(frames([100]), 8e6, 100); // is held already: counted once
  assert.equal(run.text, before);
});

test("a later opening of the same scene adds its frames", () => {
  const run = new Run(opening(100, [0, 99]));
  run.add(frames([40]), 100, 40);
  run.addOpening(opening(100, [0, 40, 99]));
  assert.ok(run.holds(40));
  assert.equal(run.text, 0); // now it is one that lasts
});

test("regions, filled shapes and dense lines recolour a picture; curves, bars and their areas do not", () => {
  const recolours = (trace) => {
    const made = opening(10, [0]);
    made.views[0].first.data = [{ type: "scatter" }, trace];
    return new Run(made).recolours;
  };
  for (const trace of [{ type: "image" }, { fill: "toself" }, { meta: "dense" }]) assert.ok(recolours(trace));
  for (const trace of [{ type: "bar" }, { fill: "tozeroy" }, { meta: "answer" }]) assert.ok(!recolours(trace));
});

test("the curves of a view are at the step's number, or where the view says", () => {
  const made = opening(3, [0]);
  const [view] = made.views;
  const run = new Run({ ...made, first: 1, views: [view, { ...view, at: [6, 12, 24] }] });
  assert.deepEqual([0, 2].map((step) => run.placeIn(0, step)), [1, 3]);
  assert.deepEqual([0, 2].map((step) => run.placeIn(1, step)), [6, 24]);
  const back = new Run({ ...made, views: [{ ...view, at: [6, 24, 12] }] }); // the last step goes back
  assert.deepEqual([0, 1, 2].map((step) => back.placeIn(0, step)), [6, 24, 24], "all is known at the end");
  const part = new Run({ ...made, first: 1, numbers: [0, 2], views: [{ ...view, at: [6, 12, 24] }] }); // an excerpt
  assert.equal(part.placeIn(0, 1), 24);
});
