import assert from "node:assert/strict";
import test from "node:test";

import { keyMove } from "../../pages/_shared/stage/grips.js";
import { Handles } from "../../pages/_shared/stage/handles.js";
import { regions, said } from "./made.js";
import { THEME, flatPlot, openPage } from "./page.js";

const GROUP = { name: "centers", label: "Centre", look: "number", along: "xy", places: [[1, 1], [5, 5]] };

function made(group = {}) {
  const container = openPage();
  const sent = [];
  const handles = new Handles(container, flatPlot(), THEME, (moved) => {
    sent.push({ ...moved, places: moved.places.map((place) => [...place]) });
  });
  handles.show({ ...GROUP, ...group });
  return { handles, container, sent, nodes: handles.nodes };
}

const press = { button: 0, pointerId: 1, preventDefault: () => {}, stopPropagation: () => {} };
const key = (name, shiftKey = false) => ({ ...press, key: name, shiftKey });

test("arrows move by a share of the plot, with Shift by more, only as far as is allowed", () => {
  assert.deepEqual(keyMove({ key: "ArrowRight", shiftKey: false }), { u: 0.02, v: 0 });
  assert.deepEqual(keyMove({ key: "ArrowDown", shiftKey: true }), { u: 0, v: -0.1 });
  assert.equal(keyMove({ key: "ArrowUp", shiftKey: false }, "x"), null);
  assert.equal(keyMove({ key: "a", shiftKey: false }), null);
});

test("a handle is at its place, and out of sight beyond the plot", () => {
  const { nodes } = made({ places: [[1, 2], [20, 2]] });
  assert.deepEqual([nodes[0].style.left, nodes[0].style.top], ["10px", "80px"]);
  assert.deepEqual(nodes.map(({ hidden }) => hidden), [false, true]);
});

test("as many handles as places, with their numbers and names", () => {
  const { handles, nodes, container } = made();
  assert.deepEqual(nodes.map(({ textContent }) => +textContent), [1, 2]);
  assert.match(nodes[1].attributes["aria-label"], /^Centre 2 at x 5, y 5: /);
  handles.show({ ...GROUP, places: [[3, 3]] });
  assert.equal(container.children.length, 1);
  assert.match(nodes[0].attributes["aria-label"], /^Centre at x 3, y 3: /);
});

test("a handle says what is predicted at its place, and that of the newest step", async () => {
  const { handles, nodes } = made({ look: "query", places: [[2.5, 0.5]] });
  handles.plot.figure = regions([[0, 0, 1]]);
  handles.setStep(1, ["left", "right"]);
  handles.plot.figure = regions([[1, 1, 0]], [0, 1]);
  handles.setStep(2, ["left", "right"]);
  await said(nodes[0], "predicted");
  assert.equal(nodes[0].attributes["aria-label"], "Centre at x 2.5, y 0.5, predicted class left: drag, or use the arrow keys");
});

test("Python hears of a handle while it moves and when it is let go", () => {
  const { nodes, sent } = made();
  nodes[0].heard.pointerdown(press);
  nodes[0].onpointermove({ clientX: 30, clientY: 60 });
  nodes[0].onpointerup({ clientX: 40, clientY: 50 });
  assert.deepEqual(sent, [
    { name: "centers", places: [[3, 4], [5, 5]], moving: true },
    { name: "centers", places: [[4, 5], [5, 5]], moving: false },
  ]);
});

test("a handle stays inside of the plot, and moves in its own direction alone", () => {
  const { nodes, sent } = made({ along: "x" });
  nodes[1].heard.pointerdown(press);
  nodes[1].onpointermove({ clientX: 400, clientY: 0 });
  assert.deepEqual(sent[0].places[1], [10, 5]);
});

test("keys move a handle and let it go at once", () => {
  const { nodes, sent } = made();
  nodes[0].heard.keydown(key("ArrowRight"));
  nodes[0].heard.keydown(key("Tab"));
  assert.equal(sent.length, 1);
  assert.equal(sent[0].moving, false);
  assert.ok(Math.abs(sent[0].places[0][0] - 1.2) < 1e-9);
});

test("what is in the hand stays there although an earlier answer arrives", () => {
  const { handles, nodes } = made();
  nodes[0].heard.pointerdown(press);
  nodes[0].onpointermove({ clientX: 30, clientY: 60 });
  handles.show(GROUP);
  assert.deepEqual(handles.places[0], [3, 4]);
  handles.show({ ...GROUP, places: [[1, 1]] }); // it is another list by now
  assert.deepEqual(handles.places, [[1, 1]]);
});

