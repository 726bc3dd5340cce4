// What a figure shows, as numbers and words: for tables, and for who cannot see it. A reading is one
// trace, under the names that stand on its axes and in the legend.

import { unpack } from "./packing.js";

const DOT = 12; // the size of the dot at the shown step, as viz/core/curves.py draws it,
const RING = 16; // and of the ring where something is below it
const SLACK = 0.02; // of an axis: what is farther beyond its ends is out of sight

/**
 * @typedef {object} Row
 * @property {number | string} x
 * @property {number | string} y
 * @property {string} text that stands beside it, or that a pointer would show
 */

/**
 * @typedef {object} Reading
 * @property {"now" | "line" | "pieces" | "marks" | "bars" | "text" | "cells"} kind
 * @property {string} name
 * @property {string} x what its axes are called
 * @property {string} y
 * @property {string} axes which pair of axes it has
 * @property {boolean} bare its axes are hidden: places have no meaning, only their order has
 * @property {Row[]} rows
 * @property {Row[][]} pieces of a line with gaps
 * @property {boolean} nodes a pointer would show a text at each of its marks
 */

/** Words as they are read aloud: without tags and without room for the eye. @param {any} html */
export function plain(html) {
  const text = String(html ?? "")
    .replace(/<br ?\/?>/g, ", ")
    .replace(/<[^>]*>/g, "");
  /** @type {Record<string, string>} */
  const letters = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'", nbsp: " " };
  return text.replace(/&(\w+|#x27);/g, (all, name) => letters[name] ?? all).replace(/\s+/g, " ").trim();
}

/** A number with four digits, as captions write it. @param {number | string} value */
export function written(value) {
  if (typeof value !== "number") return plain(value);
  const [digits, power] = String(+value.toPrecision(4)).split("e");
  const raised = [...(power ?? "").replace("+", "")].map((each) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(each)]);
  return digits.replace("-", "−") + (power ? `×10${raised.join("")}` : "");
}

/** The numbers or words of an attribute: a list, a typed array, or nothing. @param {any} values @returns {any[]} */
const list = (values) => (values?.bdata === undefined ? (values ?? []) : Array.from(unpack(values)));

/** The places across of a trace: as they are, or evenly spaced. @param {any} trace */
function across({ x, x0, dx, y }) {
  return x === undefined && dx !== undefined ? list(y).map((_, i) => x0 + i * dx) : list(x);
}

/** What x is called where its axis has no name: in the words that a pointer would show. @param {any} trace */
const hovered = ({ hovertemplate = "" }) => plain(/^([\w ]+?) ?=? ?%\{x\}/.exec(hovertemplate)?.[1]);

/** @param {any} value */
const known = (value) => (typeof value === "number" ? Number.isFinite(value) : Boolean(value));

/** An axis of a trace in the layout. @param {any} layout @param {string} id such as "x2" */
const axisOf = (layout, id) => layout[`${id[0]}axis${id.slice(1)}`] ?? {};

/** What an axis is called, and what more is written there. @param {any} axis @returns {string[]} */
const titles = ({ title }) => String(title?.text ?? title ?? "").split("<br>").map(plain);

/** @param {any} axis */
export const called = (axis) => titles(axis)[0];

/** Whether a value is in sight. @param {any} axis @param {any} value */
function inSight({ range, type }, value) {
  if (!range || typeof value !== "number") return true;
  const at = type === "log" ? Math.log10(value) : value;
  const [low, high] = range[0] < range[1] ? range : [range[1], range[0]];
  const room = SLACK * (high - low);
  return at >= low - room && at <= high + room;
}

/** A value as its axis names it: some have words for numbers. @param {any} axis @param {any} value */
export function named({ tickvals, ticktext }, value) {
  const words = list(ticktext)[list(tickvals).indexOf(value)];
  return words === undefined || /^[\d.,−-]*(10[⁰¹²³⁴-⁹⁻]+)?$/.test(words) ? value : plain(words);
}

/**
 * What an axis adds to its numbers: times that are counted from 1, or heights that go down.
 * @param {any} axis @param {any} value
 */
export function labelled({ tickvals, ticktext }, value) {
  if (typeof value !== "number") return value;
  const at = list(tickvals);
  const read = list(ticktext).map((text) => Number(plain(text).replace("−", "-") || NaN));
  if (read.length < 2 || !read.every(Number.isFinite)) return value;
  if (read.every((text, i) => text === Math.abs(at[i]))) return Math.abs(value);
  return read.every((text, i) => text - at[i] === read[0] - at[0]) ? value + read[0] - at[0] : value;
}

/** @param {any} trace */
function kindOf({ type = "scatter", mode = "lines", marker }) {
  if (type === "bar") return "bars";
  if (type === "heatmap") return "cells";
  if (type !== "scatter") return null;
  if (mode.includes("lines")) return "line";
  if (!mode.includes("markers")) return "text";
  const { size, symbol = 0, color, opacity = 1 } = marker ?? {};
  const now = (symbol === 0 && size === DOT) || (symbol === 100 && size === RING);
  return now && !color && opacity ? "now" : "marks";
}

/** The words at a trace's places. @param {any} trace */
function textsOf({ text, hovertext, opacity }) {
  const words = [hovertext, text].find((each) => Array.isArray(each) && each.some((one) => plain(one)));
  return (words && opacity !== 0 ? words : []).map(plain);
}

/** Cells of a table that is drawn in colours. @param {any} trace @returns {Row[]} */
function cellsOf({ x, y, z }) {
  const rows = list(z).flatMap((line, i) => list(line).map((value, j) => ({ x: list(x)[j], y: list(y)[i], text: value })));
  return rows.filter(({ text }) => known(text)).map((row) => ({ ...row, text: written(row.text) }));
}

/** The stretches of a line between its gaps. @param {Row[]} rows @returns {Row[][]} */
function stretches(rows) {
  /** @type {Row[][]} */
  const found = [[]];
  for (const row of rows) {
    if (known(row.x) && known(row.y)) found.at(-1)?.push(row);
    else if (found.at(-1)?.length) found.push([]);
  }
  return found.filter((piece) => piece.length > 0);
}

/**
 * Read a trace; null if it shows nothing that has numbers or words.
 * @param {any} trace
 * @param {any} layout
 * @returns {Reading | null}
 */
function reading(trace, layout) {
  const kind = kindOf(trace);
  if (!kind || trace.visible === false) return null;
  const [bottom, side] = [axisOf(layout, trace.xaxis ?? "x"), axisOf(layout, trace.yaxis ?? "y")];
  const texts = textsOf(trace);
  const [xs, ys] = [across(trace), list(trace.y)];
  /** @type {Row[]} */
  const all = kind === "cells" ? cellsOf(trace) : xs.map((x, i) => ({ x, y: ys[i], text: texts[i] ?? "" }));
  const pieces = kind === "line" ? stretches(all) : [];
  const seen = (/** @type {Row} */ row) => known(row.x) && known(row.y) && (kind === "line" || (inSight(bottom, row.x) && inSight(side, row.y)));
  const worded = kind === "bars" || kind === "text" || kind === "marks";
  const as = (/** @type {any} */ axis, /** @type {any} */ value) => (worded ? named(axis, labelled(axis, value)) : labelled(axis, value));
  const rows = all
    .filter((row) => (kind === "bars" ? known(row.x) || known(row.y) : seen(row)))
    .filter(({ text }) => kind !== "text" || text)
    .map((row) => ({ ...row, x: as(bottom, row.x), y: as(side, row.y) }));
  if (rows.length === 0) return null;
  const flat = trace.orientation === "h";
  return {
    kind: pieces.length > 1 ? "pieces" : kind,
    name: plain(trace.name),
    x: called(flat ? side : bottom) || hovered(trace),
    y: called(flat ? bottom : side),
    axes: `${trace.xaxis ?? "x"} ${trace.yaxis ?? "y"}`,
    bare: bottom.visible === false && side.visible === false,
    rows: flat ? rows.map(({ x, y, text }) => ({ x: y, y: x, text })) : rows,
    pieces,
    nodes: Array.isArray(trace.hovertext) && kind === "marks",
  };
}

/**
 * All that a figure's traces show, in the order of drawing.
 * @param {import("./protocol.js").Figure} figure
 * @returns {Reading[]}
 */
export function readings({ data, layout }) {
  return data.map((trace) => reading(trace, layout)).filter((found) => found !== null);
}

/** The curve that a mark is on. @param {Reading[]} lines @param {string} axes @param {{x: any, y: any}} mark */
export function curveAt(lines, axes, mark) {
  const close = (/** @type {any} */ y) => Math.abs(y - mark.y) <= 1e-4 * Math.abs(y) + 1e-9;
  return lines.find((line) => line.axes === axes && line.rows.some(({ x, y }) => x === mark.x && close(y)));
}

/** What is written freely on a figure. @param {import("./protocol.js").Figure} figure @returns {string[]} */
export function notes({ layout }) {
  const axes = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  const below = axes.flatMap((name) => titles(layout[name]).slice(1).map((more) => `${called(layout[name])} ${more}`));
  return [...list(layout.annotations).map(({ text }) => plain(text)), ...below].filter(Boolean);
}

/** Where upright and level lines cross a figure's axes. @param {import("./protocol.js").Figure} figure */
export function limits({ layout }) {
  const lines = list(layout.shapes).filter(({ type, visible }) => type === "line" && visible !== false);
  const upright = lines.filter(({ x0, x1 }) => x0 === x1).map(({ x0 }) => x0);
  const level = lines.filter(({ y0, y1, x0, x1 }) => y0 === y1 && x0 !== x1).map(({ y0 }) => y0);
  return { upright, level };
}

/**
 * The points that the stage draws, and which are connected.
 * @param {import("./protocol.js").Figure} figure
 * @param {string[] | null} [classes] the names of the points' groups
 */
export function points({ points: drawn, marks, edges, layout, data }, classes) {
  const [x, y, group, wrong, kind] = [drawn?.x, drawn?.y, drawn?.group, drawn?.wrong, marks?.kind].map(unpack);
  const words = data.map((trace) => reading(trace, layout)).flatMap((found) => (found?.kind === "text" ? found.rows : []));
  const close = (/** @type {Row} */ row, /** @type {number} */ i) => Math.abs(+row.x - x[i]) < 1e-6 && Math.abs(+row.y - y[i]) < 1e-6;
  const rows = Array.from(x, (_, i) => ({
    name: [drawn?.names?.[i], words.find((row) => close(row, i))?.text].filter(Boolean).join(": "),
    x: x[i],
    y: y[i],
    group: classes?.[group[i]] ?? `${group[i] + 1}`,
    wrong: wrong[i] > 0,
    marked: marks !== undefined && marks.sizes[kind[i]] > 0,
  }));
  const places = unpack(edges?.places);
  const ends = Array.from({ length: places.length / 4 }, (_, i) => [...places.slice(4 * i, 4 * i + 4)]);
  const bare = axisOf(layout, "x").visible === false;
  const axes = { x: called(axisOf(layout, "x")) || "x", y: called(axisOf(layout, "y")) || "y" };
  return { ...axes, bare, rows, ends, names: drawn?.names, widths: unpack(edges?.width), grouped: new Set(group).size > 1 || Boolean(classes) };
}
