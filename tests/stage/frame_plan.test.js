import assert from "node:assert/strict";
import test from "node:test";

import { Run } from "../../pages/_shared/stage/run.js";
import { lead, ofLevel, framesWanted } from "../../pages/_shared/stage/frame_plan.js";
import { frames, opening } from "./made.js";

const run = (total = 500, held = []) => new Run(opening(total, [0, 1, 2, total - 1, ...held]));
const upTo = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const forward = (end) => (step) => Math.min(end, step + 1);

test("nothing is asked for that is held", () => {
  assert.deepEqual(framesWanted(run(), { at: 2 }), []);
  assert.deepEqual(framesWanted(run(5, [3]), { at: 3, next: forward(4), few: 4, many: 8 }), []);
  assert.deepEqual(framesWanted(run(5, [3]), { at: 0, levels: Infinity, bite: 60 }), []);
});

test("the step the user is at comes first", () => {
  assert.deepEqual(framesWanted(run(), { at: 37 }), [37]);
  assert.equal(framesWanted(run(), { at: 37, next: forward(499), few: 4, many: 8 })[0], 37);
  assert.equal(framesWanted(run(), { at: 37, levels: 5, bite: 8 })[0], 37);
});

test("on a path as many as are wanted, and only when few are held", () => {
  const path = { next: forward(499), few: 4, many: 8 };
  assert.deepEqual(framesWanted(run(), { at: 2, ...path }), upTo(3, 10));
  assert.deepEqual(framesWanted(run(500, upTo(3, 6)), { at: 2, ...path }), []);
  assert.deepEqual(framesWanted(run(500, upTo(3, 6)), { at: 3, ...path }), upTo(7, 11));
  assert.deepEqual(framesWanted(run(), { at: 495, ...path }), [495, 496, 497, 498]); // up to the end
});

test("a scrubbed run is asked for coarse to fine, the nearest of one fineness first", () => {
  const held = run(401);
  const scrub = { at: 130, levels: 5, bite: 8 };
  const asked = [];
  for (let i = 0; i < 9; i++) {
    const wanted = framesWanted(held, scrub);
    assert.ok(wanted.length <= 9);
    asked.push(wanted);
    held.add(frames(wanted), 1, 130);
  }
  assert.deepEqual(asked[0], [130, 200, 100, 300, 150, 50, 250, 350, 125]);
  assert.deepEqual(asked.at(-1), []); // 33 evenly spaced ones are enough
  for (const step of ofLevel(401, 5)) assert.ok(held.holds(step));
});

test("all of a dragged run is asked for, in bites that may grow", () => {
  const held = run(500);
  const rounds = [];
  for (let wanted; (wanted = framesWanted(held, drag(held))).length; ) {
    assert.ok(wanted.length <= 60);
    assert.equal(new Set(wanted).size, wanted.length);
    rounds.push(wanted.length);
    held.add(frames(wanted), 1, 250);
  }
  assert.equal(held.held.size, 500);
  assert.deepEqual(rounds.slice(0, 3), [20, 24, 48]);

  function drag({ held: { size } }) {
    return { at: 250, levels: Infinity, bite: Math.max(20, size) };
  }
});

test("what there is no room for is not asked for again and again", () => {
  const held = run(5000);
  let rounds = 0;
  const drag = { at: 2500, levels: Infinity, bite: 60 };
  for (let wanted; (wanted = framesWanted(held, drag)).length; rounds++) {
    held.add(frames(wanted), 1, 2500);
  }
  assert.ok(rounds < 60);
  assert.ok(held.held.size <= 1500);
});

test("the steps of a fineness are evenly spaced, each once, and finally all", () => {
  assert.deepEqual(ofLevel(101, 0), [0, 100]);
  assert.deepEqual(ofLevel(101, 2), [0, 25, 50, 75, 100]);
  assert.deepEqual(ofLevel(6, 20), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ofLevel(1, 3), [0]);
});

test("playing looks farther ahead the slower the answers are", () => {
  assert.deepEqual(lead(100, 40), { few: 10, many: 20 });
  assert.deepEqual(lead(600, 40), { few: 23, many: 46 });
  assert.deepEqual(lead(60000, 40), { few: 40, many: 60 });
});