test("what Python has not heard of yet stays there, too", () => {
  const { handles, nodes } = made();
  nodes[0].heard.keydown(key("ArrowRight", true));
  nodes[0].heard.keydown(key("ArrowRight", true));
  handles.show({ ...GROUP, places: [[2, 1], [5, 5]] }, true);
  assert.deepEqual(handles.places[0].map(Math.round), [3, 1]);
  handles.show({ ...GROUP, places: [[2, 1], [5, 5]] });
  assert.deepEqual(handles.places[0], [2, 1]);
});

test("a handle that has gone is in nobody's hand", () => {
  const { handles, nodes } = made();
  nodes[1].heard.pointerdown(press);
  handles.show({ ...GROUP, places: [[1, 1]] });
  assert.equal(handles.dragged, null);
});

test("a handle of one step is seen at that step alone", () => {
  const { handles, nodes } = made({ at: 3 });
  handles.setStep(2);
  assert.ok(nodes[0].hidden);
  handles.setStep(3);
  assert.ok(!nodes[0].hidden);
});

test("handles that are only looked at cannot be reached", () => {
  assert.ok(made({ fixed: true }).nodes.every(({ inert }) => inert));
  assert.ok(made().nodes.every(({ inert }) => !inert));
});

test("who cannot drag clicks a handle, and then its new place", () => {
  const { nodes, container, sent } = made();
  const plane = { closest: () => null };
  nodes[0].heard.pointerdown({ ...press, clientX: 10, clientY: 90 });
  nodes[0].onpointerup({ clientX: 12, clientY: 91 });
  assert.deepEqual(sent, []);
  assert.ok(nodes[0].classes.has("carried"));
  container.heard.pointerdown({ ...press, target: plane, clientX: 70, clientY: 20 });
  assert.deepEqual(sent, [{ name: "centers", places: [[7, 8], [5, 5]], moving: false }]);
  assert.ok(!nodes[0].classes.has("carried"));
  container.heard.pointerdown({ ...press, target: plane, clientX: 20, clientY: 20 });
  assert.equal(sent.length, 1);
});

test("a click that puts a carried handle does not pick a place, too", () => {
  const { container, sent } = made({ look: "query", places: [[1, 1]] });
  const plane = { closest: () => null };
  container.heard.pointerdown({ ...press, defaultPrevented: true, target: plane, clientX: 40, clientY: 50 });
  container.heard.click({ target: plane, clientX: 40, clientY: 50 });
  assert.deepEqual(sent, []);
});

test("a click on the picture picks a place, if there is one to pick and it was no drag", () => {
  const { container, sent } = made({ look: "query", places: [[1, 1]] });
  const plane = { closest: () => null };
  const click = (from, to) => {
    container.heard.pointerdown({ ...press, target: plane, clientX: from, clientY: 50 });
    container.heard.click({ target: plane, clientX: to, clientY: 50 });
  };
  click(20, 40);
  assert.deepEqual(sent, []);
  click(40, 40);
  assert.deepEqual(sent, [{ name: "centers", places: [[4, 5]], moving: false }]);
  container.dataset.tool = "erase";
  click(60, 60);
  assert.equal(sent.length, 1);
});

test("bars side by side do not overlap, and each is dragged in its own half of the gap", () => {
  const side = (places) => {
    const { nodes } = made({ look: "line", along: "y", places });
    return nodes.map(({ style }) => ["--bar", "--before", "--after"].map((name) => parseFloat(style[name])));
  };
  assert.deepEqual(side([[1, 2], [4, 2], [8, 2]])[1], [22, 15, 15]);
  assert.deepEqual(side([[1, 2], [2, 2]])[0], [16, 5, 5]);
  assert.deepEqual(side([[4, 2], [4, 6]]), [[36, 40, 60], [36, 40, 60]]); // lines, one over the other
});

test("a handle is named by the figure's axes, and not by Plotly's placeholders", () => {
  const { handles, nodes } = made();
  const { axes, div } = handles.plot;
  const placeholder = { ...axes.y, title: { text: "Click to enter Y axis title" } };
  handles.plot.axes = { x: placeholder, y: placeholder };
  div._fullLayout.xaxis = div._fullLayout.yaxis = placeholder;
  const named = (/** @type {object} */ layout) => {
    handles.plot.figure = { data: [], layout };
    handles.show(GROUP);
    return nodes[1].attributes["aria-label"];
  };
  assert.match(named({}), /^Centre 2 at x 5, y 5: /);
  assert.match(named({ xaxis: { title: { text: "time" } }, yaxis: { title: "" } }), /^Centre 2 at time 5, y 5: /);
  const counted = { tickvals: [0, 1, 2], ticktext: ["1", "2", "3"] };
  assert.match(named({ xaxis: counted, yaxis: { tickvals: [0, 5], ticktext: ["hall", "A &amp; B"] } }), /^Centre 2 at x 6, y A & B: /);
});
