// The numbers of a figure as tables: what is drawn, and nothing else. Long ones are thinned, and say so.

import { unpack } from "./packing.js";
import { curveAt, limits, notes, points, readings, written } from "./readings.js";

const MOST_ROWS = 200;

/**
 * @typedef {object} Table
 * @property {string} caption
 * @property {string[]} columns
 * @property {(number | string)[][]} rows
 */

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {(number | string)[][]} rows
 * @returns {Table}
 */
function table(caption, columns, rows) {
  if (rows.length <= MOST_ROWS) return { caption, columns, rows };
  const last = rows.length - 1;
  const kept = Array.from({ length: MOST_ROWS }, (_, i) => rows[Math.round((i * last) / (MOST_ROWS - 1))]);
  return { caption: `${caption}: ${MOST_ROWS} of ${rows.length} rows, evenly spaced`, columns, rows: kept };
}

/** @typedef {import("./readings.js").Reading} Reading */

/** Curves and bars over the same x stand in one table. @param {Reading[]} found @returns {Table[]} */
function curves(found) {
  /** @type {Map<string, Reading[]>} */
  const alike = new Map();
  for (const reading of found) {
    const key = `${reading.axes} ${reading.rows.map(({ x }) => x)}`;
    alike.set(key, [...(alike.get(key) ?? []), reading]);
  }
  return [...alike.values()].map((group) => {
    const [{ x, y, rows }] = group;
    const worded = group.length === 1 && rows.some(({ text }) => text);
    const names = group.map(({ name }, i) => name || (group.length > 1 ? `${y || "value"} ${i + 1}` : y || "value"));
    const columns = [x || "place", ...names, ...(worded ? ["written"] : [])];
    const lines = rows.map((row, i) => [row.x, ...group.map((each) => each.rows[i].y), ...(worded ? [row.text] : [])]);
    return table(y || names.join(", "), columns, lines);
  });
}

/** Lines of several pieces: where each begins and ends. @param {Reading} reading @returns {Table} */
function pieces({ name, x, y, pieces: parts }) {
  const [across, up] = [x || "x", y || "y"];
  const columns = [`${across} from`, `${up} from`, `${across} to`, `${up} to`];
  const ends = parts.map((piece) => [piece[0], piece[piece.length - 1]]);
  return table(name || "Pieces of a line", columns, ends.map(([a, b]) => [a.x, a.y, b.x, b.y]));
}

/** Places without a line through them. @param {Reading} reading @param {string} caption @returns {Table} */
function places({ name, x, y, rows }, caption) {
  const worded = rows.some(({ text }) => text);
  const columns = [x || "x", y || "y", ...(worded ? ["written"] : [])];
  return table(name || caption, columns, rows.map((row) => [row.x, row.y, ...(worded ? [row.text] : [])]));
}

/** Words that stand in rows and columns are a table by themselves. @param {Reading[]} found @returns {Table[]} */
function grid(found) {
  const all = found.flatMap(({ rows }) => rows).filter(({ text }) => text);
  const sorted = (/** @type {(number | string)[]} */ values) => [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - +b : 0));
  const [columns, lines] = [sorted(all.map(({ x }) => x)), sorted(all.map(({ y }) => y))];
  if (all.length === 0) return [];
  if (all.length < 0.6 * columns.length * lines.length || columns.length < 2) {
    return [table("What is written", ["place", "words"], all.map(({ text }, i) => [i + 1, text]))];
  }
  const at = new Map(all.map(({ x, y, text }) => [`${x} ${y}`, text]));
  const words = lines.map((y) => columns.map((x) => at.get(`${x} ${y}`) ?? ""));
  const head = columns.map((x, i) => (typeof x === "string" ? x : `column ${i + 1}`));
  return [table("What is written", head, words)];
}

/** The nodes of a tree, each with the one that it hangs on. @param {Reading[]} found @returns {Table[]} */
function tree(found) {
  const nodes = found.flatMap((reading) => (reading.nodes ? reading.rows : [])).sort((a, b) => +a.x - +b.x || +a.y - +b.y);
  const words = found.flatMap((reading) => (reading.nodes ? [] : reading.rows)).filter(({ text }) => text);
  /** @type {(a: {x: any, y: any}, b: {x: any, y: any}) => boolean} */
  const same = (a, b) => Math.hypot(+a.x - +b.x, +a.y - +b.y) < 1e-3;
  const links = found.flatMap((reading) => reading.pieces).filter((piece) => !same(piece[0], piece[piece.length - 1]));
  const number = (/** @type {{x: any, y: any}} */ place) => nodes.findIndex((node) => same(node, place)) + 1;
  const rows = nodes.map((node, i) => {
    const says = words.filter((word) => same(word, node) && !node.text.startsWith(word.text)).map(({ text }) => `: ${text}`);
    const [above] = links.find((piece) => same(piece[piece.length - 1], node) && number(piece[0])) ?? [];
    if (!above) return [i + 1, node.text + says.join(""), "", ""];
    const answer = words.find((word) => same(word, { x: above.x, y: node.y }))?.text;
    return [i + 1, node.text + says.join(""), number(above), answer ?? (+above.y > +node.y ? "upper" : "lower")];
  });
  return nodes.length > 1 && links.length > 0 ? [table("Nodes", ["node", "test and points", "under node", "branch"], rows)] : [];
}

