import assert from "node:assert/strict";
import test from "node:test";

import { acrossAxis, downAxis, toShare } from "../../pages/_shared/stage/axes.js";
import { nearestStep } from "../../pages/_shared/stage/tracks.js";

const same = (place) => place;

test("the step whose place is nearest, of any of its handles", () => {
  const places = [0, 0, 9, 9, 1, 0, 8, 9, 2, 0, 7, 9]; // three steps of two handles
  assert.equal(nearestStep(places, 2, "xy", [1.9, 0.2], same, 0), 2);
  assert.equal(nearestStep(places, 2, "xy", [8.2, 8.5], same, 0), 1);
});

test("only the directions that count", () => {
  const places = [0, 0, 5, 1, 0.1, 2];
  assert.equal(nearestStep(places, 1, "y", [0, 1.1], same, 0), 1);
  assert.equal(nearestStep(places, 1, "x", [0.1, 0], same, 0), 2);
});

test("of equally near places that of the step nearest to the one shown", () => {
  const places = [0, 0, 1, 0, 2, 0, 1, 0, 0, 0]; // there and back
  assert.equal(nearestStep(places, 1, "xy", [0, 0], same, 4), 4);
  assert.equal(nearestStep(places, 1, "xy", [0, 0], same, 1), 0);
  assert.equal(nearestStep(places, 1, "xy", [1, 0], same, 3), 3);
});

test("distances are the screen's, on logarithmic axes too; what is not on them is passed", () => {
  const x = { type: "log", range: [0, 4], _length: 400 };
  const y = { type: "linear", range: [0, 1], _length: 100 };
  const toPixel = ([px, py]) => [acrossAxis(x, toShare(x, px)), downAxis(y, toShare(y, py))];
  const places = [1, 0.5, 0, 0.5, 100, 0.5, 10000, 0.5];
  assert.equal(nearestStep(places, 1, "xy", [290, 50], toPixel, 0), 2);
  assert.equal(nearestStep(places, 1, "xy", [310, 50], toPixel, 0), 3);
});
