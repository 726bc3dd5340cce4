import assert from "node:assert/strict";
import test from "node:test";

import { Lesson } from "../../pages/_shared/stage/lesson.js";
import { Part, openPage } from "./page.js";

const SITUATION = { question: "How many?", todo: "Play.", answer: "Three.", hides_end: false, place: "Week 6: 3 of 11", previous: "", next: "DBSCAN: Noise" };
const NEXT = ".st-key-next_situation a";

// A stage with its question; `pressed` are the links of the page that were pressed.
function made(lesson = SITUATION, { presenting = false, links = [NEXT] } = {}) {
  const root = openPage();
  const pressed = [];
  const said = [];
  document.querySelector = (selector) => (links.includes(selector) ? { click: () => pressed.push(selector) } : null);
  const presenter = { on: presenting, handsOn: false, enter: () => (presenter.on = true) };
  const shown = new Lesson(root, presenter, { say: (what) => said.push(what) });
  shown.show("k-means", lesson);
  return { root, shown, pressed, said, presenter, box: root.querySelector(".lesson") };
}

test("the question, its place and the lab are shown; where there is no neighbour the button is off", () => {
  const { root, shown } = made();
  assert.equal(shown.question.textContent, "How many?");
  assert.equal(shown.stop.textContent, "Week 6: 3 of 11");
  assert.equal(root.querySelector(".on-wall").textContent, "k-means");
  assert.equal(shown.buttons.previous.disabled, true);
  assert.equal(shown.buttons.next.disabled, false);
  assert.equal(shown.buttons.next.getAttribute("aria-label"), "Next situation, DBSCAN: Noise");
  assert.equal(shown.hidesEnd, false);
  assert.equal(made({ ...SITUATION, hides_end: true }).shown.hidesEnd, true);
});

test("the answer opens and closes, and is closed at the next question", () => {
  const { shown } = made();
  assert.equal(shown.tells.textContent, "");
  shown.turn();
  assert.equal(shown.tells.textContent, "Three.");
  assert.equal(shown.answer.getAttribute("aria-expanded"), "true");
  shown.show("k-means", { ...SITUATION }); // a rerun
  assert.equal(shown.tells.textContent, "Three.");
  shown.show("k-means", { ...SITUATION, question: "And now?" });
  assert.equal(shown.tells.textContent, "");
});

test("without a situation there is nothing above the picture, and the keys say why", () => {
  const { shown, box, said } = made(null, { links: [] });
  assert.equal(box.hidden, true);
  shown.turn();
  shown.go("next");
  assert.equal(said.length, 2);
});

test("the way to the next lab keeps presenter mode, and takes the focus to its question", () => {
  const first = made(SITUATION, { presenting: true });
  first.shown.go("previous");
  assert.deepEqual([first.pressed, first.said], [[], ["There is no previous situation"]]);
  first.shown.go("next");
  assert.deepEqual(first.pressed, [NEXT]);
  assert.equal(first.presenter.handsOn, true);
  const second = made({ ...SITUATION, question: "And noise?" });
  assert.equal(second.presenter.on, true);
  assert.equal(document.activeElement, second.shown.asks);
  const third = made({ ...SITUATION, question: "By hand?" });
  assert.equal(third.presenter.on, false); // reached by another way
  assert.ok(document.activeElement === null || document.activeElement instanceof Part);
});
