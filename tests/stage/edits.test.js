import assert from "node:assert/strict";
import test from "node:test";

import { edited, Edits, replayed } from "../../pages/_shared/stage/edits.js";
import { sprayed, strokeEdit } from "../../pages/_shared/stage/tools.js";
import { packed } from "./made.js";

const base = () => [0, 1, 2].map((row) => ({ x: row, y: 10 * row, label: row, row }));
const add = (...points) => ({ op: "add", points, label: 1 });
const places = (points) => points.map(({ x, y }) => [x, y]);

function paint({ revision = 0, page = "", number = 0, undo = true, redo = false, count = 3 } = {}) {
  const rows = Array.from({ length: count }, (_, row) => row);
  const labels = packed("u1", rows);
  const state = { labels, classes: null, revision, done: { page, number }, undo, redo };
  const points = { x: packed("f8", rows), y: packed("f8", rows.map((row) => 10 * row)) };
  return [state, points];
}

function ready(limit = 100) {
  const edits = new Edits("page", limit);
  edits.confirm(...paint());
  return edits;
}

test("every stroke does here what it does in Python", () => {
  const points = base();
  assert.deepEqual(edited(points, add([5, 6]), 10).at(-1), { x: 5, y: 6, label: 1, row: -1 });
  const moved = edited(points, { op: "move", index: 1, to: [7, 8] }, 10);
  assert.deepEqual(moved[1], { x: 7, y: 8, label: 1, row: 1, moved: true });
  assert.deepEqual(edited(points, { op: "erase", indices: [0, 2] }, 10), [points[1]]);
  const relabelled = edited(points, { op: "relabel", indices: [0], label: 4 }, 10);
  assert.deepEqual(relabelled[0], { x: 0, y: 0, label: 4, row: 0, relabelled: true });
  assert.deepEqual(points, base());
});

test("there are never more points than may be", () => {
  assert.equal(edited(base(), add([1, 1], [2, 2], [3, 3]), 4).length, 4);
  assert.equal(edited(base(), add([1, 1]), 2).length, 3);
});

test("undo and redo of the queue's own strokes are seen at once", () => {
  const queue = [add([5, 5]), add([6, 6]), { op: "undo" }];
  assert.deepEqual(places(replayed(base(), queue, 9).points).at(-1), [5, 5]);
  assert.equal(replayed(base(), [...queue, { op: "redo" }], 9).points.length, 5);
  assert.equal(replayed(base(), [...queue, { op: "undo" }], 9).points.length, 3);
  const ended = replayed(base(), [...queue, add([7, 7]), { op: "redo" }], 9);
  assert.equal(ended.points.length, 5);
  assert.equal(ended.known, false); // a redo after a stroke: only Python knows that it is nothing
});

test("what Python undoes is not known here, and strokes after it still show", () => {
  const { points, known } = replayed(base(), [{ op: "undo" }, add([5, 5])], 9);
  assert.equal(known, false);
  assert.equal(points.length, 4);
});

test("no press is dropped while Python has not answered", () => {
  const edits = ready();
  for (let i = 0; i < 8; i++) edits.add({ op: "undo" });
  assert.deepEqual(edits.message.edits.map(({ op, number }) => [op, number]).at(-1), ["undo", 8]);
  assert.equal(edits.message.edits.length, 8);
});

test("the queue holds what Python has not done", () => {
  const edits = ready();
  edits.add(add([5, 5]));
  edits.add(add([6, 6]));
  assert.equal(edits.points.length, 5);
  edits.confirm(...paint({ page: "page", number: 1, count: 4 }));
  assert.deepEqual(edits.queue.map(({ number }) => number), [2]);
  assert.equal(edits.points.length, 5);
  edits.confirm(...paint({ page: "another page", number: 9, count: 4 }));
  assert.equal(edits.queue.length, 1); // another page's count says nothing of ours
  edits.confirm(...paint({ page: "page", number: 2, count: 5 }));
  assert.deepEqual(edits.queue, []);
  edits.add(add([7, 7]));
  assert.equal(edits.queue[0].number, 3);
});

test("other data make the queue void", () => {
  const edits = ready();
  edits.add(add([5, 5]));
  edits.confirm(...paint({ revision: 1 }));
  assert.deepEqual(edits.queue, []);
  assert.equal(edits.points.length, 3);
});

test("undo and redo can be pressed when there is something to undo or to redo", () => {
  const edits = new Edits("page", 100);
  edits.confirm(...paint({ undo: false }));
  assert.deepEqual([edits.undo, edits.redo], [false, false]);
  edits.add(add([5, 5]));
  assert.deepEqual([edits.undo, edits.redo], [true, false]);
  edits.add({ op: "undo" });
  assert.deepEqual([edits.undo, edits.redo], [false, true]);
  edits.confirm(...paint({ page: "page", number: 2, undo: true, redo: true }));
  assert.deepEqual([edits.undo, edits.redo], [true, true]);
  edits.add(add([6, 6]));
  assert.equal(edits.redo, false);
  edits.add({ op: "undo" });
  edits.add({ op: "undo" }); // beyond the queue
  assert.deepEqual([edits.undo, edits.redo, edits.known], [true, true, false]);
});

test("a picture without points has none to paint on", () => {
  const edits = new Edits("page", 100);
  edits.confirm(paint()[0], undefined);
  assert.deepEqual(edits.points, []);
});

test("what a stroke asks for", () => {
  const stroke = { tool: "look", label: 2, drawn: [], touched: new Set() };
  assert.equal(strokeEdit(stroke), null);
  assert.deepEqual(strokeEdit({ ...stroke, tool: "brush", drawn: [[1, 2]] }), {
    op: "add", points: [[1, 2]], label: 2,
  });
  assert.deepEqual(strokeEdit({ ...stroke, tool: "move", index: 3, to: [1, 2] }), {
    op: "move", index: 3, to: [1, 2],
  });
  assert.equal(strokeEdit({ ...stroke, tool: "move", index: 3 }), null); // taken, not moved
  const touched = new Set([4, 1]);
  assert.deepEqual(strokeEdit({ ...stroke, tool: "erase", touched }), {
    op: "erase", indices: [4, 1],
  });
  assert.deepEqual(strokeEdit({ ...stroke, tool: "relabel", touched }), {
    op: "relabel", indices: [4, 1], label: 2,
  });
});

test("a brush sprays within its radius", () => {
  for (const turn of [0, 0.3, 0.9]) {
    for (const share of [0, 0.5, 1]) {
      const [x, y] = sprayed([10, 20], 22, turn, share);
      assert.ok(Math.hypot(x - 10, y - 20) <= 22.0001);
    }
  }
});
