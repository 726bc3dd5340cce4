import assert from "node:assert/strict";
import test from "node:test";

import { Plot } from "../../pages/_shared/stage/plot.js";
import { THEME, flatPlot, openPage } from "./page.js";

const TEMPLATE = { layout: {} };
const figure = (more = {}) => ({
  data: [{ type: "scatter", x: [1], y: [1], text: ["a", ""] }],
  layout: { xaxis: { range: [0, 10] }, yaxis: { range: [0, 10] }, showlegend: true },
  ...more,
});

// A plot on a page whose Plotly notes what it is to draw.
function made() {
  openPage();
  const { div } = flatPlot();
  Object.assign(div, { clientWidth: 300, clientHeight: 200, on: () => {} });
  const drawn = [];
  window.Plotly = {
    react: async (_, data, layout) => drawn.push({ data, layout }),
    redraw: async () => drawn.push("redrawn"),
    purge: () => drawn.push("purged"),
  };
  const plot = new Plot(div, THEME);
  plot.setLook("The data", TEMPLATE);
  return { plot, div, drawn };
}

test("a figure is drawn at the size of its place, with the look's template", async () => {
  const { plot, div, drawn } = made();
  await plot.show(figure());
  assert.equal(drawn.length, 1);
  const { layout } = drawn[0];
  assert.deepEqual([layout.width, layout.height, layout.template], [300, 200, TEMPLATE]);
  assert.equal(div.attributes["aria-label"], "The data");
});

test("the very same figure is not drawn again; another size or zoom is", async () => {
  const { plot, div, drawn } = made();
  const shown = figure({ layout: { ...figure().layout, showlegend: false } });
  await plot.show(shown);
  await plot.show(shown);
  assert.equal(drawn.length, 1);
  div.clientWidth = 400;
  await plot.draw();
  assert.equal(drawn.length, 2);
  plot.zoomTo({ x: [2, 4], y: [2, 4] });
  await plot.draw();
  assert.deepEqual(drawn.at(-1).layout.xaxis.range, [2, 4]);
});

test("what waits for Plotly is drawn at the size that its place has then", async () => {
  const { plot, div, drawn } = made();
  const { Plotly } = window;
  window.Plotly = undefined;
  const waiting = plot.show(figure());
  div.clientHeight = 150;
  window.Plotly = Plotly;
  await waiting;
  assert.equal(drawn[0].layout.height, 150);
});

test("a legend that has become lower is put in its place by drawing again", async () => {
  const { plot, div, drawn } = made();
  await plot.show(figure());
  div.clientHeight = 150;
  await plot.draw();
  assert.equal(drawn.length, 3);
  assert.equal(drawn[2], "redrawn"); // Plotly's react does nothing for the same figure
});

test("a place without size has nothing drawn in it", async () => {
  const { plot, div, drawn } = made();
  div.clientWidth = 0;
  await plot.show(figure());
  assert.deepEqual(drawn, []);
});

test("an empty text keeps its place, and what the stage draws gets a trace to stand below", async () => {
  const { plot, drawn } = made();
  await plot.show(figure());
  assert.deepEqual(drawn[0].data[0].text, ["a", "\u00a0"]);
  assert.equal(drawn[0].data.length, 1);
  await plot.show(figure({ edges: {
    places: { dtype: "f8", bdata: "" }, width: { dtype: "f8", bdata: "" }, arrow: false,
  } }));
  assert.equal(drawn[1].data.length, 2);
});

test("Plotly does not write into the ranges of the figure", async () => {
  const { plot, drawn } = made();
  const shown = figure();
  await plot.show(shown);
  assert.notEqual(drawn[0].layout.xaxis, shown.layout.xaxis);
  assert.deepEqual(drawn[0].layout.xaxis, shown.layout.xaxis);
});

test("a zoom stays within the plane, and is none when all is seen", () => {
  const { plot } = made();
  plot.figure = figure();
  plot.zoomTo({ x: [-2, 2], y: [8, 12] });
  assert.deepEqual(plot.zoom, { x: [0, 4], y: [6, 10] });
  plot.zoomTo({ x: [-5, 15], y: [-5, 15] });
  assert.equal(plot.zoom, null);
});

test("data, shares and pixels are turned into each other", () => {
  const { plot } = made();
  assert.deepEqual(plot.toPixel([2, 5]), [20, 50]);
  assert.deepEqual(plot.toData(plot.toShare([2, 5])), [2, 5]);
  assert.deepEqual(plot.toData(plot.share({ clientX: 20, clientY: 50 })), [2, 5]);
});

test("a plot that has gone draws no more", async () => {
  const { plot, drawn } = made();
  plot.destroy();
  await plot.show(figure());
  assert.deepEqual(drawn, ["purged"]);
});
