import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../pages/_shared/stage/packing.js";

test("ascending numbers are read from the gaps between them", () => {
  const gaps = (...bytes) => ({ dtype: "u1", bdata: btoa(String.fromCharCode(...bytes)), gaps: true });
  assert.deepEqual([...unpack(gaps(0, 1, 255, 0, 255, 255, 3))], [0, 1, 256, 769]);
  assert.deepEqual([...unpack(gaps())], []);
});
