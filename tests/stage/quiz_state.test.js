import assert from "node:assert/strict";
import test from "node:test";

import { QuizState, quizLink, verdict } from "../../pages/_shared/stage/quiz_state.js";

const question = (right) => ({
  text: "Which?",
  options: [{ text: "one" }, { text: "two" }, { text: "three" }],
  right,
  reason: "So it is.",
});

// Put the question of a step, and answer it.
function given(state, step, right, chosen) {
  state.ask(step, question(right));
  state.answer(chosen);
}

test("an answer is right or wrong, and counts once", () => {
  const state = new QuizState();
  assert.equal(state.score, "");
  given(state, 4, 1, 1);
  assert.equal(state.given.right, true);
  assert.equal(state.score, "1 right of 1");
  given(state, 7, 2, 0);
  assert.equal(state.given.right, false);
  assert.equal(state.score, "1 right of 2");
  given(state, 7, 2, 2); // gone back to it, who knows the answer by now
  assert.equal(state.given.right, true);
  assert.equal(state.score, "1 right of 2");
});

test("what is skipped is not right", () => {
  const state = new QuizState();
  given(state, 0, 0, null);
  assert.equal(state.score, "0 right of 1");
  assert.equal(state.missed[0].step, 0);
});

test("a question stands at its step, and its answer at the next one", () => {
  const state = new QuizState();
  assert.equal(state.place, null);
  state.ask(0, question(0));
  assert.equal(state.place, 0);
  state.answer(0);
  assert.equal(state.open, null);
  assert.equal(state.place, 1);
  state.leave();
  assert.equal(state.place, null);
});

test("a quiz goes through its steps, and is over after the last one", () => {
  const state = new QuizState([3, 8, 9]);
  assert.ok(state.isQuiz);
  assert.equal(state.next, 3);
  given(state, 3, 0, 0);
  assert.equal(state.next, 8);
  assert.equal(state.score, "1 right of 1 answered, 3 in all");
  given(state, 8, 0, 1);
  given(state, 9, 0, null);
  assert.equal(state.next, undefined);
  assert.deepEqual(state.missed.map(({ step }) => step), [8, 9]);
  assert.equal(state.result, "The quiz is over: 1 of 3 right.");
});

test("the frames that a quiz needs follow each other", () => {
  const state = new QuizState([3, 8]);
  const path = [0];
  for (let i = 0; i < 5; i++) path.push(state.following(path.at(-1)));
  assert.deepEqual(path, [0, 3, 4, 8, 9, 9]);
  assert.equal(new QuizState().following(6), 7);
});

test("the verdict is in words and in a sign", () => {
  const say = (chosen) => verdict({ question: question(1), chosen });
  assert.equal(say(1), "✓ Right: B, two.");
  assert.equal(say(0), "✕ No, not A. It was B, two.");
  assert.equal(say(null), "Skipped. It was B, two.");
});

test("a link to a quiz is the page's own, from its beginning", () => {
  const link = new URL(quizLink("http://a.b/k_means?k=5&step=12&quiz=3#x", "", 10, 77));
  assert.equal(link.pathname, "/k_means");
  assert.deepEqual(Object.fromEntries(link.searchParams), { k: "5", quiz: "10", quiz_seed: "77" });
  const reached = quizLink("http://localhost:8501/svm?C=1", "http://192.0.2.7:8501", 5, 1);
  assert.equal(reached, "http://192.0.2.7:8501/svm?C=1&quiz=5&quiz_seed=1");
});
