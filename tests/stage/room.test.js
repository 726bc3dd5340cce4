import assert from "node:assert/strict";
import test from "node:test";

import { possible } from "../../pages/_shared/room/desk.js";
import { said, scoreInWords } from "../../pages/_shared/room/screen.js";
import { buttonsOf, standing } from "../../pages/_shared/stage/room/controls.js";
import { sliderFor, waysOf } from "../../pages/_shared/stage/room/question.js";
import { Room } from "../../pages/_shared/stage/room/room.js";
import { goesOn, isOver, placeIn } from "../../pages/_shared/stage/room/series.js";
import { changesInWords, countsOf, optionOf, resultsCsv } from "../../pages/_shared/stage/room/tally.js";
import { medianOf, nearestOf, tapsInWords, tapsOf } from "../../pages/_shared/stage/room/taps.js";
import { openPage } from "./page.js";

const KEY = { options: ["x", "y", "z"], right: 2, spots: [] };
const TAPS = { ...KEY, spots: [[0.1, 0.1], [0.9, 0.9], [0.1, 0.9]] };

test("votes are counted by option and round, with the changes", () => {
  const { first, second, changes } = countsOf([[0, 2, 3], [0, 0, 1], [2, 0, 1], [1, null, 4]], KEY);
  assert.deepEqual([first, second], [[4, 4, 1], [2, 0, 3]]);
  assert.deepEqual(changes, [{ from: 0, to: 2, count: 3 }, { from: 2, to: 0, count: 1 }]);
  assert.match(changesInWords(changes, 2), /wrong to right: 3\. From right to wrong: 1\./);
  assert.doesNotMatch(changesInWords(changes), /right/);
});

test("a tap and a number count for the nearest option, as the server counts them", () => {
  assert.equal(optionOf(TAPS, [0.2, 1]), 2);
  assert.equal(optionOf({ ...KEY, spots: [1, 5, 9] }, 6.6), 1);
  assert.equal(optionOf(TAPS, null), null);
});

test("taps count with the last answer of a phone; their median and the nearest are told once the answer is shown", () => {
  const taps = tapsOf([[[0.1, 0.2], null, 1], [[0.9, 0.9], [0.3, 0.2], 2], [[0.5, 0.6], null, 1], [null, null, 4]]);
  assert.deepEqual(taps, [{ at: [0.1, 0.2], count: 1 }, { at: [0.3, 0.2], count: 2 }, { at: [0.5, 0.6], count: 1 }]);
  assert.deepEqual(medianOf(taps), [0.3, 0.2]);
  assert.deepEqual(nearestOf(taps, [0.5, 0.5]).at, [0.5, 0.6]);
  assert.match(tapsInWords(taps, [0.3, 0.6]), /^4 taps .* median, 40 % .* nearest tap, .*, is 20 % away\.$/);
  assert.doesNotMatch(tapsInWords(taps), /right|nearest/);
  assert.deepEqual(tapsOf([[1, null, 3]]), [], "by buttons");
  assert.deepEqual(medianOf([{ at: [0, 1], count: 1 }, { at: [1, 0], count: 1 }]), [0.5, 0.5]);
});

test("the CSV has a line for each option and nothing that a spreadsheet computes", () => {
  const result = { text: 'Why, "so"?', options: ["=1+1", "−3"], right: 1, first: [2, 3], second: null, gained: 0, lost: 0, score: [3, 5] };
  const lines = resultsCsv([result]).split("\r\n");
  assert.equal(lines[1], '1,"Why, ""so""?",A,\'=1+1,no,2,');
  assert.equal(lines[2], '1,"Why, ""so""?",B,−3,yes,3,');
});

test("a question can be answered in the ways that its options allow", () => {
  const asked = (...options) => ({ text: "?", options, right: 0, reason: "" });
  assert.deepEqual(waysOf(asked({ text: "yes" }, { text: "no" })), ["buttons"]);
  assert.deepEqual(waysOf(asked({ text: "a", place: [0, 1, 2] }, { text: "b", place: [0, 3, 4] })), ["buttons", "tap"]);
  assert.deepEqual(waysOf(asked({ text: "a", place: [1, 1, 2] }, { text: "b", place: [0, 3, 4] })), ["buttons"]);
  assert.deepEqual(waysOf(asked({ text: "−3" }, { text: "12" })), ["buttons", "number"]);
  assert.deepEqual(sliderFor([3, 12]), [0, 17, 1]);
  assert.deepEqual(sliderFor([-0.25, 0.5]), [-0.63, 0.88, 0.01]);
});

