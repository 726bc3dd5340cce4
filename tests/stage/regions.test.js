import assert from "node:assert/strict";
import test from "node:test";

import { smoothed } from "../../pages/_shared/exports/regions.js";

const RED = [213, 94, 0, 90];
const BLUE = [0, 114, 178, 90];
const SIZE = 40;
const TIMES = 5;

// An image of SIZE x SIZE cells, each of the colour that `pick` gives.
function image(pick) {
  const data = new Uint8ClampedArray(4 * SIZE * SIZE);
  for (let i = 0; i < SIZE * SIZE; i++) data.set(pick(i % SIZE, Math.floor(i / SIZE)), 4 * i);
  return { width: SIZE, height: SIZE, data };
}

const at = (pixels, x, y) => [...pixels.subarray(4 * (y * TIMES * SIZE + x), 4 * (y * TIMES * SIZE + x) + 4)];

test("a slanting border has no stairs", () => {
  const slope = 0.4;
  const found = smoothed(image((x, y) => (y < slope * x + 10 ? RED : BLUE)), TIMES);
  for (let x = 5 * TIMES; x < 35 * TIMES; x++) {
    const column = Array.from({ length: SIZE * TIMES }, (_, y) => at(found, x, y)[0] === RED[0]);
    const border = column.lastIndexOf(true) / TIMES;
    assert.ok(Math.abs(border - (slope * (x / TIMES) + 10)) < 0.8, `${x}: ${border}`);
    assert.equal(column.indexOf(false), column.lastIndexOf(true) + 1, "one border only");
  }
});

test("the middle of every cell keeps its colour, also of a region of one cell", () => {
  const pick = (x, y) => ((x * 7 + y * 13) % 11 === 0 || (x > 20 && y > 20) ? RED : BLUE);
  const found = smoothed(image(pick), TIMES);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) assert.deepEqual(at(found, TIMES * x + 2, TIMES * y + 2), pick(x, y));
  }
});

test("many opacities of a colour go over into each other", () => {
  const found = smoothed(image((x) => [...BLUE.slice(0, 3), 5 * x]), TIMES);
  const row = Array.from({ length: SIZE * TIMES }, (_, x) => at(found, x, 50)[3]);
  assert.ok(row.every((opacity, i) => !i || (opacity >= row[i - 1] && opacity - row[i - 1] <= 2)));
});
