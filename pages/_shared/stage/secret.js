// What would give an answer away is kept back until the answer is given or opened.

import { unpack } from "./packing.js";

/**
 * How much of a view is shown: all of it, all but the marks of an answer, besides its curves only up to the shown step, its points alone, or nothing.
 * @typedef {"all" | "unanswered" | "so far" | "points" | "places" | "nothing"} Share
 */

const FAINT = 0.45; // of a line, after the shown step

/** One switch for Predict's questions, for the situation under way, and for a room that draws. */
export class Secret {
  /**
   * @param {import("./quiz.js").Quiz} quiz
   * @param {import("./lesson.js").Lesson} lesson
   * @param {import("./player.js").Player} player
   * @param {import("./words.js").Words} words
   * @param {() => import("./panel.js").Panel[]} panels
   */
  constructor(quiz, lesson, player, words, panels) {
    this.quiz = quiz;
    this.lesson = lesson;
    this.player = player;
    this.words = words;
    this.panels = panels;
    /** @type {"points" | "places" | null} */
    this.bare = null; // what is seen while a room draws on the points
    quiz.onAsked = lesson.onTold = () => this.keep();
  }

  /** Apply the switch to all views, and to the caption. */
  keep() {
    const { at, run } = this.player;
    const asking = this.quiz.asking;
    const closed = this.lesson.closed && at < run.end;
    this.panels().forEach((panel, i) => panel.setShare(this.bare ? (i ? "nothing" : this.bare) : shareOf(run.views[i], asking, closed, at)));
    this.player.hideEnd(closed && this.lesson.hidesEnd);
    this.player.root.classList.toggle("closed", closed); // hidden views leave their room to others
    this.words.tell(!(asking || closed));
  }

  /** Show nothing but the points, nothing but their places, or all again. @param {"points" | "places" | null} bare */
  setBare(bare) {
    this.bare = bare;
    this.keep();
  }
}

/**
 * Return how much of a view is shown. A view that the reader works with stays while the answer of a situation is
 * closed, without the marks of the answer; a question hides it.
 * @param {import("./protocol.js").View} view
 * @param {boolean} asking a question of Predict waits
 * @param {boolean} closed the answer of the situation is closed, and steps are still to come
 * @param {number} at the shown step
 * @returns {Share}
 */
export function shareOf({ ahead }, asking, closed, at) {
  if (!(asking || closed)) return "all";
  if (ahead === "by step") return "so far";
  const asked = ahead === "to a question" || (ahead === "at the start" && at === 0);
  return ahead === "hidden" || (asking && asked) ? "nothing" : "unanswered";
}

/**
 * Return a figure without the marks that tell an answer, such as a star at the best place.
 * @param {import("./protocol.js").Figure} figure
 * @returns {import("./protocol.js").Figure}
 */
export function unanswered(figure) {
  if (!figure.data.some(({ meta }) => meta === "answer")) return figure;
  return { ...figure, data: figure.data.map((trace) => (trace.meta === "answer" ? hidden(trace) : trace)) };
}

/** @param {any} trace */
const hidden = (trace) => (trace.type === "image" ? { ...trace, visible: false } : { ...trace, x: [], y: [] }); // an image has no x and y

/**
 * Return a figure over the steps as it was known at a step.
 * @param {import("./protocol.js").Figure} figure
 * @param {number} place where its curves are at the step
 * @returns {import("./protocol.js").Figure}
 */
export function soFar(figure, place) {
  const { shapes, ...layout } = figure.layout;
  const known = shapes?.filter((/** @type {{x0: number, x1: number}} */ { x0, x1 }) => x0 !== x1); // an upright line is at a step
  const data = unanswered(figure).data.map((trace) => ended(trace, place));
  return { ...figure, data, layout: shapes ? { ...layout, shapes: known } : layout };
}

/**
 * Return a figure over the steps whose lines are faint after the shown one, and an area between two ends there. A line
 * keeps its number of points, so that it travels to the next step: those still to come lie on the last known one.
 * @param {import("./protocol.js").Figure} figure
 * @param {number} place where its curves are at the step
 * @returns {import("./protocol.js").Figure}
 */
export function faintAhead(figure, place) {
  const lines = figure.data.filter((trace) => isOverSteps(trace, place));
  if (!lines.length) return figure;
  const known = figure.data.map((trace) => (lines.includes(trace) ? gathered(trace, place) : trace));
  const faint = lines.map(({ fill: _, ...trace }) => ({ ...trace, opacity: FAINT * (trace.opacity ?? 1), showlegend: false }));
  return { ...figure, data: [...known, ...faint] };
}

/** @param {Record<string, any>} trace @param {number} place */
function isOverSteps({ type = "scatter", mode = "lines", x }, place) {
  if (type !== "scatter" || !mode.includes("lines")) return false;
  const across = numbers(x);
  return across.length > 2 && across[0] <= place && across.every((at, i) => !(at < across[i - 1]));
}

/** @param {Record<string, any>} trace @param {number} place */
function gathered(trace, place) {
  const [x, y] = [numbers(trace.x), numbers(trace.y)];
  const last = x.findLastIndex((at) => at <= place);
  return { ...trace, x: x.map((at, i) => (i > last ? x[last] : at)), y: y.map((value, i) => (i > last ? y[last] : value)) };
}

/** @param {Record<string, any>} trace @param {number} place */
function ended(trace, place) {
  const [x, y] = [numbers(trace.x), numbers(trace.y)];
  const known = x.flatMap((at, i) => (at <= place ? [i] : []));
  if (known.length === x.length) return trace;
  return { ...trace, x: known.map((i) => x[i]), y: known.map((i) => y[i]) };
}

/** @param {any} values a list, or a packed array @returns {any[]} */
function numbers(values) {
  return values?.bdata === undefined ? (values ?? []) : [...unpack(values)];
}

/** Return a figure with its points alone, or with their places alone. @param {import("./protocol.js").Figure} figure @param {boolean} [grouped] @returns {import("./protocol.js").Figure} */
export function pointsOnly({ points, layout }, grouped = true) {
  const { shapes: _shapes, annotations: _annotations, images: _images, ...bare } = layout;
  return { data: [], layout: { ...bare, showlegend: false }, ...(points ? { points: plainPoints(points, grouped) } : {}) };
}

// How large, strong or wrong a point is tells what the algorithm makes of it.
/** @param {import("./protocol.js").Points} points @param {boolean} grouped */
function plainPoints({ x, y, group, wrong, fills, symbols, names }, grouped) {
  if (!grouped) return { x, y, group: zeros(group), wrong: zeros(wrong) };
  return { x, y, group, wrong: zeros(wrong), ...(fills ? { fills } : {}), ...(symbols ? { symbols } : {}), ...(names ? { names } : {}) };
}

/** @template {{bdata: string}} P @param {P} packed @returns {P} */
const zeros = (packed) => ({ ...packed, bdata: btoa("\0".repeat(atob(packed.bdata).length)) });
