import assert from "node:assert/strict";
import test from "node:test";

import { mostOpen, openViews, opensLarge, toggled } from "../../pages/_shared/stage/beside.js";

test("as many views are open as can be read, one at least", () => {
  assert.equal(mostOpen(560, 1), 2);
  assert.equal(mostOpen(560, 1.5), 1);
  assert.equal(mostOpen(100, 1), 1);
});

test("at first the first ones are open", () => {
  assert.deepEqual(openViews(null, 3, 2), [0, 1]);
  assert.deepEqual(openViews(null, 1, 2), [0]);
  assert.deepEqual(openViews(null, 0, 2), []);
});

test("a view that is opened takes the place of the one opened longest ago", () => {
  const chosen = toggled([0, 1], 2);
  assert.deepEqual(openViews(chosen, 3, 2), [1, 2]);
  assert.deepEqual(openViews(toggled([1, 2], 0), 3, 2), [2, 0]);
  assert.deepEqual(openViews([0, 5], 3, 2), [0]); // a scene with fewer views
});

test("an open view closes, but not the last one", () => {
  assert.deepEqual(toggled([0, 1], 0), [1]);
  assert.deepEqual(toggled([1], 1), [1]);
});

test("the picture has the big place unless a view takes it", () => {
  assert.equal(opensLarge([{ large: false }, {}]), null);
  assert.equal(opensLarge([{ large: false }, { large: true }]), 1);
});
