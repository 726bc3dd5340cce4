import assert from "node:assert/strict";
import test from "node:test";

import { Choices } from "../../pages/_shared/stage/choices.js";
import { flatPlot, openPage } from "./page.js";

const YES = { name: "rain", value: "yes", text: "yes", label: "Rain: yes", place: [1, 2] };
const NO = { ...YES, value: "no", text: "no", label: "Rain: no", place: [5, 5] };

function made(...choices) {
  const container = openPage();
  const sent = [];
  const buttons = new Choices(container, flatPlot(), (chosen) => sent.push(chosen));
  buttons.show(choices);
  return { buttons, sent, nodes: buttons.nodes };
}

const press = { button: 0, pointerId: 1, preventDefault: () => {}, stopPropagation: () => {} };

test("a button says what it does, at its place", () => {
  const { nodes } = made(YES, NO);
  assert.deepEqual(nodes.map(({ textContent }) => textContent), ["yes", "no"]);
  assert.deepEqual(nodes.map(({ attributes }) => attributes["aria-label"]), ["Rain: yes", "Rain: no"]);
  assert.deepEqual([nodes[0].style.left, nodes[0].style.top], ["10px", "80px"]);
});

test("Python hears of every press, by pointer and by key, also of the same one again", () => {
  const { nodes, sent } = made(YES, NO);
  nodes[1].heard.pointerdown(press);
  nodes[1].heard.keydown({ ...press, key: "Enter" });
  nodes[0].heard.keydown({ ...press, key: " " });
  nodes[0].heard.keydown({ ...press, key: "ArrowLeft" });
  assert.deepEqual(sent.map(({ name, value }) => `${name} ${value}`), ["rain no", "rain no", "rain yes"]);
  assert.equal(new Set(sent.map(({ number }) => number)).size, 3);
});

test("a button of one step is there at that step alone", () => {
  const { buttons, nodes } = made({ ...YES, at: 3 }, NO);
  const hidden = (step) => (buttons.setStep(step), nodes.map((node) => node.hidden));
  assert.deepEqual([hidden(0), hidden(3)], [[true, false], [false, false]]);
});

test("a button without a text lies over its part of the picture", () => {
  const { nodes } = made({ ...YES, text: "", size: [2, 4] });
  assert.deepEqual([nodes[0].style.width, nodes[0].style.height], ["20px", "40px"]);
  assert.match(nodes[0].className, /over/);
});
