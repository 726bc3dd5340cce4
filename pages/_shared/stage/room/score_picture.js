// The room's score as a picture for slides: a bar for each question.

import { svgNode } from "../svg.js";
import { pngOf } from "../picture.js";

const WIDE = 1280; // pixels
const PER_INCH = 96;
const TITLE_ROOM = 90, QUESTION_ROOM = 78, PICTURE_EDGE = 40; // pixels
const SCORE_BAR = { width: 1040, height: 24 };
const MOST_LETTERS = 100; // of a question, in one line

/**
 * Return the score as a PNG.
 * @param {import("./tally.js").Result[]} results
 * @param {{paper: string, ink: string, bar: string}} look colours
 */
export function scorePicture(results, look) {
  const high = TITLE_ROOM + QUESTION_ROOM * results.length + PICTURE_EDGE / 2;
  const svg = svgNode("svg", { width: WIDE, height: high, viewBox: `0 0 ${WIDE} ${high}`, "font-family": "sans-serif", "font-size": 22, fill: look.ink });
  svg.append(svgNode("rect", { width: WIDE, height: high, fill: look.paper }), lineOf("What the room has answered", PICTURE_EDGE, 52, { "font-size": 30, "font-weight": 700 }));
  results.forEach(({ text, score: [right, all] }, i) => {
    const top = TITLE_ROOM + QUESTION_ROOM * i;
    const line = text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
    const outline = { x: PICTURE_EDGE, y: top + 26, height: SCORE_BAR.height, stroke: look.ink };
    svg.append(lineOf(`${i + 1}. ${line}`, PICTURE_EDGE, top + 16), svgNode("rect", { ...outline, width: SCORE_BAR.width, fill: "none" }),
      svgNode("rect", { ...outline, width: all ? (SCORE_BAR.width * right) / all : 0, fill: look.bar }), lineOf(`${right} of ${all}`, PICTURE_EDGE + SCORE_BAR.width + 16, top + 46, { "font-weight": 700 }));
  });
  return pngOf(svg, WIDE, PER_INCH);
}

/** @param {string} text @param {number} x @param {number} y @param {Record<string, any>} [look] */
function lineOf(text, x, y, look = {}) {
  const made = svgNode("text", { x, y, ...look });
  made.textContent = text;
  return made;
}
