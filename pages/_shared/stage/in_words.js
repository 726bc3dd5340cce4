// A sentence about a view at a step, from what it draws: values now, at the ends, least and most.

import { unpack } from "./packing.js";
import { curveAt, notes, points, readings, written } from "./readings.js";

const MOST = 6; // parts of a sentence
const LONG = 100; // words: nobody listens to more of them
const NOTHING = "No numbers at this step.";
const FEW = 5; // bars, marks or words that are listed; of more, the first or the largest

/** @typedef {import("./readings.js").Reading} Reading */
/** @typedef {import("./readings.js").Row} Row */

/** @param {Row} row @param {string} x what the axis is called */
const at = ({ x: place }, x) => `at ${x ? `${x} ` : ""}${written(place)}`;

/** @param {number} n @param {string} thing */
const counted = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** @param {Row[]} rows */
function extremes(rows) {
  const least = rows.reduce((a, b) => (+b.y < +a.y ? b : a));
  const most = rows.reduce((a, b) => (+b.y > +a.y ? b : a));
  return { least, most };
}

/** A curve: where it is now, where it begins and ends, how low and how high it gets. */
function curve(/** @type {Reading} */ { name, x, y, rows }, /** @type {Row | undefined} */ now) {
  const called = name || y || "a curve";
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (rows.length === 2 && first.x === last.x) return `${name || "an upright line"} ${at(first, x)}`;
  if (rows.length === 2 && first.y === last.y && !now) return `${name || "a level line"} ${at({ ...first, x: first.y }, y)}`;
  const { least, most } = extremes(rows);
  if (rows.length > 3 && first.x === last.x && first.y === last.y) {
    const across = rows.map((row) => +row.x).sort((a, b) => a - b);
    const [left, right] = [across[0], across[across.length - 1]].map(written);
    return `${name || "a closed line"}: ${x || "x"} from ${left} to ${right}, ${y || "y"} from ${written(least.y)} to ${written(most.y)}`;
  }
  const level = written(least.y) === written(most.y);
  if (level) return `${called} is ${written(first.y)}${now ? ", also now" : " throughout"}`;
  const parts = now ? [`${written(now.y)} now, ${at(now, x)}`] : [];
  parts.push(`from ${written(first.y)} ${at(first, x)} to ${written(last.y)} ${at(last, x)}`);
  const ends = [first, last];
  if (!ends.includes(least)) parts.push(`least ${written(least.y)} ${at(least, x)}`);
  if (!ends.includes(most)) parts.push(`most ${written(most.y)} ${at(most, x)}`);
  return `${called}: ${parts.join(", ")}`;
}

/** @param {Reading} reading */
function bars({ name, x, y, rows }) {
  const said = (/** @type {Row} */ { x: place, y: value, text }) => {
    const where = text && typeof place === "number" ? text : place;
    return typeof where === "string" ? `${where} ${written(value)}` : `${written(value)} at ${x ? `${x} ` : ""}${written(where)}`;
  };
  const called = name || y || "bars";
  if (rows.length <= FEW) return `${called}: ${rows.map(said).join(", ")}`;
  const { least, most } = extremes(rows);
  return `${called}: ${rows.length} bars, highest ${said(most)}, lowest ${said(least)}`;
}

/** @param {Row[]} rows @param {string} what */
function listed(rows, what) {
  const words = rows.map(({ text }) => text).filter(Boolean);
  if (words.length === 0) return "";
  const shown = words.slice(0, 2 * FEW).join("; ");
  return words.length > 2 * FEW ? `${words.length} ${what}, first ${shown}` : `${what}: ${shown}`;
}

/** Marks: the few with their places, of many how low and how high they are. @param {Reading} reading */
function marks({ name, x, y, rows, bare, nodes }) {
  if (nodes || (bare && rows.some(({ text }) => text))) return listed(rows, nodes ? "nodes" : name || "marked");
  const place = (/** @type {Row} */ row) => `${row.text ? `${row.text} at ` : ""}${x || "x"} ${written(row.x)}, ${y || "y"} ${written(row.y)}`;
  if (rows.length <= FEW) return bare ? "" : `${name || "marked"}: ${rows.map(place).join("; ")}`;
  const many = `${name ? `${name}: ` : ""}${counted(rows.length, "mark")}`;
  if (bare || rows.some((row) => typeof row.y !== "number")) return many;
  const { least, most } = extremes(rows);
  return `${many}, ${y || "y"} from ${written(least.y)} to ${written(most.y)}`;
}