/** The values at the shown step. @param {Reading[]} found @returns {Table[]} */
function now(found) {
  const lines = found.filter(({ kind }) => kind === "line");
  const rows = found
    .filter(({ kind }) => kind === "now")
    .flatMap((reading) => reading.rows.map(({ x, y }) => [curveAt(lines, reading.axes, { x, y })?.name || reading.y || "value", `${reading.x} ${written(x)}`.trim(), y]));
  return rows.length ? [table("Now", ["what", "at", "value"], rows)] : [];
}

/** @param {import("./protocol.js").Figure} figure @param {string[] | null} [classes] @returns {Table[]} */
function board(figure, classes) {
  const { x, y, rows, ends, grouped, names, widths } = points(figure, classes);
  const wrong = rows.some((row) => row.wrong);
  const marked = rows.some((row) => row.marked);
  const worded = rows.some((row) => row.name);
  const columns = ["point", ...(worded ? ["written"] : []), x, y, ...(grouped ? ["group"] : []), ...(wrong ? ["wrong"] : []), ...(marked ? ["marked"] : [])];
  const lines = rows.map((row, i) => [
    i + 1,
    ...(worded ? [row.name] : []),
    row.x,
    row.y,
    ...(grouped ? [row.group] : []),
    ...(wrong ? [row.wrong ? "yes" : ""] : []),
    ...(marked ? [row.marked ? "yes" : ""] : []),
  ]);
  const found = lines.length ? [table("Points", columns, lines)] : [];
  if (names) {
    const at = new Map(rows.map((row, i) => [`${Math.fround(row.x)} ${Math.fround(row.y)}`, names[i]]));
    const named = (/** @type {number} */ px, /** @type {number} */ py) => at.get(`${Math.fround(px)} ${Math.fround(py)}`) ?? "";
    const joined = ends.map(([x0, y0, x1, y1], i) => ({ width: widths[i], row: [named(x0, y0), named(x1, y1), widths[i]] }));
    const drawn = joined.filter(({ width }) => width > 0).map(({ row }) => row);
    return [...found, table("Connections", ["from", "to", "width of the line"], drawn)];
  }
  const links = [`${x} from`, `${y} from`, `${x} to`, `${y} to`];
  return ends.length ? [...found, table("Connections", links, ends)] : found;
}

/** Words and numbers that the picture itself does not write. @param {import("./protocol.js").Figure} figure */
function told({ told: more }) {
  if (!more) return [];
  const values = unpack(more.values);
  const width = more.columns.length;
  const rows = more.names.map((name, i) => [name, ...values.slice(i * width, (i + 1) * width)]);
  return [table(more.title, [more.of, ...more.columns], rows)];
}

/**
 * A figure's numbers.
 * @param {import("./protocol.js").Figure} figure
 * @param {string[] | null} [classes] the names of the points' groups, if they are classes
 * @returns {Table[]}
 */
export function tables(figure, classes) {
  const found = readings(figure);
  const bare = found.filter((reading) => reading.bare);
  const seen = found.filter((reading) => !reading.bare);
  const of = (/** @type {string[]} */ ...kinds) => seen.filter(({ kind }) => kinds.includes(kind));
  const hanging = tree(bare);
  const free = bare.filter(({ kind }) => kind === "text" || kind === "marks" || kind === "line");
  const { upright, level } = limits(figure);
  const written = notes(figure);
  const crossing = [...upright.map((at) => ["upright, at", at]), ...level.map((at) => ["level, at", at])];
  const drawn = [
    ...told(figure),
    ...now(seen),
    ...curves(of("line", "bars")),
    ...of("marks").map((reading) => places(reading, "Marks")),
    ...hanging,
    ...grid([...of("cells", "text"), ...(hanging.length ? [] : free)]),
    ...of("pieces").map(pieces),
    ...board(figure, classes),
    ...(written.length ? [table("Notes", ["note", "words"], written.map((text, i) => [i + 1, text]))] : []),
    ...(crossing.length ? [table("Lines across", ["line", "value"], crossing)] : []),
  ];
  const all = drawn.length ? drawn : bare.map((one) => (one.kind === "pieces" ? pieces(one) : places(one, "Places")));
  return all.filter(({ rows }) => rows.length > 0);
}
