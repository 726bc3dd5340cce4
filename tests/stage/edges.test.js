import assert from "node:assert/strict";
import test from "node:test";

import { edgePaths } from "../../pages/_shared/stage/edges.js";

const nothing = () => 0;

test("lines of one width are one path", () => {
  const ends = [0, 0, 10, 0, 0, 5, 10, 5, 1, 1, 2, 2];
  const { lines, heads } = edgePaths(ends, [2, 2.1, 1], false, nothing);
  assert.deepEqual([...lines.keys()], [2, 1]);
  assert.equal(lines.get(2), "M0.0,0.0L10.0,0.0M0.0,5.0L10.0,5.0");
  assert.equal(heads, "");
});

test("what has no place or no width is left out", () => {
  const ends = [0, 0, NaN, 0, 0, 0, 9, 9];
  assert.equal(edgePaths(ends, [1, 0], true, nothing).lines.size, 0);
});

test("an edge that has no length keeps its place among the others, and is not seen", () => {
  const ends = [3, 3, 3, 3, 0, 0, 9, 9];
  assert.equal(edgePaths(ends, [1, 1], false, nothing).lines.get(1), "M3.0,3.0L3.0,3.0M0.0,0.0L9.0,9.0");
  const { heads } = edgePaths(ends.slice(0, 4), [1], true, () => 6);
  assert.equal(heads, "M3.0,3.0L3.0,3.0L3.0,3.0Z");
});

test("an arrow's tip is at its end, or at the rim of what is there", () => {
  const tip = (rim) => edgePaths([0, 0, 100, 0], [1], true, rim).heads.match(/^M([\d.]+),/)[1];
  assert.equal(tip(nothing), "100.0");
  assert.equal(tip((x, y) => (x === 100 && y === 0 ? 8 : 0)), "92.0");
});

test("a short arrow has a small head and does not turn round", () => {
  const { lines, heads } = edgePaths([0, 0, 4, 0], [1], true, () => 6);
  assert.equal(lines.get(1), "M0.0,0.0L0.0,0.0");
  assert.equal(heads, "M0.0,0.0L0.0,0.0L0.0,0.0Z");
});
