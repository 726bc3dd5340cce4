// What the tests are made of.

import { deflateSync } from "node:zlib";

/** Typed arrays as Python packs them. */
export function packed(dtype, numbers) {
  const arrays = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };
  const bytes = new Uint8Array(new arrays[dtype](numbers).buffer);
  return { dtype, bdata: btoa(String.fromCharCode(...bytes)) };
}

/** The answer to a move: a run of so many steps, of which some are there. */
export function opening(total, steps, events = {}) {
  const names = [...new Set(Object.values(events))];
  return {
    total,
    unit: "step",
    first: 0,
    names,
    steps: packed("i4", Object.keys(events).map(Number)),
    kinds: packed("u1", Object.values(events).map((name) => names.indexOf(name))),
    drawing: null,
    views: [{ title: "The data", height: 1, first: { data: [], layout: {} }, track: null, board: true }],
    frames: frames(steps),
  };
}

export function frames(steps) {
  return Object.fromEntries(steps.map((step) => [step, frame(step)]));
}

export function frame(step) {
  return { caption: `step ${step}`, views: [step ? { layout: { now: step } } : {}] };
}

/** A figure of regions as viz/core/plane.py fills them, in cells of size 1 from (0, 0); rows from below. */
export function regions(rows, meta = [0, 1]) {
  const [height, width] = [rows.length, rows[0].length];
  const part = (name, content) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return [length, Buffer.from(name), content, Buffer.alloc(4)];
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const cells = deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row])));
  const file = Buffer.concat([Buffer.alloc(8), ...part("IHDR", size), ...part("PLTE", Buffer.alloc(6)), ...part("IDAT", cells)]);
  const source = `data:image/png;base64,${file.toString("base64")}`;
  const image = { type: "image", source, name: "predicted class, paler where it is less certain", meta, x0: 0.5, dx: 1, y0: 0.5, dy: 1 };
  return { data: [image], layout: {} };
}

/** Wait until a node's label says what had to be unpacked in the background. */
export async function said(node, words) {
  while (!node.attributes["aria-label"].includes(words)) await new Promise((over) => setTimeout(over, 5));
}
