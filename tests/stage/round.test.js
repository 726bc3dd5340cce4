import assert from "node:assert/strict";
import test from "node:test";

import { Round, quizLink, verdict } from "../../pages/_shared/stage/round.js";

const question = (right) => ({
  text: "Which?",
  options: [{ text: "one" }, { text: "two" }, { text: "three" }],
  right,
  reason: "So it is.",
});

// Put the question of a step, and answer it.
function given(round, step, right, chosen) {
  round.ask(step, question(right));
  round.answer(chosen);
}

test("an answer is right or wrong, and counts once", () => {
  const round = new Round();
  assert.equal(round.score, "");
  given(round, 4, 1, 1);
  assert.equal(round.given.right, true);
  assert.equal(round.score, "1 right of 1");
  given(round, 7, 2, 0);
  assert.equal(round.given.right, false);
  assert.equal(round.score, "1 right of 2");
  given(round, 7, 2, 2); // gone back to it, who knows the answer by now
  assert.equal(round.given.right, true);
  assert.equal(round.score, "1 right of 2");
});

test("what is skipped is not right", () => {
  const round = new Round();
  given(round, 0, 0, null);
  assert.equal(round.score, "0 right of 1");
  assert.equal(round.missed[0].step, 0);
});

test("a question stands at its step, and its answer at the next one", () => {
  const round = new Round();
  assert.equal(round.place, null);
  round.ask(0, question(0));
  assert.equal(round.place, 0);
  round.answer(0);
  assert.equal(round.open, null);
  assert.equal(round.place, 1);
  round.leave();
  assert.equal(round.place, null);
});

test("what shows the steps to come is hidden as long as a question waits", () => {
  const round = new Round();
  const views = [{ ahead: false }, { ahead: true }];
  const hidden = () => views.map((view) => round.veils(view));
  assert.deepEqual(hidden(), [false, false]);
  round.ask(0, question(0));
  assert.deepEqual(hidden(), [false, true]);
  round.answer(1);
  assert.deepEqual(hidden(), [false, false]);
});

test("a quiz goes through its steps, and is over after the last one", () => {
  const round = new Round([3, 8, 9]);
  assert.ok(round.isQuiz);
  assert.equal(round.next, 3);
  given(round, 3, 0, 0);
  assert.equal(round.next, 8);
  assert.equal(round.score, "1 right of 1 answered, 3 in all");
  given(round, 8, 0, 1);
  given(round, 9, 0, null);
  assert.equal(round.next, undefined);
  assert.deepEqual(round.missed.map(({ step }) => step), [8, 9]);
  assert.equal(round.result, "The quiz is over: 1 of 3 right.");
});

test("the frames that a quiz needs follow each other", () => {
  const round = new Round([3, 8]);
  const path = [0];
  for (let i = 0; i < 5; i++) path.push(round.following(path.at(-1)));
  assert.deepEqual(path, [0, 3, 4, 8, 9, 9]);
  assert.equal(new Round().following(6), 7);
});

test("the verdict is in words and in a sign", () => {
  const say = (chosen) => verdict({ question: question(1), chosen });
  assert.equal(say(1), "✓ Right: B, two.");
  assert.equal(say(0), "✕ No, not A. It was B, two.");
  assert.equal(say(null), "Skipped. It was B, two.");
});

test("a link to a quiz is the page's own, from its beginning", () => {
  const link = new URL(quizLink("http://a.b/k_means?k=5&step=12&quiz=3#x", 10, 77));
  assert.equal(link.pathname, "/k_means");
  assert.deepEqual(Object.fromEntries(link.searchParams), { k: "5", quiz: "10", quiz_seed: "77" });
});
