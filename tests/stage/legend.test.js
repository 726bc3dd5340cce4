import assert from "node:assert/strict";
import test from "node:test";

import { Legend, candidates, emptiest, nameOf } from "../../pages/_shared/stage/legend.js";
import { packed } from "./made.js";
import { THEME, flatPlot, openPage } from "./page.js";

const AREA = { width: 400, height: 300 };
const at = (x, y) => [x, y, 4, 4, 1];

test("the names of the classes stand in a corner, in a row where there is room", () => {
  const places = candidates([60, 80], 20, AREA);
  assert.deepEqual(places.map(({ column }) => column), [false, false, false, false, true, true, true, true]);
  assert.ok(places.every(({ x, y, width, height }) => x > 0 && y > 0 && x + width < 400 && y + height < 300));
  assert.ok(candidates([250, 250], 20, AREA).every(({ column }) => column));
});

test("they cover as few points as can be, and do not move for nothing", () => {
  const places = candidates([60, 80], 20, AREA);
  assert.equal(emptiest(places, []), 0);
  assert.equal(emptiest(places, [at(350, 15), at(390, 10)]), 1, "from the upper right to the left");
  assert.equal(emptiest(places, [at(350, 15)], 1), 1);
  assert.equal(emptiest(places, [], 2), 2, "nothing is in the way where they are");
  assert.equal(emptiest(places, [at(50, 290)], 3), 0);
  const edges = [15, 285].flatMap((y) => [10, 100, 300, 390].map((x) => at(x, y)));
  assert.equal(places[emptiest(places, edges)].column, true, "a column is narrower");
});

test("a class is called by its name, if that is short, and not by a mere number", () => {
  const names = ["1", "setosa", "a name that is much too long for a picture"];
  assert.equal(nameOf(0, names), "class 1");
  assert.equal(nameOf(1, names), "setosa");
  assert.equal(nameOf(2, names), "a name that is mu…");
  assert.equal(nameOf(3, names), "class 4");
});

test("it keeps clear of the figure's lines, be they packed or not", () => {
  const corner = (/** @type {any[]} */ data) => {
    const { legend, plot } = drawnLegend(["cat"], [0]);
    plot.figure = { ...plot.figure, data };
    legend.drawn = [];
    legend.draw();
    return legend.chosen;
  };
  const ends = { x: [0, 10], y: [9, 9] }; // under the upper edge
  assert.equal(corner([]), 0);
  assert.notEqual(corner([{ type: "scatter", mode: "lines", x: ends.x, y: ends.y }]), 0);
  assert.notEqual(corner([{ type: "scatter", mode: "lines", x: packed("f8", ends.x), y: packed("f8", ends.y) }]), 0);
  assert.equal(corner([{ type: "scatter", mode: "markers", x: ends.x, y: ends.y }]), 0);
  assert.equal(corner([{ type: "scatter", mode: "lines", x: [NaN, 1], y: [1, NaN] }]), 0);
});

// A legend in a plot of 100 by 100 pixels, whose points note where they are.
function drawnLegend(names, groups, painted, signs = {}) {
  openPage();
  const points = {
    x: packed("f8", groups.map(() => 1)), y: packed("f8", groups.map(() => 1)),
    group: packed("u1", groups), ...Object.fromEntries(Object.entries(signs).map(([sign, is]) => [sign, packed("u1", is)])),
  };
  const plot = flatPlot({ data: [], layout: {}, points });
  plot.layer = { points: { children: [] }, rim: () => "rim" };
  const legend = new Legend(plot, THEME);
  legend.setNames(names, points);
  legend.draw(painted);
  const said = () => legend.root.children.slice(1).map((entry) => entry.words);
  return { legend, plot, points, said };
}

test("it names the groups that are there, in order", () => {
  assert.deepEqual(drawnLegend(["cat", "dog", "cow"], [2, 0, 2]).said(), ["cat", "cow"]);
  const painted = [{ x: 1, y: 1, label: 1, row: -1 }];
  assert.deepEqual(drawnLegend(["cat", "dog", "cow"], [2, 0, 2], painted).said(), ["dog"]);
});

test("it names the signs of points that are held out or wrong, if there are any", () => {
  const said = (/** @type {any} */ signs) => drawnLegend(["cat"], [0, 0], undefined, signs).said();
  assert.deepEqual(said({ held: [0, 1], wrong: [0, 0] }), ["cat", "held out"]);
  assert.deepEqual(said({ held: [0, 1], wrong: [1, 0] }), ["cat", "held out", "wrong"]);
  assert.deepEqual(said({ held: [0, 0] }), ["cat"]);
});

test("an entry that becomes another sign has its word alone", () => {
  const { legend, plot, points, said } = drawnLegend(["cat"], [0, 0], undefined, { wrong: [1, 0] });
  plot.figure = { ...plot.figure, points: { ...points, held: packed("u1", [0, 1]) } };
  legend.draw();
  assert.deepEqual(said(), ["cat", "held out", "wrong"]);
  assert.deepEqual(legend.root.children.slice(1).map((entry) => entry.children.length), [2, 3, 2]);
});

test("where the groups are not classes, or are others at this step, there is none", () => {
  assert.equal(drawnLegend(null, [0, 1]).legend.root.parentNode, null);
  const { legend, plot, points } = drawnLegend(["cat", "dog"], [0, 1]);
  assert.notEqual(legend.root.parentNode, null);
  plot.figure = { ...plot.figure, points: { ...points, group: packed("u1", [1, 1]) } };
  legend.draw();
  assert.equal(legend.root.parentNode, null);
});

test("it is drawn again only when something has changed", () => {
  const { legend, said } = drawnLegend(["cat", "dog"], [0, 1]);
  legend.root.children[1].children[0].textContent = "as it was";
  legend.draw();
  assert.match(said()[0], /as it was/);
});

test("it leaves its place when a text of the figure comes to stand below it", () => {
  const { legend, plot } = drawnLegend(["cat"], [0]);
  const box = { left: 90, right: 99, top: 2, bottom: 12, width: 9, height: 10 };
  plot.div.querySelectorAll = () => [{ getBoundingClientRect: () => box }];
  legend.root.getBoundingClientRect = () => ({ left: 0, right: 50, top: 0, bottom: 20 });
  legend.draw();
  assert.equal(legend.chosen, 0, "the text is beside it");
  legend.root.getBoundingClientRect = () => ({ left: 50, right: 100, top: 0, bottom: 20 });
  legend.draw();
  assert.notEqual(legend.chosen, 0);
});
