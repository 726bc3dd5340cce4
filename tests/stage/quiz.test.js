import assert from "node:assert/strict";
import test from "node:test";

import { Quiz } from "../../pages/_shared/stage/quiz.js";
import { Secret } from "../../pages/_shared/stage/secret.js";
import { openPage } from "./page.js";

const QUESTION = {
  text: "Which way?", options: [{ text: "left", place: [0, 1, 2] }, { text: "right" }],
  right: 1, reason: "It is so.", place: [1, 3, 4],
};

// A quiz over a run of ten steps, of which some have a question.
function made(asked = [2, 5], settings = { predict: false }) {
  const root = openPage();
  const gone = [];
  const run = {
    views: [{}, { ahead: "hidden" }],
    question: (step) => (asked.includes(step) ? QUESTION : null),
  };
  const player = { root, run, go: (...where) => gone.push(where), do: (what) => gone.push([what]), hideEnd() {} };
  const panels = [0, 1].map(() => ({
    pins: { show(pins) { this.shown = pins; } },
    setShare(share) { this.share = share; },
  }));
  const quiz = new Quiz(root, player, settings, () => panels);
  new Secret(quiz, { closed: false }, player, { tell() {} }, () => panels);
  const part = (name) => root.querySelector(".quiz").querySelector(`.${name}`);
  const press = (i) => part("options").children[i].onclick();
  return { quiz, player, panels, settings, gone, part, press };
}

test("predicting stops the player before a step with a question, and only there", () => {
  const { quiz, player, part } = made();
  assert.ok(!player.asks(2));
  quiz.toggle();
  assert.ok(player.asks(2));
  assert.ok(player.asks(2)); // it still waits
  assert.ok(quiz.asking);
  assert.equal(part("asked").words, "Which way?");
  assert.deepEqual(part("options").children.map(({ words }) => words), ["A left", "B right"]);
  assert.ok(!made().player.asks(3));
});

test("an answer goes to the step and gives the reason", () => {
  const { quiz, player, gone, part, press } = made();
  quiz.toggle();
  player.asks(2);
  press(1);
  assert.deepEqual(gone, [[3, "step"]]);
  assert.ok(!quiz.asking);
  assert.match(part("asked").words, /^✓.*right.*It is so\.$/);
  assert.match(part("score").textContent, /^1 .* 1$/);
});

test("no answer that is not there can be given, but a question can be skipped", () => {
  const { quiz, player, gone } = made();
  quiz.toggle();
  player.asks(2);
  quiz.answer(2);
  assert.ok(quiz.asking);
  assert.ok(quiz.takes("step"));
  assert.deepEqual(gone, [[3, "step"]]);
  assert.equal(quiz.state.right, 0);
});

test("while a question waits, views that show what comes are hidden and places can be pressed", () => {
  const { quiz, player, panels, gone } = made();
  quiz.toggle();
  player.asks(2);
  assert.deepEqual(panels.map(({ share }) => share), ["unanswered", "nothing"]);
  const [answer] = panels[0].pins.shown;
  assert.deepEqual([answer.text, answer.look, answer.place], ["A", "answer", [1, 2]]);
  assert.deepEqual(panels[1].pins.shown.map(({ look }) => look), ["asked"]);
  answer.press();
  assert.deepEqual(panels.map(({ share }) => share), ["all", "all"]);
  assert.deepEqual(panels[0].pins.shown.map(({ look }) => look), ["wrong"]);
  assert.deepEqual(gone, [[3, "step"]]);
});

test("another step leaves the question", () => {
  const { quiz, player } = made();
  quiz.toggle();
  player.asks(2);
  quiz.shown(2, 2);
  assert.ok(quiz.asking);
  quiz.shown(7, 7);
  assert.ok(!quiz.asking);
});

test("a quiz goes from question to question, and then says what was missed", () => {
  const { quiz, gone, part, press } = made();
  quiz.setRun("run", [2, 5], true);
  assert.deepEqual(gone.pop(), [2, "quiz"]);
  quiz.shown(0, 2); // the frame has not come yet
  assert.ok(!quiz.asking);
  quiz.shown(2, 2);
  press(0);
  assert.ok(quiz.takes("play"));
  assert.deepEqual(gone.pop(), [5, "quiz"]);
  quiz.shown(5, 5);
  press(1);
  quiz.shown(6, 6);
  assert.ok(quiz.takes("play"));
  assert.match(part("asked").words, /1 of 2/);
  const [result, ...missed] = part("options").children;
  assert.equal(missed.length, 1);
  missed[0].children.find(({ onclick }) => onclick).onclick();
  assert.deepEqual(gone.at(-1), [2, null]);
  result.children.find(({ textContent }) => textContent === "Again").onclick();
  assert.deepEqual(gone.at(-1), [2, "quiz"]);
});

test("a quiz that was ended begins again by a link alone", () => {
  const { quiz } = made();
  quiz.setRun("run", [2, 5], true);
  quiz.toggle();
  assert.ok(!quiz.active);
  quiz.setRun("other run", [2, 5], false);
  assert.ok(!quiz.active);
  quiz.setRun("run", [2, 5], true);
  assert.ok(quiz.active);
});

test("the same run goes on with its answers, another one begins without", () => {
  const { quiz, player, press } = made([2], { predict: true });
  quiz.setRun("run", [], false);
  player.asks(2);
  press(1);
  quiz.setRun("run", [], false);
  assert.equal(quiz.state.right, 1);
  quiz.setRun("other", [], false);
  assert.equal(quiz.state.right, 0);
});

test("without a quiz all actions are the player's", () => {
  const { quiz } = made();
  assert.deepEqual(["step", "play", "back"].map((action) => quiz.takes(action)), [false, false, false]);
});
