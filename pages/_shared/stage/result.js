// What a quiz came to, as a text that can be handed in, with a code that shows slips and casual edits.

import { LETTERS } from "./quiz_state.js";

/**
 * A quiz that is over.
 * @typedef {object} Result
 * @property {string} name of who has answered
 * @property {string} lab with its mode
 * @property {string} link to the quiz
 * @property {number} began milliseconds since 1970
 * @property {import("./quiz_state.js").Given[]} answers in the order of the steps
 */

/** The result as numbers, for the page around this one. No name: the page that frames the quiz knows it. */
export function facts(/** @type {Result} */ result) {
  const { lab, link, began, answers } = result;
  const seed = Number(new URL(link).searchParams.get("quiz_seed") ?? 0);
  const ended = Math.max(began, ...answers.map(({ at }) => at));
  const score = answers.filter(({ right }) => right).length;
  return { lab, link, seed, score, questions: answers.length, began, ended };
}

/** The result as a text, with its code in the last line. */
export function resultText(/** @type {Result} */ result) {
  const { lab, link, seed, score, questions, began, ended } = facts(result);
  const seconds = Math.round((ended - began) / 1000);
  const text = [
    "Chalkline, result of a quiz",
    `Name: ${result.name.trim() || "not given"}`,
    `Lab: ${lab}`,
    `Link: ${link}`,
    `Questions: ${questions}, drawn with seed ${seed}`,
    `Time: ${clock(began)} to ${clock(ended)} UTC, ${seconds} s`,
    `Score: ${score} of ${questions}`,
    "",
    ...result.answers.map((given, i) => `${i + 1}. ${line(given)}`),
  ].join("\n");
  return `${text}\n\nCheck code: ${checkCode(text)}\n`;
}

/**
 * The code of a text: FNV-1a with 64 bits of all that is no blank, in four groups. It tells whether
 * a text was changed by a slip; who can read this can also make a code for another text.
 * @param {string} text
 */
export function checkCode(text) {
  let sum = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text.replace(/\s/g, ""))) {
    sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  }
  return (sum.toString(16).padStart(16, "0").match(/.{4}/g) ?? []).join("-");
}

/** @param {import("./quiz_state.js").Given} given */
function line({ step, question, chosen, right, seconds }) {
  const say = (/** @type {number} */ i) => `${LETTERS[i]}, ${question.options[i].text}`;
  const answer = chosen === null ? "Skipped" : `Answer: ${say(chosen)}`;
  const verdict = right ? "right" : `${chosen === null ? "it" : "wrong; it"} was ${say(question.right)}`;
  return `Step ${step}, ${seconds} s: ${question.text.replace(/\s+/g, " ")} ${answer}: ${verdict}.`;
}

const clock = (/** @type {number} */ time) => new Date(time).toISOString().slice(0, 19).replace("T", " ");
