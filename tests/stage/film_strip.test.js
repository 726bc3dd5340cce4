import assert from "node:assert/strict";
import test from "node:test";

import { stripSteps } from "../../pages/_shared/stage/film_strip.js";

test("a short run is shown whole, a long one by its events and evenly between them", () => {
  assert.deepEqual(stripSteps(1, []), [0]);
  assert.deepEqual(stripSteps(4, [3]), [0, 1, 2, 3]);
  assert.deepEqual(stripSteps(101, [10, 100]), [0, 10, 32, 55, 77, 100]);
});

test("of many events some are left out, never the first step or the last", () => {
  const steps = stripSteps(1000, Array.from({ length: 999 }, (_, i) => i + 1));
  assert.equal(steps.length, 12);
  assert.deepEqual([steps[0], steps[11]], [0, 999]);
});
