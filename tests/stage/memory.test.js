import assert from "node:assert/strict";
import test from "node:test";

import { Memory, resumed } from "../../pages/_shared/stage/memory.js";

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

test("a run that grows by answers is shown at its end, also the first of one step", () => {
  assert.equal(resumed({ run: "a", at: 0, end: 0 }, "b", 1, true).at, 1);
  assert.equal(resumed({ run: "a", at: 1, end: 3 }, "b", 4, true).at, 4);
  assert.equal(resumed({ run: "a", at: 1, end: 3 }, "a", 3, true).at, 1);
});

test("after a run that failed the next one is at its last step if the one before was", () => {
  assert.equal(resumed({ run: "a", at: 9, end: 9 }, "b", 0).at, 0);
});

const answer = (place, run, more = {}) => ({
  place, run, bounds: "b", fork: 0, end: 10, session: "s", links: 0, at: 0, ...more,
});

test("every mode has its own step, zoom and open views to come back to", () => {
  const memory = new Memory();
  memory.resume(answer("k_means, a", "1"), {});
  memory.setStep("k_means, a", 4);
  memory.leave("k_means, a", { x: [0, 1], y: [0, 1] }, { large: 1 });
  memory.resume(answer("dbscan", "2"), { place: "k_means, a" });
  const back = memory.resume(answer("k_means, a", "1"), { place: "dbscan" });
  assert.deepEqual(back, {
    at: 4, another: false, atEnd: false, followed: false, fromTop: true, ranAgain: false,
    zoom: { x: [0, 1], y: [0, 1] }, arrangement: { large: 1 },
  });
});

test("a mode that was not seen before opens at its step, and is then shown where it was left", () => {
  const memory = new Memory();
  const first = memory.resume(answer("forest", "1", { opens: 8 }), {});
  assert.deepEqual([first.at, first.another, first.ranAgain], [8, false, false]);
  memory.setStep("forest", 0);
  assert.equal(memory.resume(answer("forest", "2", { opens: 8 }), { place: "forest" }).at, 0);
  assert.equal(memory.resume(answer("forest", "3", { opens: 8, links: 1, at: 0 }), { place: "forest" }).at, 0);
  assert.equal(memory.resume(answer("paths", "4", { opens: 80, links: 1 }), { place: "forest" }).at, 10, "its end at most");
});

test("a mode is untouched until another step is shown, also with other parameters", () => {
  const memory = new Memory();
  memory.resume(answer("forest", "1", { opens: 8 }), {});
  memory.setStep("forest", 8);
  assert.ok(memory.untouched("forest"));
  memory.resume(answer("forest", "2", { opens: 8 }), { place: "forest" });
  assert.ok(memory.untouched("forest"));
  memory.setStep("forest", 7);
  memory.setStep("forest", 8);
  assert.ok(!memory.untouched("forest"));
  memory.resume(answer("paths", "3", { links: 1, at: 5, opens: 8 }), { place: "forest" });
  assert.ok(!memory.untouched("paths"), "a link has asked for another step");
  memory.resume(answer("forest", "2", { links: 2, at: 8, opens: 8 }), { place: "paths" });
  assert.ok(memory.untouched("forest"), "the page was loaded again");
  memory.resume(answer("trees", "4", { opens: 8, links: 2 }), { place: "paths" });
  memory.resume(answer("trees", "5", { fork: 3, links: 2 }), { place: "trees" });
  assert.ok(!memory.untouched("trees"), "the changed step is shown");
});

test("another lab is shown from its top, another mode of a lab where the page is", () => {
  const memory = new Memory();
  const places = ["k_means, a", "k_means, b", "dbscan", "k_means, b"];
  const fromTop = places.map((place, i) => memory.resume(answer(place, "1"), { place: places[i - 1] }).fromTop);
  assert.deepEqual(fromTop, [true, false, true, true]);
});

test("another plane is seen as a whole, and another run of a known mode ran again", () => {
  const memory = new Memory();
  memory.resume(answer("a", "1"), {});
  memory.leave("a", { x: [0, 1], y: [0, 1] }, undefined);
  const { zoom, ranAgain } = memory.resume(answer("a", "2", { bounds: "c" }), { place: "a" });
  assert.equal(zoom, null);
  assert.ok(ranAgain);
  assert.ok(!memory.resume(answer("new", "3"), { place: "a" }).ranAgain);
});

test("a link says the step, and nothing of before counts", () => {
  const memory = new Memory();
  memory.resume(answer("a", "1", { links: 1 }), {});
  memory.setStep("a", 9);
  memory.leave("a", { x: [0, 1], y: [0, 1] }, undefined);
  const { at, zoom, followed } = memory.resume(answer("a", "1", { links: 2, at: 3 }), { place: "a" });
  assert.deepEqual([at, zoom, followed], [3, null, true]);
  assert.ok(!memory.resume(answer("a", "1", { links: 2, at: 3 }), { place: "a" }).followed);
});

test("a session that is lost begins again where the user is, unless something else is shown then", () => {
  const memory = new Memory();
  memory.resume(answer("a", "1"), {});
  memory.setStep("a", 9);
  const again = { session: "t", links: 1, at: 8 };
  const { at, followed } = memory.resume(answer("a", "1", again), { place: "a" });
  assert.deepEqual([at, followed], [9, false]);
  assert.ok(!memory.resume(answer("a", "1", again), { place: "a" }).followed);
  const next = answer("a", "1", { ...again, links: 2 });
  assert.ok(memory.resume(next, { place: "a" }).followed);
  const other = answer("a", "2", { session: "u", links: 1, at: 3 });
  assert.equal(memory.resume(other, { place: "a" }).at, 3);
});

test("a mode that was not seen before opens at its own step, wherever the mode before was left", () => {
  const memory = new Memory();
  memory.resume(answer("pca, by hand", "a", { opens: 4 }), {});
  memory.setStep("pca, by hand", 10);
  const next = answer("pca, kernel", "b", { end: 7, opens: 2 });
  assert.equal(memory.resume(next, { place: "pca, by hand" }).at, 2);
});

test("a run that has just been forked is shown at the fork, and later where it is", () => {
  const memory = new Memory();
  memory.resume(answer("a", "1"), {});
  memory.setStep("a", 10);
  const forked = answer("a", "2", { fork: 6, end: 20 });
  assert.equal(memory.resume(forked, { place: "a", fork: 0 }).at, 6);
  memory.setStep("a", 12);
  assert.equal(memory.resume(forked, { place: "a", fork: 6 }).at, 12);
});

test("a stage that shows nothing yet leaves nothing behind", () => {
  const memory = new Memory();
  memory.leave(undefined, null, undefined);
  assert.deepEqual(memory.modes, {});
});
