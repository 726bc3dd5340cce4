import assert from "node:assert/strict";
import test from "node:test";

import { Tour, cardsOf } from "../../pages/_shared/stage/tour.js";
import { Part, openPage } from "./page.js";

const LAB = { lead: "Centres move.", marks: ["centre", "point", "centre", "way", "region"], event: { step: 4, name: "converged" }, view: "Inertia" };

test("a tour has five to eight cards, and names marks of different kinds, each once", () => {
  const cards = cardsOf(LAB);
  assert.equal(cards.length, 8);
  assert.deepEqual(cards.flatMap(({ mark }) => mark ?? []), ["centre", "way", "region"]);
  assert.equal(cards.find(({ go }) => go !== undefined).go, 4);
  const classes = cardsOf({ ...LAB, marks: ["point of class 1", "point of class 2", "border", "drag: line"] });
  assert.deepEqual(classes.flatMap(({ mark }) => mark ?? []), ["point of class 1", "border", "drag: line"]);
  assert.ok(cardsOf({ ...LAB, marks: ["node", "edge"], event: null, view: "" }).length >= 5);
});

test("a card that asks for a step goes on when it is taken, and the others do not", () => {
  const root = openPage();
  const gone = [];
  document.querySelector = () => Object.assign(new Part(), { offsetParent: root });
  const player = { run: { steps: [], event: () => null }, go: (step) => gone.push(step) };
  const tour = new Tour(root, { container: root }, player);
  tour.callout.show = () => {};
  tour.cards = cardsOf({ ...LAB, marks: [] });
  tour.show(0);
  tour.shown(1);
  assert.equal(tour.at, 0);
  tour.show(1);
  tour.shown(0);
  assert.equal(tour.at, 1);
  tour.shown(1);
  assert.equal(tour.at, 2);
  assert.deepEqual(gone, [4]);
  tour.end();
  assert.equal(tour.at, -1);
});