test("a phone says what to do in each phase, and what was right only at the end", () => {
  const question = { way: "buttons", options: ["x", "y"] };
  const at = (phase, round, votes, mine = {}) =>
    said({ room: { phase, round, question, revealed: { right: "y", reason: "So." } }, mine: { votes, ...mine } });
  assert.match(at("asking", 1, [null, null]).text, /Choose/);
  assert.match(at("asking", 1, [0, null]).text, /A, x\. You can change it/);
  assert.match(at("closed", 1, [0, null]).text, /chose differently/);
  assert.match(at("asking again", 2, [0, null]).text, /Vote again\. Your first answer: A, x/);
  assert.deepEqual(at("revealed", 1, [0, null], { chosen: "x", right: false }).look, "wrong");
  assert.match(at("revealed", 1, [null, null]).text, /^It was: y\.$/);
  assert.equal(scoreInWords({ score: [1, 2] }), "You were right in 1 of 2.");
});

test("the wall says how many have answered, and offers what is possible", () => {
  const told = { phase: "asking", round: 1, phones: 3, answered: 2, left: 1500, code: "ABCD", shown: false, results: [] };
  assert.equal(standing(told), "Room ABCD: 2 of 3 phones answered, 2 s left.");
  const actions = (more) => buttonsOf({ ...told, ...more }).map(([action]) => action);
  assert.deepEqual(actions({}), ["close", "reveal"]);
  assert.deepEqual(actions({ phase: "closed" }), ["again", "reveal", "show"]);
  assert.deepEqual(actions({ phase: "closed", round: 2 }), ["reveal", "show"]);
  assert.equal(actions({ phase: "revealed" })[0], "ask");
  assert.deepEqual(possible({ phase: "closed", round: 1 }), { close: false, again: true, reveal: true });
});

test("without a server no room is opened, and the page says why", () => {
  const quiz = { say: (text) => (quiz.said = text) };
  const room = new Room(openPage(), quiz, {}, {}, () => []);
  room.offer(false, "");
  room.toggle();
  assert.match(quiz.said, /needs Chalkline on a server/);
  assert.equal(room.wire, null);
});

test("a quiz of three goes on after each answer but the last, and the wall says where it is", () => {
  const series = { first: 4, length: 3 };
  assert.deepEqual([3, 4, 6, 7].map((number) => placeIn(series, number)), [0, 1, 3, 0]);
  const told = { phase: "revealed", round: 1, phones: 3, answered: 2, left: null, code: "ABCD", shown: false, results: [{}] };
  assert.equal(standing({ ...told, number: 5 }, series), "Room ABCD, question 2 of 3: 2 of 3 phones answered.");
  assert.equal(buttonsOf({ ...told, number: 5 }, series)[0][1], "Question 3 of 3 (Space)");
  assert.equal(buttonsOf({ ...told, number: 6 }, series)[0][1], "Next question");
  assert.deepEqual([goesOn(series, { phase: "closed", number: 4 }), isOver(series, { phase: "closed", number: 6 })], [false, false]);
  assert.deepEqual([goesOn(series, { ...told, number: 6 }), isOver(series, { ...told, number: 6 })], [false, true]);
  assert.deepEqual([goesOn(null, { ...told, number: 6 }), isOver(null, { ...told, number: 6 })], [false, false]);
});

test("where the run has no further question, a quiz ends with the questions that were asked", () => {
  const said = [];
  const quiz = { held: false, asking: false, state: {}, say: (text) => said.push(text) };
  const player = { at: 7, end: 7, run: { question: () => null } };
  const room = new Room(openPage(), quiz, player, { name: "light" }, () => []);
  room.wire = { close() {} };
  room.kept = { code: "ABCD", secret: "s", series: { first: 1, length: 3 } };
  const told = { phase: "closed", round: 1, number: 2, phones: 1, answered: 1, left: null, code: "ABCD", look: "light", tally: null, results: [] };
  const result = { text: "Why?", score: [1, 1], second: null };
  room.told = told;
  room.heard({ ...told, phase: "revealed", results: [result, result] });
  assert.deepEqual(room.series, { first: 1, length: 2 });
  assert.deepEqual(said, ["This run has no further question"]);
  assert.equal(room.wanted, false);
  assert.equal(room.controls.result.children[0].children.length, 2);
  room.destroy();
});
