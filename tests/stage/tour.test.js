import assert from "node:assert/strict";
import test from "node:test";

import { Tour, cardsOf } from "../../pages/_shared/stage/tour.js";
import { Part, flatPlot, openPage } from "./page.js";

const START = { name: "drag: Start", handle: "Start" };
const LAB = {
  lead: "Centres move.", marks: [{ name: "centre" }, { name: "point" }, { name: "way" }, START], steps: true,
  event: { step: 4, name: "converged", more: false }, view: { at: 1, title: "Inertia" },
};
const RESTS = 5; // looks after which what has been done is at rest

test("a tour has five to eight cards, and names marks of different kinds", () => {
  const cards = cardsOf(LAB);
  assert.equal(cards.length, 8);
  assert.deepEqual(cards.flatMap(({ mark }) => mark ?? []), ["centre", "way", "drag: Start"]);
  assert.equal(cards.find(({ go }) => go !== undefined).go, 4);
  const classes = cardsOf({ ...LAB, marks: [1, 2].map((k) => ({ name: `point of class ${k}`, ofClass: true })).concat({ name: "border" }, START) });
  assert.deepEqual(classes.flatMap(({ mark }) => mark ?? []), ["point of class 1", "border", "drag: Start"]);
  assert.ok(cardsOf({ ...LAB, marks: [{ name: "node" }, { name: "edge" }], event: null, view: null }).length >= 5);
});

test("every card lights something, and those ask for something that need the reader", () => {
  const cards = cardsOf(LAB);
  assert.deepEqual(cards.map(({ asks }) => asks), [null, null, null, "drag", "step", null, null, "open"]);
  assert.equal(cards.find(({ view }) => view === 1).at, ".stage .beside figure:nth-of-type(2)");
  assert.match(cardsOf(LAB)[5].text, /tick is an event/);
  assert.match(cardsOf({ ...LAB, event: { ...LAB.event, more: true } })[5].text, /goes to the next/);
  assert.ok(!cardsOf({ ...LAB, steps: false }).some(({ asks }) => asks === "step"));
});

// A tour on a simulated page: what it has done, and the elements that it points at.
function made(cards) {
  const root = openPage();
  const found = {};
  document.querySelector = (selector) => (found[selector] ??= Object.assign(new Part(), { offsetParent: root, isConnected: true, matches: () => false, closest: (what) => (selector === what ? root : null) }));
  const gone = [];
  const opened = [];
  const player = { at: 0, run: { steps: [], event: () => null }, pause() {}, go: (step) => gone.push(step) };
  const picture = { container: root, plot: flatPlot(), handles: [{ places: [[1, 2]] }], track: { nodes: [] } };
  const tour = new Tour(root, picture, player, { unfold: (i) => opened.push(i) });
  const shown = [];
  tour.callout.show = (target, name, text, buttons) => shown.push({ target, name, words: buttons.map(([word]) => word), press: buttons[0][1] });
  tour.cards = cards;
  const rest = () => Array.from({ length: RESTS }, () => tour.at < 0 || tour.look());
  return { root, tour, player, picture, gone, opened, shown, rest, found };
}

test("a card that asks for something goes on when it is done and at rest; the others wait for Next", () => {
  const { tour, player, picture, gone, opened, shown, rest, found } = made(cardsOf({ ...LAB, marks: [START] }));
  tour.show(0);
  player.at = 1;
  rest();
  assert.equal(tour.at, 0); // the sentence asks for nothing
  assert.deepEqual(shown.at(-1).words, ["Next", "Close"]);
  shown.at(-1).press();
  assert.deepEqual(shown.at(-1).words, ["Skip", "Close"]);
  player.at = 2; // no drag
  rest();
  assert.equal(tour.at, 1);
  picture.handles[0].places = [[3, 3]];
  tour.look();
  assert.equal(tour.at, 1); // the drag may go on
  rest();
  assert.equal(tour.at, 2);
  rest();
  assert.equal(tour.at, 2);
  player.at = 3;
  rest();
  assert.equal(tour.at, 3);
  assert.deepEqual(gone, [4]);
  tour.show(4);
  assert.deepEqual(opened, [1]);
  tour.show(5);
  assert.equal(document.activeElement, found['.chapters a[href="#try-this"]']);
  document.activeElement = document.querySelector(".st-key-chapter");
  rest();
  assert.equal(tour.at, -1);
});

test("Tab leads from what a card points at to its first button, and back", () => {
  const { tour, found } = made(cardsOf({ ...LAB, lead: "", marks: [] }));
  const button = new Part("button");
  tour.callout.node.querySelector = () => button;
  tour.show(0);
  const step = found['.stage .player [data-do="step"]'];
  assert.equal(document.activeElement, step);
  const press = (shiftKey) => {
    const event = { key: "Tab", shiftKey, preventDefault: () => (event.kept = true) };
    tour.tab(event);
    return event.kept === true;
  };
  assert.ok(press(false));
  assert.equal(document.activeElement, button);
  assert.ok(!press(false)); // on to Close
  assert.ok(press(true));
  assert.equal(document.activeElement, step);
  tour.end();
});

test("the focus stays where the reader has gone when the tour ends, and returns from the card", () => {
  const { root, tour } = made(cardsOf(LAB));
  tour.show(0);
  const elsewhere = (document.activeElement = new Part());
  tour.end();
  assert.equal(document.activeElement, elsewhere);
  tour.show(0);
  document.activeElement = tour.callout.node;
  tour.end();
  assert.equal(document.activeElement, root.querySelector('[data-do="signs"]'));
});
