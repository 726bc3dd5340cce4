import assert from "node:assert/strict";
import test from "node:test";

import { resumed } from "../../pages/_shared/stage/player.js";

test("a lab that is opened for the first time begins, and nothing is said", () => {
  assert.deepEqual(resumed(undefined, "a", 10), { at: 0, another: false, atEnd: false });
});

test("the same run goes on where it was", () => {
  const before = { run: "a", at: 7, end: 10 };
  assert.deepEqual(resumed(before, "a", 10), { at: 7, another: false, atEnd: false });
  assert.equal(resumed({ ...before, at: 10 }, "a", 10).at, 10);
});

test("another run stands at the same step, or at its end", () => {
  const middle = resumed({ run: "a", at: 7, end: 10 }, "b", 20);
  assert.deepEqual(middle, { at: 7, another: true, atEnd: false });
  assert.equal(resumed({ run: "a", at: 7, end: 10 }, "b", 5).at, 5);
  const end = resumed({ run: "a", at: 10, end: 10 }, "b", 20);
  assert.deepEqual(end, { at: 20, another: true, atEnd: true });
});

test("a run of one step, such as one that failed, is not at its end", () => {
  assert.equal(resumed({ run: "a", at: 0, end: 0 }, "b", 20).at, 0);
});

test("after a run that failed the next one is at its last step if the one before was", () => {
  assert.equal(resumed({ run: "a", at: 9, end: 9 }, "b", 0).at, 0);
});
