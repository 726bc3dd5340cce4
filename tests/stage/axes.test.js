import assert from "node:assert/strict";
import test from "node:test";

import {
  acrossAxis, downAxis, fromShare, inside, isInside, scaled, shifted, toShare, within,
} from "../../pages/_shared/stage/axes.js";

const linear = { type: "linear", range: [-1, 3], _offset: 50, _length: 400 };
const log = { type: "log", range: [0, 3], _offset: 50, _length: 300 };
const falling = { type: "log", range: [2, -1], _offset: 0, _length: 100 };

test("values and shares on linear, logarithmic and falling axes", () => {
  assert.equal(toShare(linear, 1), 0.5);
  assert.equal(fromShare(linear, 0.25), 0);
  assert.equal(toShare(log, 10), 1 / 3);
  assert.equal(Math.abs(toShare(falling, 100)), 0);
  assert.equal(toShare(falling, 0.1), 1);
  for (const axis of [linear, log, falling]) {
    for (const share of [0, 0.3, 1, 1.4]) {
      assert.ok(Math.abs(toShare(axis, fromShare(axis, share)) - share) < 1e-12);
    }
  }
});

test("what is not on a logarithmic axis has no share", () => {
  assert.ok(Number.isNaN(toShare(log, 0)));
  assert.ok(Number.isNaN(toShare(log, -5)));
  assert.ok(Number.isNaN(toShare(linear, NaN)));
});

test("pixels go right and down", () => {
  assert.equal(acrossAxis(linear, 0.25), 100);
  assert.equal(downAxis(linear, 0.25), 300);
});

test("shares inside of the plot", () => {
  assert.deepEqual([-0.2, 0.4, 1.7].map(inside), [0, 0.4, 1]);
  assert.ok(isInside(0, 1));
  assert.ok(!isInside(0.5, 1.01));
  assert.ok(!isInside(NaN, 0.5));
});

test("a zoom stays within the plane, and is none when it is all of it", () => {
  const all = { x: [0, 10], y: [-5, 5] };
  const closer = { x: scaled(all.x, 0.5), y: scaled(all.y, 0.5) };
  assert.deepEqual(scaled([0, 10], 0.5, 0.8), [4, 9]); // 8 stays at its share of 0.8
  assert.deepEqual(within(closer, all), { x: [2.5, 7.5], y: [-2.5, 2.5] });
  const aside = { x: shifted(closer.x, -2), y: shifted(closer.y, 2) };
  assert.deepEqual(within(aside, all), { x: [5, 10], y: [-5, 0] });
  assert.equal(within({ x: scaled(closer.x, 3), y: scaled(closer.y, 3) }, all), null);
});
