// What a picture predicts at a place, in words: the class of the region there, or the height of a curve.

import { unpack } from "./packing.js";
import { readings, written } from "./readings.js";

const SIGNATURE = 8; // bytes before the first part of a PNG file
const FRAME = 12; // bytes of a part that are no content: its length, name and check
const SLIP = 0.01; // of a cell
const KEPT = 8; // pictures whose cells are remembered

/** @typedef {{width: number, height: number, cells: Uint8Array}} Cells */

/** @type {Map<string, Promise<Cells>>} */
const decoded = new Map();

/**
 * Decode a picture that viz/core/png.py wrote: every cell is an index into its colours.
 * @param {string} source
 * @returns {Promise<Cells>}
 */
async function decodedCells(source) {
  const bytes = unpack({ dtype: "u1", bdata: source.split(",")[1] });
  const file = new DataView(bytes.buffer);
  let at = SIGNATURE;
  while (String.fromCharCode(...bytes.subarray(at + 4, at + 8)) !== "IDAT") at += FRAME + file.getUint32(at);
  const packed = new Blob([bytes.subarray(at + 8, at + 8 + file.getUint32(at))]);
  const content = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  const cells = new Uint8Array(await new Response(content).arrayBuffer());
  return { width: file.getUint32(SIGNATURE + 8), height: file.getUint32(SIGNATURE + 12), cells };
}

/** @param {string} source */
function pictureCells(source) {
  const known = decoded.get(source) ?? decodedCells(source);
  decoded.delete(source);
  decoded.set(source, known); // as the newest
  if (decoded.size > KEPT) decoded.delete(decoded.keys().next().value ?? "");
  return known;
}

/** @param {number} at @param {number} cells on the edge, too, where a handle stops */
const isOn = (at, cells) => at > -SLIP && at < cells + SLIP;

/** @param {number} at @param {number} cells */
const cellAt = (at, cells) => Math.max(0, Math.min(Math.floor(at), cells - 1));

/**
 * @param {any} regions a trace of viz/core/plane.py whose "meta" are the classes of its colours
 * @param {number[]} place
 * @param {string[] | null} classes
 */
async function region({ source, meta, name, x0, dx, y0, dy }, [x, y], classes) {
  const { width, height, cells } = await pictureCells(source);
  const [across, up] = [(x - x0) / dx + 0.5, (y - y0) / dy + 0.5]; // cells from the corner
  if (!(isOn(across, width) && isOn(up, height))) return "";
  const [column, row] = [cellAt(across, width), cellAt(up, height)];
  const found = meta[cells[row * (width + 1) + column + 1]]; // a row begins with its filter
  return found === undefined || found < 0 ? "" : `${name.split(/[,:]/)[0]} ${classes?.[found] ?? found + 1}`;
}

/** The first curve with a name that has one height at every x. @param {import("./protocol.js").Figure} figure @param {number} x */
function curveThere(figure, x) {
  for (const { kind, name, y, rows } of readings(figure)) {
    const rises = rows.every((row, i) => i === 0 || +row.x > +rows[i - 1].x);
    const after = rows.findIndex((row) => +row.x >= x);
    if (kind !== "line" || !name || !rises || after < 1) continue;
    const [a, b] = [rows[after - 1], rows[after]];
    return `${name}: ${y} ${written(+a.y + ((x - +a.x) / (+b.x - +a.x)) * (+b.y - +a.y))}`;
  }
  return "";
}

/**
 * Return what a figure predicts at a place, or "".
 * @param {import("./protocol.js").Figure | undefined} figure
 * @param {number[]} place in data
 * @param {string[] | null} classes the names of the points' groups, if they are classes
 */
export async function predictedAt(figure, place, classes) {
  if (!figure) return "";
  const regions = figure.data.find(({ type, meta, visible }) => type === "image" && Array.isArray(meta) && visible !== false);
  if (regions) return region(regions, place, classes);
  return classes ? "" : curveThere(figure, place[0]);
}
