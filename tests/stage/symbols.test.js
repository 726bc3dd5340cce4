import assert from "node:assert/strict";
import test from "node:test";

import { lookOf, markPath, piePaths, symbolPath } from "../../pages/_shared/stage/symbols.js";

const theme = {
  palette: ["a", "b", "c", "d", "e", "f", "g", "h"],
  symbols: [0, 1, 2, 5, 6, 17, 3, 4],
};

test("no two of the first 64 groups look alike", () => {
  const looks = Array.from({ length: 64 }, (_, group) => JSON.stringify(lookOf(group, {}, theme)));
  assert.equal(new Set(looks).size, 64);
  assert.deepEqual(lookOf(8, {}, theme), { fill: "a", symbol: 1 });
});

test("a figure's own fills and symbols count", () => {
  const own = { fills: ["x", "y"], symbols: [4, 3] };
  assert.deepEqual(lookOf(1, own, theme), { fill: "y", symbol: 3 });
  assert.deepEqual(lookOf(1, { fills: ["x", "y"] }, theme), { fill: "y", symbol: 1 });
});

test("every symbol and mark has an outline of its own, larger for a larger radius", () => {
  const outlines = theme.symbols.map((symbol) => symbolPath(symbol, 5));
  assert.equal(new Set(outlines).size, 8);
  const marks = [100, 101, 128, 130, 134].map((symbol) => markPath(symbol, 5));
  assert.equal(new Set(marks).size, 5);
  for (const path of [...outlines, ...marks]) assert.match(path, /^M[-\d.,LAMZ ]+$/);
  const widest = (path) => Math.max(...path.match(/-?[\d.]+/g).map(Number));
  for (const symbol of theme.symbols) {
    assert.ok(widest(symbolPath(symbol, 10)) > widest(symbolPath(symbol, 5)));
  }
});

test("the slices of a pie go round once, and tiny ones are left out", () => {
  const slices = piePaths([100, 3, 0, 150], 10);
  assert.deepEqual(slices.map(([group]) => group), [0, 3]);
  assert.match(slices[0][1], /^M0,0L0,-10A10,10 0 0,1 /);
  assert.match(slices[1][1], /A10,10 0 1,1 -?0,-10Z$/); // more than half, and back at the top
  assert.deepEqual(piePaths([0, 0], 10), []);
});
