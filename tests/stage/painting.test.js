import assert from "node:assert/strict";
import test from "node:test";

import { Painting } from "../../pages/_shared/stage/painting.js";
import { Settings } from "../../pages/_shared/stage/settings.js";
import { packed } from "./made.js";
import { Part, THEME, flatPlot, openPage } from "./page.js";

const BOARD = {
  labels: packed("u1", [0, 1]), classes: ["cat", "dog"], revision: 3,
  done: { page: "", number: 0 }, undo: true, redo: false,
};

function view(more = {}) {
  const points = { x: packed("f8", [1, 2]), y: packed("f8", [1, 2]), group: packed("u1", [0, 1]) };
  return { title: "v", board: true, first: { data: [], layout: {}, points }, ...more };
}

// Painting on a picture, with what Python hears.
function made() {
  const root = openPage();
  root.found["all .width select"] = [new Part("select"), new Part("select")];
  const sent = [];
  const outbox = {
    send: (what, value) => sent.push([what, structuredClone(value)]),
    remind: (what) => sent.push(["again", what]),
  };
  const plot = { ...flatPlot(), zoomBy: (factor) => (plot.zoomed = factor) };
  plot.layer = { points: { children: [] }, rim: () => "" };
  const panel = { container: openPage(), plot, redraw: () => {} };
  const settings = new Settings();
  const painting = new Painting(root, panel, THEME, settings, outbox);
  return { painting, settings, sent, panel, root };
}

const stroke = { op: "erase", indices: [0] };

test("a picture of the board's points can be painted on", () => {
  const { painting, panel } = made();
  painting.setBoard(BOARD, view(), null);
  assert.ok(painting.paintable);
  assert.equal(panel.painted().length, 2);
  assert.deepEqual(painting.classes, ["cat", "dog"]);
});

test("as many points of another kind cannot be painted on, nor can a picture without points", () => {
  const { painting, panel } = made();
  for (const other of [view({ board: false }), view({ first: { data: [], layout: {} } })]) {
    painting.setBoard(BOARD, other, null);
    assert.ok(!painting.paintable);
    assert.equal(panel.painted(), undefined);
  }
});

test("a lab without a board is only looked at: nothing is undone behind its back", () => {
  const { painting, sent } = made();
  painting.setBoard(BOARD, view(), null);
  painting.setBoard(null, view(), null);
  assert.ok(!painting.paintable);
  assert.equal(painting.classes, null);
  painting.goBack("undo");
  assert.deepEqual(sent, []);
  painting.setBoard(BOARD, view(), null);
  painting.goBack("undo");
  assert.equal(sent[0][0], "edits");
});

test("what Python has not done yet is told again", () => {
  const { painting, sent } = made();
  painting.setBoard(BOARD, view(), null);
  painting.edits.add(stroke);
  painting.setBoard(BOARD, view(), null);
  assert.deepEqual(sent, [["again", "edits"]]);
  const { page, number } = { page: painting.edits.page, number: painting.edits.number };
  painting.setBoard({ ...BOARD, done: { page, number } }, view(), null);
  assert.equal(sent.length, 1);
});

test("only what there is can be undone or redone", () => {
  const { painting, sent } = made();
  painting.setBoard({ ...BOARD, undo: false }, view(), null);
  painting.goBack("undo");
  painting.goBack("redo");
  assert.deepEqual(sent, []);
});

test("a tool is kept to in all labs, and taken where the picture has a use for it", () => {
  const { painting, settings } = made();
  painting.setBoard(BOARD, view(), null);
  painting.choose("relabel");
  assert.deepEqual([settings.tool, painting.tools.tool], ["relabel", "relabel"]);
  painting.setBoard({ ...BOARD, classes: null }, view(), null);
  painting.takeTool();
  assert.deepEqual([settings.tool, painting.tools.tool], ["relabel", "look"]);
  painting.setBoard(null, view(), null);
  painting.choose("erase");
  assert.equal(settings.tool, "relabel");
});

test("the class in the hand, and how wide the brush is, are the settings'", () => {
  const { painting, settings, root } = made();
  painting.setBoard(BOARD, view(), null);
  painting.setLabel(1);
  assert.equal(settings.label, 1);
  const [width, density] = root.querySelectorAll(".width select");
  assert.deepEqual([width.value, density.value], [settings.width, settings.density]);
  density.value = "5";
  density.onchange();
  assert.equal(settings.density, 5);
});

test("only a picture that can be painted on is zoomed", () => {
  const { painting, panel } = made();
  painting.setBoard(null, view(), null);
  painting.closer();
  assert.equal(panel.plot.zoomed, undefined);
  painting.setBoard(BOARD, view(), null);
  painting.closer();
  assert.ok(panel.plot.zoomed < 1);
  painting.farther();
  assert.ok(panel.plot.zoomed > 1);
});
