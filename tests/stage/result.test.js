import assert from "node:assert/strict";
import test from "node:test";

import { forgetAttempt, keepAttempt, keptAttempt } from "../../pages/_shared/stage/attempts.js";
import { HandIn } from "../../pages/_shared/stage/hand_in.js";
import { checkCode, facts, resultText } from "../../pages/_shared/stage/result.js";
import { openPage } from "./page.js";

const question = (right) => ({ text: "Which\none?", options: [{ text: "left" }, { text: "right" }], right });
const BEGAN = Date.UTC(2026, 10, 23, 9, 0, 0);
const RESULT = {
  name: " Ada ", lab: "k_means, seeding", link: "http://a.org/k_means?quiz=3&quiz_seed=7", began: BEGAN,
  answers: [
    { step: 2, question: question(1), chosen: 1, right: true, at: BEGAN + 5000, seconds: 5 },
    { step: 4, question: question(0), chosen: 1, right: false, at: BEGAN + 9000, seconds: 3 },
    { step: 9, question: question(0), chosen: null, right: false, at: BEGAN + 61000, seconds: 50 },
  ],
};

test("the result says lab, seed, questions, answers, time and score", () => {
  const lines = resultText(RESULT).split("\n");
  assert.deepEqual(lines.slice(1, 11), [
    "Name: Ada",
    "Lab: k_means, seeding",
    "Link: http://a.org/k_means?quiz=3&quiz_seed=7",
    "Questions: 3, drawn with seed 7",
    "Time: 2026-11-23 09:00:00 to 2026-11-23 09:01:01 UTC, 61 s",
    "Score: 1 of 3",
    "",
    "1. Step 2, 5 s: Which one? Answer: B, right: right.",
    "2. Step 4, 3 s: Which one? Answer: B, right: wrong; it was A, left.",
    "3. Step 9, 50 s: Which one? Skipped: it was A, left.",
  ]);
  assert.match(lines[12], /^Check code: [\da-f]{4}(-[\da-f]{4}){3}$/);
});

test("the code changes with the score, and not with lines that are broken", () => {
  const [text, code] = resultText(RESULT).trim().split("\n\nCheck code: ");
  assert.equal(checkCode(text), code);
  assert.equal(checkCode(text.replaceAll(" ", "\r\n  ")), code);
  assert.notEqual(checkCode(text.replace("Score: 1", "Score: 3")), code);
  assert.notEqual(checkCode(text.replace("Ada", "Eve")), code);
  assert.equal(checkCode("a"), "af63-dc4c-8601-ec8c"); // FNV-1a's published value
});

test("a page around is told once, without the name", () => {
  openPage();
  const told = [];
  window.parent = { postMessage: (...message) => told.push(message) };
  const handIn = new HandIn(() => {});
  handIn.show(RESULT);
  handIn.show(RESULT);
  assert.equal(told.length, 1);
  const [{ chalkline }, to] = told[0];
  assert.equal(to, "*");
  assert.deepEqual([chalkline.score, chalkline.questions, chalkline.seed], [1, 3, 7]);
  assert.ok(!("name" in chalkline));
  assert.equal(facts(RESULT).ended - facts(RESULT).began, 61000);
});

test("an attempt is kept until it is forgotten, and where nothing can be kept it is a new one", () => {
  assert.deepEqual(keptAttempt("a").answers, []);
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
    removeItem: (name) => kept.delete(name),
  };
  const { began, answers } = RESULT;
  keepAttempt("a", { began, answers });
  assert.deepEqual(keptAttempt("a"), { began, answers });
  assert.deepEqual(keptAttempt("b").answers, []);
  forgetAttempt("a");
  assert.deepEqual(keptAttempt("a").answers, []);
  delete globalThis.sessionStorage;
});