/** The mark of the shown step on a curve, if the curve has it. @param {Reading} line @param {any[]} now */
const markOn = (line, now) => now.find((mark) => curveAt([line], mark.axes, mark));

/** @param {Reading[]} found @returns {string[]} */
function traces(found) {
  const now = found.filter(({ kind }) => kind === "now").flatMap(({ axes, x, y, rows }) => rows.map((row) => ({ ...row, axes, name: { x, y } })));
  const used = new Set();
  const said = found.map((reading) => {
    const { kind, rows, bare, name } = reading;
    if (kind === "line" && !bare && rows.length > 1) {
      const mark = markOn(reading, now);
      if (mark) used.add(mark);
      return curve(reading, mark);
    }
    if (kind === "bars") return bars(reading);
    if (kind === "marks") return marks(reading);
    if (kind === "text" || kind === "cells") return listed(rows, "written");
    if (kind === "pieces" && !bare) return `${name || "a line"} in ${reading.pieces?.length} pieces`;
    return "";
  });
  const alone = now.filter((mark) => !used.has(mark) && typeof mark.y === "number");
  const marked = alone.map(({ name, x, y }) => `now ${name.y || "y"} ${written(y)} at ${name.x || "x"} ${written(x)}`);
  return [...(found.every(({ bare }) => bare) ? [] : marked), ...said];
}

/** A tree by its root and by the node of this step; its table has the others. @param {Reading[]} found */
function treeInWords(found) {
  const nodes = found.flatMap((reading) => (reading.nodes ? reading.rows : []));
  if (nodes.length === 0) return [];
  const [mark] = found.flatMap(({ kind, rows }) => (kind === "now" ? rows : []));
  const here = mark && nodes.find(({ x, y }) => x === mark.x && y === mark.y);
  return [counted(nodes.length, "node"), `the root: ${nodes[0].text}`, here ? `now: ${here.text}` : ""];
}

/** Numbers that the picture does not write: the largest and the smallest. @param {import("./protocol.js").Told | undefined} told */
function toldInWords(told) {
  const values = [...unpack(told?.values)];
  if (!told || values.length === 0) return [];
  const { columns, names, title } = told;
  const said = columns.map((column, j) => {
    const rows = names.map((text, i) => ({ x: i, y: values[i * columns.length + j], text }));
    const { least, most } = extremes(rows);
    return `${column} from ${written(least.y)} (${least.text}) to ${written(most.y)} (${most.text})`;
  });
  return [`${title}: ${names.length}`, ...said];
}

/** The points that the stage draws. @param {import("./protocol.js").Figure} figure @param {string[] | null} classes */
function pointsInWords(figure, classes) {
  const { rows, ends, names } = points(figure, classes);
  const wrong = rows.filter((row) => row.wrong).length;
  const marked = rows.filter((row) => row.marked).length;
  const counts = [counted(rows.length, "point"), wrong ? `${wrong} wrong` : "", marked ? `${marked} marked` : ""];
  return [
    rows.length && !names ? counts.filter(Boolean).join(", ") : "",
    names ? listed(rows.map(({ x, y, name }) => ({ x, y, text: name })), "nodes") : "",
    ends.length ? counted(ends.length, "connection") : "",
  ];
}

/**
 * What a view shows, in a sentence.
 * @param {import("./protocol.js").Figure} figure
 * @param {string[] | null} classes the names of the points' groups, if they are classes
 */
export function inWords(figure, classes) {
  const found = readings(figure);
  const tree = treeInWords(found);
  const told = toldInWords(figure.told);
  const drawn = told.length || figure.points?.names ? found.filter(({ kind, name }) => name || kind === "now") : found;
  const parts = [
    ...told,
    ...tree,
    ...(tree.length ? [] : traces(drawn)),
    ...pointsInWords(figure, classes),
    listed(notes(figure).map((text) => ({ x: 0, y: 0, text })), "notes"),
  ];
  const said = [...new Set(parts.filter(Boolean))];
  const words = (/** @type {number} */ count) => said.slice(0, count).join(" ").split(" ").length;
  let count = Math.min(MOST, said.length);
  while (count > 1 && words(count) > LONG) count--;
  const more = said.length > count ? [`and ${said.length - count} more in the table`] : [];
  return said.length ? `${[...said.slice(0, count), ...more].join("; ")}.` : NOTHING;
}
