import assert from "node:assert/strict";
import test from "node:test";

import { openViews, opensLarge, toggled } from "../../pages/_shared/stage/beside.js";

test("as many views are open as have room, the first ones first, and one at least", () => {
  assert.deepEqual(openViews(null, [1, 1, 1], 534), [0, 1]);
  assert.deepEqual(openViews(null, [1, 1], 380), [0, 1]);
  assert.deepEqual(openViews(null, [1, 1, 1], 380), [0], "the title of the third takes room");
  assert.deepEqual(openViews(null, [1.3, 1], 420), [0], "the first one takes more");
  assert.deepEqual(openViews(null, [0.6, 1, 0.6], 420), [0, 1, 2]);
  assert.deepEqual(openViews(null, [2, 1], 100), [0]);
  assert.deepEqual(openViews(null, [], 534), []);
});

test("a view that is opened takes the place of the one opened longest ago", () => {
  const shares = [1, 1, 1];
  assert.deepEqual(openViews(toggled([0, 1], 2), shares, 534), [1, 2]);
  assert.deepEqual(openViews(toggled([1, 2], 0), shares, 534), [2, 0]);
  assert.deepEqual(openViews(toggled([0, 1], 2), [1, 1, 2], 534), [2], "it takes two places");
  assert.deepEqual(openViews([0, 5], shares, 534), [0]); // a scene with fewer views
});

test("an open view closes, but not the last one", () => {
  assert.deepEqual(toggled([0, 1], 0), [1]);
  assert.deepEqual(toggled([1], 1), [1]);
});

test("the picture has the big place unless a view takes it", () => {
  assert.equal(opensLarge([{ large: false }, {}]), null);
  assert.equal(opensLarge([{ large: false }, { large: true }]), 1);
});
