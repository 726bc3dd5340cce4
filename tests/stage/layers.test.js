import assert from "node:assert/strict";
import test from "node:test";

import { without } from "../../pages/_shared/stage/layers.js";
import { packed } from "./made.js";

const FIGURE = {
  data: [{ name: "vote" }, { name: "tree" }],
  layout: {},
  points: { x: packed("f4", [0]), y: packed("f4", [0]), group: packed("u1", [0]), wrong: packed("u1", [0]), size: packed("u1", [64]) },
  marks: { kind: packed("u1", [1]), symbols: [100, 134], sizes: [0, 7], width: 2 },
  edges: { places: packed("f4", [0, 0, 1, 1]), width: packed("f4", [1]), arrow: false },
  signs: { size: "bag", edges: "way", marks: ["", "mistake"] },
};

test("a layer that is off takes its traces, states, marks and edges away, and nothing else", () => {
  const less = without(FIGURE, ["tree", "bag", "mistake", "way"]);
  assert.deepEqual(less.data, [{ name: "vote" }, { name: "tree", visible: false }]);
  assert.equal(less.points.size, undefined);
  assert.equal(less.signs.size, undefined);
  assert.deepEqual(less.marks.sizes, [0, 0]);
  assert.equal(less.edges, undefined);
  const most = without(FIGURE, ["tree"]);
  assert.equal(most.points.size, FIGURE.points.size);
  assert.deepEqual([most.marks.sizes, most.edges], [[0, 7], FIGURE.edges]);
});

test("a step that is shown again with the same layers is the same figure", () => {
  assert.equal(without(FIGURE, ["tree"]), without(FIGURE, ["tree"]));
  assert.notEqual(without(FIGURE, ["tree"]), without(FIGURE, ["vote"]));
});
