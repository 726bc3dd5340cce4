import assert from "node:assert/strict";
import test from "node:test";

import { PredictOffer, mayOffer } from "../../pages/_shared/stage/predict_offer.js";
import { openPage } from "./page.js";

// The offer of a lab; `kept` is the browser's memory.
function made({ kept = {}, questions = true, active = false } = {}) {
  const root = openPage();
  document.querySelector = () => null;
  globalThis.localStorage = { getItem: () => kept.text ?? null, setItem: (_, text) => (kept.text = text) };
  const done = [];
  const quiz = { active, toggle: () => done.push("predict") };
  const player = { end: 3, run: { question: (i) => (questions && i === 2 ? {} : null) }, pause: () => done.push("pause"), do: (what) => done.push(what) };
  const offer = Object.assign(new PredictOffer(root, quiz, player), { lab: "k_means", alone: false });
  const shown = [];
  offer.callout = { show: (...card) => shown.push(card), hide: () => {} };
  return { offer, shown, done, kept };
}

test("Predict is offered once in a lab, and never again if that is wanted", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const first = made();
  first.offer.offer();
  first.offer.offer();
  assert.equal(first.shown.length, 1);
  assert.equal(first.kept.text, "k_means");
  const [, , , [predict, , never]] = first.shown[0];
  predict[1]();
  assert.deepEqual(first.done, ["pause", "predict", "play"]);
  never[1]();
  assert.ok(!mayOffer(first.kept.text, "dbscan"));
  assert.ok(mayOffer("k_means dbscan", "svm") && !mayOffer("k_means dbscan", "dbscan"));
});

test("it is not offered where nothing is asked, on a wall, or where Predict is on", () => {
  for (const how of [{ questions: false }, { active: true }]) {
    const { offer, shown } = made(how);
    offer.offer();
    assert.equal(shown.length, 0);
  }
  const { offer, shown } = made();
  offer.alone = true;
  offer.offer();
  assert.equal(shown.length, 0);
});
