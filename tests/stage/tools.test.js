import assert from "node:assert/strict";
import test from "node:test";

import { described } from "../../pages/_shared/stage/tips.js";
import { scattered } from "../../pages/_shared/stage/tools.js";

test("a spray scatters as a Gaussian does, with the same spread in both directions", () => {
  const shares = Array.from({ length: 200 }, (_, i) => (i + 0.5) / 200);
  const places = shares.flatMap((turn) => shares.map((far) => scattered([3, -1], 2, turn, far)));
  for (const [axis, middle] of [[0, 3], [1, -1]]) {
    const offsets = places.map((place) => place[axis] - middle);
    const mean = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length;
    const variance = offsets.reduce((sum, offset) => sum + offset ** 2, 0) / offsets.length;
    assert.ok(Math.abs(mean) < 1e-9);
    assert.ok(Math.abs(variance - 4) < 0.05, `${variance}`);
  }
});

test("a point tells its class and where it is", () => {
  const point = { x: 1.23456, y: -2, label: 1 };
  const told = described(point, ["cat", "dog"], ["height", "weight"]);
  assert.equal(told, "dog: height 1.235, weight -2");
  assert.equal(described(point, null, ["x", "y"]), "x 1.235, y -2");
});
