import assert from "node:assert/strict";
import test from "node:test";

import { inWords } from "../../pages/_shared/stage/in_words.js";
import { plain, written } from "../../pages/_shared/stage/readings.js";
import { tables } from "../../pages/_shared/stage/tables.js";
import { packed } from "./made.js";

const layout = { xaxis: { title: "step" }, yaxis: { title: { text: "loss<br>of 9" } } };
const curve = (name, y) => ({ type: "scatter", mode: "lines", name, x: [0, 1, 2], y: packed("f4", y) });
const now = (x, y) => ({ type: "scatter", mode: "markers", x: [x], y: [y], marker: { size: 12 } });

test("numbers and words are as captions write them", () => {
  assert.deepEqual([-0.25, 1e-7, -2.94e5, 12].map(written), ["−0.25", "1×10⁻⁷", "−294000", "12"]);
  assert.equal(plain("<b>a &lt; b</b><br>c"), "a < b, c");
});

test("a curve is told by its value now, its ends, its least and its most", () => {
  const figure = { data: [curve("training", [4, 1, 2]), now(2, 2)], layout };
  const said = "training: 2 now, at step 2, from 4 at step 0 to 2 at step 2, least 1 at step 1; notes: loss of 9.";
  assert.equal(inWords(figure, null), said);
});

test("curves over the same x share a table, and the values now have one", () => {
  const figure = { data: [curve("a", [4, 1, 2]), curve("b", [0, 0, 8]), now(1, 1)], layout };
  const [shown, all] = tables(figure, null);
  assert.deepEqual(shown.rows, [["a", "step 1", 1]]);
  assert.deepEqual(all.columns, ["step", "a", "b"]);
  assert.deepEqual(all.rows, [[0, 4, 0], [1, 1, 0], [2, 2, 8]]);
});

test("a long table is thinned, keeps its ends, and says so", () => {
  const x = Array.from({ length: 1001 }, (_, i) => i);
  const [{ caption, rows }] = tables({ data: [{ type: "bar", x, y: x }], layout: {} }, null);
  assert.equal(rows.length, 200);
  assert.deepEqual([rows[0][0], rows[199][0]], [0, 1000]);
  assert.match(caption, /200 of 1001 rows/);
});

test("what is outside the axes or hidden is not read", () => {
  const marks = { type: "scatter", mode: "markers", x: [1, 50], y: [1, 1] };
  const figure = { data: [marks, { ...marks, visible: false }], layout: { xaxis: { range: [0, 2] } } };
  assert.deepEqual(tables(figure, null).map(({ rows }) => rows), [[[1, 1]]]);
});

test("a tree is a table of nodes, each under its parent", () => {
  const hidden = { xaxis: { visible: false }, yaxis: { visible: false } };
  const nodes = { type: "scatter", mode: "markers", x: [0, 1, 1], y: [1, 0, 2], hovertext: ["x ≤ 1", "3 points", "5 points"] };
  const links = { type: "scatter", mode: "lines", x: [0, 0, 1, null, 0, 0, 1], y: [1, 0, 0, null, 1, 2, 2] };
  const [tree] = tables({ data: [links, nodes], layout: hidden }, null);
  assert.deepEqual(tree.rows, [[1, "x ≤ 1", "", ""], [2, "3 points", 1, "upper"], [3, "5 points", 1, "lower"]]);
});

test("the stage's points have their classes, and connections the names of their nodes", () => {
  const points = { x: packed("f4", [0, 1]), y: packed("f4", [0, 1]), group: packed("u1", [0, 1]), wrong: packed("u1", [0, 1]) };
  const figure = { data: [], layout: {}, points };
  assert.deepEqual(tables(figure, ["cat", "dog"])[0].rows, [[1, 0, 0, "cat", ""], [2, 1, 1, "dog", "yes"]]);
  assert.equal(inWords(figure, null), "2 points, 1 wrong.");
  const edges = { places: packed("f4", [0, 0, 1, 1]), width: packed("f4", [3]), arrow: false };
  const found = tables({ ...figure, points: { ...points, names: ["rain", "sun"] }, edges }, null);
  assert.deepEqual(found[1].rows, [["rain", "sun", 3]]);
});

test("numbers that the picture does not write come first", () => {
  const told = { title: "Weights", of: "weight", names: ["x to 1", "y to 1"], columns: ["value"], values: packed("f8", [-2, 3]) };
  const figure = { data: [], layout: {}, told };
  assert.deepEqual(tables(figure, null)[0].rows, [["x to 1", -2], ["y to 1", 3]]);
  assert.equal(inWords(figure, null), "Weights: 2; value from −2 (x to 1) to 3 (y to 1).");
});

test("a figure without numbers says so", () => {
  assert.equal(inWords({ data: [], layout: {} }, null), "No numbers at this step.");
});

test("numbers are those that stand at the axes: times from 1, heights without a sign", () => {
  const bars = { type: "bar", x: [0, 1], y: [-2, 3] };
  const [tickvals, ticktext] = [[0, 1], ["1", "2"]];
  const axes = { xaxis: { title: "time", tickvals, ticktext }, yaxis: { tickvals: [-6, 0, 6], ticktext: ["6", "0", "6"] } };
  assert.deepEqual(tables({ data: [bars], layout: axes }, null)[0].rows, [[1, 2], [2, 3]]);
});

test("a ring around a node tells which one the step is at", () => {
  const nodes = { type: "scatter", mode: "markers", x: [0, 1], y: [0, 1], marker: { size: 7 }, hoverinfo: "text", hovertext: ["x ≤ 1", "“a”"] };
  const ring = { type: "scatter", mode: "markers", x: [1], y: [1], marker: { size: 16, symbol: 100 } };
  const bare = { layout: { xaxis: { visible: false }, yaxis: { visible: false } } };
  assert.match(inWords({ data: [nodes, ring], ...bare }, null), /now: “a”/);
  assert.doesNotMatch(inWords({ data: [nodes, { ...ring, marker: { size: 9 } }], ...bare }, null), /now/);
});
