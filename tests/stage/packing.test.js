import assert from "node:assert/strict";
import test from "node:test";

import { merged, patched, unpack } from "../../pages/_shared/stage/packing.js";
import { packed } from "./made.js";

test("arrays of all kinds are read", () => {
  assert.deepEqual([...unpack(packed("f8", [0.1, -2, NaN]))], [0.1, -2, NaN]);
  assert.deepEqual([...unpack(packed("f4", [0.5, -2]))], [0.5, -2]);
  assert.deepEqual([...unpack(packed("i4", [-1, 70000]))], [-1, 70000]);
  assert.deepEqual([...unpack(packed("u1", [0, 255]))], [0, 255]);
  assert.equal(unpack({ dtype: "f8", bdata: "" }).length, 0);
  assert.equal(unpack(undefined).length, 0);
});

test("an array is read once", () => {
  const array = packed("u1", [1, 2]);
  assert.equal(unpack(array), unpack(array));
});

test("a patch changes attributes at any depth and leaves the base alone", () => {
  const base = { a: { b: 1, c: [1, 2] }, d: { dtype: "u1", bdata: "AA==" }, e: null, f: 1 };
  const before = structuredClone(base);
  const patch = { a: { c: [3] }, d: { dtype: "f4", bdata: "" }, e: { g: 1 }, f: 0 };
  assert.deepEqual(merged(base, patch), {
    a: { b: 1, c: [3] },
    d: { dtype: "f4", bdata: "" },
    e: { g: 1 },
    f: 0,
  });
  assert.deepEqual(base, before);
});

test("a figure without differences is the very same object, and so are its parts", () => {
  const first = {
    data: [{ x: [1] }, { x: [2], line: { width: 1 } }],
    layout: { title: "t" },
    points: { x: { dtype: "u1", bdata: "" }, group: { dtype: "u1", bdata: "AA==" } },
  };
  assert.equal(patched(first, {}), first);
  const points = patched(first, { points: { group: { dtype: "u1", bdata: "AQ==" } } });
  assert.equal(points.data, first.data);
  assert.equal(points.layout, first.layout);
  assert.equal(points.points.x, first.points.x);
  assert.equal(points.points.group.bdata, "AQ==");
  const line = patched(first, { data: { 1: { line: { width: 3 } } } });
  assert.equal(line.data[0], first.data[0]);
  assert.deepEqual(line.data[1], { x: [2], line: { width: 3 } });
});
