// The votes as bars, a row for each option: on the wall and on the teacher's phone.

import { MARKS, changesInWords, countsOf } from "./tally.js";

/**
 * @param {string} kind
 * @param {string} name of its class
 * @param {...(string | Node)} content
 * @returns {HTMLElement}
 */
export function part(kind, name, ...content) {
  const node = document.createElement(kind);
  if (name) node.className = name;
  node.append(...content);
  return node;
}

/** @param {number} count @param {number} most @param {string} round */
function bar(count, most, round) {
  const node = part("span", `bar ${round}`);
  node.style.setProperty("--share", String(most ? count / most : 0));
  return part("span", "votes", node, part("b", "", String(count)));
}

/**
 * Draw the votes of both rounds, with the right option marked once the answer is shown.
 * @param {any} told the state of the room
 * @returns {HTMLElement}
 */
export function barsOf({ tally, key, round, phase }) {
  const { first, second, changes } = countsOf(tally, key);
  const again = round === 2;
  const most = Math.max(...first, ...(again ? second : []));
  const right = phase === "revealed" ? key.right : undefined;
  const rows = key.options.map((/** @type {string} */ option, /** @type {number} */ i) => {
    const votes = [bar(first[i], most, "first"), ...(again ? [bar(second[i], most, "second")] : [])];
    const sign = i === right ? "✓ " : "";
    const row = part("li", i === right ? "right" : "", part("span", "option", part("b", "", `${sign}${MARKS[i]} `), option), part("span", "both", ...votes));
    row.setAttribute("aria-label", `${i === right ? "Right: " : ""}${MARKS[i]}, ${option}: ${first[i]}${again ? `, then ${second[i]}` : ""}`);
    return row;
  });
  const list = part("ul", "bars", ...rows);
  list.setAttribute("aria-label", again ? "Votes: the first round, then the second" : "Votes");
  const words = again ? [part("p", "changes", changesInWords(changes, right))] : [];
  return part("div", "tally", list, ...words);
}
