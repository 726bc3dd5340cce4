// What a room has answered: votes for each option in both rounds, and who has changed to what.

/** An option's index, a number, or a place in the picture as shares of its axes. @typedef {number | number[]} Answer */
/** The first vote, the second one, and how many phones gave these two. @typedef {[Answer | null, Answer | null, number]} Votes */
/** @typedef {{options: string[], right: number, spots: Answer[]}} Key the options, and the answers that stand for them */
/** @typedef {{text: string, options: string[], right: number, first: number[], second: number[] | null, gained: number, lost: number, score: number[]}} Result */

export const MARKS = "ABCDE";

/** @param {Answer} one @param {Answer} other */
function distance(one, other) {
  const [a, b] = [[one].flat(), [other].flat()];
  return Math.hypot(...a.map((value, i) => value - b[i]));
}

/** Return the option that an answer counts for: of a tap and a number the nearest. @param {Key} key @param {Answer | null} answer */
export function optionOf({ spots }, answer) {
  if (answer === null || !spots.length) return /** @type {number | null} */ (answer);
  const far = spots.map((spot) => distance(spot, answer));
  return far.indexOf(Math.min(...far));
}

/**
 * Return the votes for each option in both rounds, and the changes from option to option, most frequent first.
 * @param {Votes[]} tally
 * @param {Key} key
 */
export function countsOf(tally, key) {
  const none = () => key.options.map(() => 0);
  const [first, second] = [none(), none()];
  const flow = key.options.map(none);
  for (const [one, two, count] of tally) {
    const [from, to] = [optionOf(key, one), optionOf(key, two)];
    if (from !== null) first[from] += count;
    if (to !== null) second[to] += count;
    if (from !== null && to !== null) flow[from][to] += count;
  }
  const changes = flow.flatMap((row, from) => row.map((count, to) => ({ from, to, count })));
  return { first, second, changes: changes.filter(({ from, to, count }) => count && from !== to).sort((a, b) => b.count - a.count) };
}

/** @param {number} n @param {string} thing */
export const several = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** Write a cost with three digits. @param {number} cost */
export const inDigits = (cost) => String(+cost.toPrecision(3)).replace("-", "−");

/**
 * Say who went from which answer to which.
 * @param {{from: number, to: number, count: number}[]} changes
 * @param {number} [right] unknown as long as the answer is not shown
 */
export function changesInWords(changes, right) {
  if (!changes.length) return "Nobody changed their answer.";
  const moves = changes.map(({ from, to, count }) => `${MARKS[from]} → ${MARKS[to]}: ${count}`).join(", ");
  if (right === undefined) return `Changes: ${moves}.`;
  const sum = (/** @type {(change: {from: number, to: number}) => boolean} */ which) =>
    changes.filter(which).reduce((all, { count }) => all + count, 0);
  const gained = sum(({ to }) => to === right);
  const lost = sum(({ from }) => from === right);
  return `From wrong to right: ${gained}. From right to wrong: ${lost}. Changes: ${moves}.`;
}

/** Write the counts of all questions as CSV, a line for each option. @param {Result[]} results */
export function resultsCsv(results) {
  const cell = (/** @type {string | number} */ value) => {
    const text = String(value);
    const safe = /^[=+@\t\r-]/.test(text) && Number.isNaN(+text) ? `'${text}` : text; // a spreadsheet would compute it
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = results.flatMap(({ text, options, right, first, second }, i) =>
    options.map((option, j) => [i + 1, text, MARKS[j], option, j === right ? "yes" : "no", first[j], second ? second[j] : ""]));
  const head = ["question", "text", "letter", "option", "right", "first vote", "second vote"];
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
