import assert from "node:assert/strict";
import test from "node:test";

import { Layer, children } from "../../pages/_shared/stage/layer.js";
import { packed } from "./made.js";
import { THEME, flatPlot, openPage } from "./page.js";

function points(more = {}) {
  return {
    x: packed("f8", [1, 2, 3]), y: packed("f8", [1, 2, 3]), group: packed("u1", [0, 1, 4]),
    wrong: packed("u1", [0, 1, 0]), ...more,
  };
}

function drawn(figure, painted, theme = THEME) {
  openPage();
  const layer = new Layer(theme);
  const plot = flatPlot({ data: [], layout: {}, ...figure });
  layer.draw(plot, painted);
  return { layer, plot, nodes: layer.points.children };
}

test("a point is at its place, in the colour of its group", () => {
  const { nodes } = drawn({ points: points() });
  assert.deepEqual(nodes.map(({ pixel }) => pixel), [[10, 90], [20, 80], [30, 70]]);
  assert.deepEqual(nodes.map(({ style }) => style.fill), ["#111111", "#222222", "#222222"]);
  assert.equal(nodes[0].attributes.transform, "translate(10.0,90.0)");
});

test("a misclassified point has a thick outline in ink", () => {
  const { nodes } = drawn({ points: points() });
  assert.deepEqual(nodes.map((node) => node.attributes.class), ["point", "point wrong", "point"]);
  assert.equal(nodes[1].style.stroke, "black");
  assert.ok(nodes[1].style.strokeWidth > 2 * nodes[0].style.strokeWidth);
});

test("sizes are shares of the usual one, strengths are opacities", () => {
  const more = { size: packed("u1", [32, 64, 16]), strength: packed("u1", [255, 0, 51]) };
  const { nodes } = drawn({ points: points(more) });
  assert.equal(nodes[1].radius, 2 * nodes[0].radius);
  assert.equal(nodes[2].radius, nodes[0].radius / 2);
  assert.deepEqual(nodes.map((node) => node.attributes.opacity), ["1", "0", "0.2"]);
});

test("what is painted counts before the figure: new, moved, relabelled and erased points", () => {
  const painted = [
    { row: 0, x: 1, y: 1, label: 0 },
    { row: 1, x: 7.5, y: 7.5, label: 1, moved: true },
    { row: -1, x: 5, y: 5, label: 2 },
  ];
  const { nodes } = drawn({ points: points() }, painted);
  assert.deepEqual(nodes.map(({ pixel }) => pixel), [[10, 90], [75, 25], [50, 50]]);
  assert.deepEqual(nodes.map(({ style }) => style.fill), ["#111111", "#222222", "#333333"]);
  assert.equal(nodes[1].attributes.class, "point wrong"); // its state is known until Python answers
  const again = drawn({ points: points() }, [{ ...painted[0], relabelled: true, label: 2 }]);
  assert.equal(again.nodes[0].style.fill, "#333333");
});

test("a new point has no colour where points have no class", () => {
  const theme = { ...THEME, labelled: false };
  const { nodes } = drawn({ points: points() }, [{ row: -1, x: 5, y: 5, label: 1 }], theme);
  assert.equal(nodes[0].style.fill, "grey");
});

test("only points of several groups are pies", () => {
  const slices = packed("u1", [255, 0, 128, 127, 253, 2]);
  const { layer } = drawn({ points: points({ slices }) });
  assert.equal(layer.pies.children.length, 1);
  assert.deepEqual(layer.pies.children[0].pixel, [20, 80]);
  assert.equal(layer.pies.children[0].children.length, 2);
});

test("a mark of size 0 is none", () => {
  const marks = { kind: packed("u1", [0, 1, 0]), symbols: [100, 101], sizes: [17, 0], width: 2 };
  const { layer } = drawn({ points: points(), marks });
  assert.deepEqual(layer.marks.children.map(({ pixel }) => pixel), [[10, 90], [30, 70]]);
});

test("edges of one width are one outline, and arrows have a head", () => {
  const places = packed("f8", [0, 0, 5, 5, 5, 5, 9, 9]);
  const width = packed("f8", [2, 2]);
  const plain = drawn({ edges: { places, width, arrow: false } });
  assert.equal(plain.layer.edges.children.length, 1);
  const arrows = drawn({ edges: { places, width, arrow: true } });
  assert.equal(arrows.layer.edges.children.length, 2);
  assert.equal(arrows.layer.edges.children[1].style.fill, "black");
});

test("edges travel only where the same ones were before", () => {
  const places = packed("f8", [0, 0, 5, 5, 5, 5, 9, 9]);
  const { layer, plot } = drawn({ edges: { places, width: packed("f8", [2, 2]), arrow: false } });
  for (const [widths, others] of [[[2, 2], false], [[2, 1], true], [[2, 1], false], [[2, 0], true]]) {
    plot.figure = { ...plot.figure, edges: { places, width: packed("f8", widths), arrow: false } };
    layer.draw(plot);
    assert.equal(layer.edges.classList.contains("others"), others);
  }
});

test("what is as before is not touched; in another look all is drawn again", () => {
  const { layer, plot, nodes } = drawn({ points: points() });
  const outline = () => nodes[0].attributes.d;
  nodes[0].attributes.d = "as it was";
  layer.draw(plot);
  assert.equal(outline(), "as it was");
  layer.theme = { ...THEME, name: "dark" };
  layer.draw(plot);
  assert.notEqual(outline(), "as it was");
});

test("there are as many children as are wanted", () => {
  openPage();
  const node = new Layer(THEME).points;
  assert.equal(children(node, 3, "path").length, 3);
  const [first] = node.children;
  assert.equal(children(node, 1, "path").length, 1);
  assert.equal(node.children[0], first);
});

test("a layer without anything to draw is taken out of the plot", () => {
  const { layer, plot } = drawn({ points: points() });
  const lines = plot.div.querySelector(".subplot.xy .scatterlayer");
  layer.putInto(plot);
  assert.equal(layer.root.parentNode, lines);
  plot.figure = { data: [], layout: {} };
  layer.putInto(plot);
  assert.equal(layer.root.parentNode, null);
  assert.ok(layer.isIn(plot));
});

test("a word goes to the side of a place that has the fewest points", () => {
  const side = (x, y) => drawn({ points: points({ x: packed("f8", x), y: packed("f8", y) }) }).layer.freeSide([5, 5]);
  assert.equal(side([5, 5, 5], [9, 9, 9]), "below");
  assert.equal(side([5, 5, 5], [2, 2, 5]), "above");
  assert.equal(side([5, 5, 9], [2, 8, 5]), "left");
});
