import assert from "node:assert/strict";
import test from "node:test";

import { Panel } from "../../pages/_shared/stage/panel.js";
import { packed } from "./made.js";
import { THEME, flatPlot, openPage } from "./page.js";

const GROUP = { name: "a", label: "A", look: "line", along: "x", places: [[1, 1]], view: 0 };
const TRACK = { label: "The cut", along: "x", handles: 1, places: packed("f8", [1, 5, 3, 5, 8, 5]) };

function made() {
  const container = openPage();
  const div = container.appendChild(flatPlot().div);
  const gone = [];
  const player = { at: 1, hold: () => {}, goByHand: (step) => gone.push((player.at = step)) };
  const layers = { seen: (view, figure) => figure };
  const panel = new Panel(container, div, THEME, player, null, null, layers);
  panel.plot.draw = () => panel.place(); // without Plotly
  const view = { title: "v", first: { data: [], layout: {} }, track: TRACK };
  return { panel, container, view, gone };
}

const grips = ({ children }) => children.filter(({ tag }) => tag === "button");

test("there are as many groups of handles as are given", () => {
  const { panel, container } = made();
  panel.setHandles([GROUP, { ...GROUP, name: "b" }]);
  assert.deepEqual(panel.handles.map(({ name }) => name), ["a", "b"]);
  panel.setHandles([{ ...GROUP, name: "c" }]);
  assert.deepEqual(panel.handles.map(({ name }) => name), ["c"]);
  assert.equal(grips(container).length, 1);
});

test("the track stands where its step is, and everything is put in place as the plot is drawn", () => {
  const { panel, container, view } = made();
  let placed = 0;
  panel.onPlaced = () => placed++;
  panel.show(view, view.first, 1);
  assert.equal(placed, 1);
  const [grip] = grips(container);
  assert.equal(grip.attributes["aria-valuetext"], "2 of 3");
  assert.deepEqual([grip.style.left, grip.style.top], ["30px", "50px"]);
});

test("a key on the track goes to another step, also before the one before is drawn", () => {
  const { panel, view, gone } = made();
  panel.show(view, view.first, 1);
  const event = { preventDefault: () => {}, stopPropagation: () => {} };
  panel.track.nodes[0].heard.keydown({ ...event, key: "ArrowRight" });
  panel.track.nodes[0].heard.keydown({ ...event, key: "ArrowLeft" });
  panel.track.nodes[0].heard.keydown({ ...event, key: "ArrowLeft" });
  panel.track.nodes[0].heard.keydown({ ...event, key: "End" });
  assert.deepEqual(gone, [2, 1, 0, 2]);
});

test("a handle of one step goes with the steps", () => {
  const { panel, view } = made();
  panel.setHandles([{ ...GROUP, at: 2 }]);
  panel.show(view, view.first, 1);
  assert.ok(panel.handles[0].nodes[0].hidden);
  panel.show(view, view.first, 2);
  assert.ok(!panel.handles[0].nodes[0].hidden);
});

test("a veil says why the view is hidden", () => {
  const { panel, container } = made();
  panel.setShare("nothing");
  assert.ok(container.classList.contains("veiled"));
  assert.match(container.words, /Hidden/);
  panel.setShare("all");
  assert.ok(!container.classList.contains("veiled"));
});

test("the shown step is cut, and whole again, as the switch is turned", () => {
  const { panel, view } = made();
  const curve = { x: [0, 1, 2], y: [3, 2, 1] };
  panel.show(view, { data: [curve], layout: {} }, 1, null, 1);
  const shown = () => panel.plot.figure.data[0].x;
  panel.setShare("so far");
  assert.deepEqual(shown(), [0, 1]);
  panel.setShare("all");
  assert.deepEqual(shown(), [0, 1, 2]);
});

test("the painted points are drawn where there are some", () => {
  const { panel, view } = made();
  panel.show(view, { ...view.first, points: { x: packed("f8", [1]), y: packed("f8", [1]), group: packed("u1", [0]) } }, 0);
  assert.equal(panel.plot.layer.points.children.length, 1);
  panel.painted = () => [];
  panel.redraw();
  assert.equal(panel.plot.layer.points.children.length, 0);
});
