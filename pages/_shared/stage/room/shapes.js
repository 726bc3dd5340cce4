// How a drawing looks that a few places stand for: the same on the wall and on a phone. Places are
// shares of the axes, from the left and from the bottom.

const SHAPES_NAMESPACE = "http://www.w3.org/2000/svg";
const BEYOND = 60; // a line is drawn this many times as long as the picture, which cuts it off
const BESIDE = 0.16; // of the axes: from a stump's cut to the handle on its side
const INSIDE = 0.02; // of the axes: a cut stays this far from the edges, so that its side can be seen

/** @typedef {"line" | "street" | "points" | "stump" | "disc"} Shape see viz.core.drawing */
/** How the best one of a room, the median one and the algorithm's look. @param {Shape} shape */
export const looks = (shape) => (shape === "points" ? ["large dots", "small dots", "squares"] : ["thick", "dashed", "dotted"]);

/** @typedef {{part: "line" | "edge" | "dot" | "side", ends: number[][]}} Stroke */

const RIM = 72; // corners of a disc

/** Return the strokes of a drawing. @param {Shape} shape @param {number[][]} places @param {number[]} [axes] the sheet's @returns {Stroke[]} */
export function strokesOf(shape, places, axes = [0, 1, 0, 1]) {
  const [p, q, r] = places;
  if (shape === "points") return places.map((place) => ({ part: "dot", ends: [place, place] }));
  if (shape === "stump") return stumpOf(p, q);
  if (shape === "disc") return rimOf(p, q, axes);
  const line = /** @type {Stroke[]} */ (through(p, p, q).map((ends) => ({ part: "line", ends })));
  if (shape === "line") return line;
  const mirrored = r.map((value, i) => 2 * p[i] - value);
  const edges = /** @type {Stroke[]} */ ([...through(r, p, q), ...through(mirrored, p, q)].map((ends) => ({ part: "edge", ends })));
  return [...line, ...edges];
}

/** Return the axis that a stump cuts, and on which side of the cut the second place is. @param {number[]} p @param {number[]} q */
export function cutOf([x, y], [u, v]) {
  const axis = Math.abs(v - y) > Math.abs(u - x) ? 1 : 0;
  return { axis, side: Math.sign(axis ? v - y : u - x) || 1 };
}

/** @param {number[]} p @param {number[]} q @returns {Stroke[]} */
function stumpOf(p, q) {
  const { axis, side } = cutOf(p, q);
  const at = (/** @type {number} */ across, /** @type {number} */ along) => (axis ? [along, across] : [across, along]);
  const far = side > 0 ? 1 : 0;
  const region = [at(p[axis], 0), at(p[axis], 1), at(far, 1), at(far, 0)];
  return [{ part: "side", ends: region }, { part: "line", ends: [at(p[axis], 0), at(p[axis], 1)] }, { part: "edge", ends: [p, q] }];
}

/** Return the distance of two places in data. @param {number[]} p @param {number[]} q @param {number[]} axes */
const radius = ([x, y], [u, v], [left, right, bottom, top]) => Math.hypot((u - x) * (right - left), (v - y) * (top - bottom));

/** @param {number[]} p @param {number[]} q @param {number[]} axes @returns {Stroke[]} */
function rimOf(p, q, axes) {
  const r = radius(p, q, axes);
  const [across, up] = [r / (axes[1] - axes[0]), r / (axes[3] - axes[2])];
  const turns = Array.from({ length: RIM + 1 }, (_, k) => (2 * Math.PI * k) / RIM);
  return [{ part: "line", ends: turns.map((turn) => [p[0] + across * Math.cos(turn), p[1] + up * Math.sin(turn)]) }, { part: "edge", ends: [p, q] }];
}

// The width of a disc stays when its centre moves: its handle goes along, on the other side where there is no room.
/** @param {number[][]} places @param {number[]} to */
function rimMoved([p, q], to) {
  const by = q.map((value, k) => value - p[k]);
  const inside = to.every((value, k) => value + by[k] >= 0 && value + by[k] <= 1);
  return [to, to.map((value, k) => Math.min(1, Math.max(0, value + (inside ? by[k] : -by[k]))))];
}

/**
 * Return the places of a drawing after one of them was moved. A stump's second place stays beside its cut.
 * @param {Shape} shape
 * @param {number[][]} places
 * @param {number} i the one that was moved
 * @param {number[]} to
 * @param {number[]} size of the axes in pixels
 */
export function moved(shape, places, i, to, [width, height]) {
  const clipped = to.map((share) => Math.min(1, Math.max(0, share)));
  if (shape === "disc" && i === 0) return rimMoved(places, clipped);
  if (shape !== "stump") return places.map((place, k) => (k === i ? clipped : place));
  const at = i === 0 ? clipped : [...places[0]];
  const scaled = (/** @type {number[]} */ [x, y]) => [x * width, y * height];
  const { axis, side } = i === 0 ? cutOf(places[0], places[1]) : cutOf(scaled(at), scaled(to));
  at[axis] = Math.min(1 - INSIDE, Math.max(INSIDE, at[axis]));
  const beside = [...at];
  beside[axis] = Math.min(1, Math.max(0, at[axis] + side * BESIDE));
  return [at, beside];
}

/** Say where a handle is, in the units of the data. @param {any} sheet @param {number[][]} places @param {number} i */
export function handleInWords({ shape, names, axes: [left, right, bottom, top] }, places, i) {
  const [x, y] = [onAxis(left + places[i][0] * (right - left), right - left), onAxis(bottom + places[i][1] * (top - bottom), top - bottom)];
  if (shape === "disc" && i === 1) return `${names[1]}: ${onAxis(radius(places[0], places[1], [left, right, bottom, top]), right - left)}`;
  if (shape !== "stump") return `${names[i]}: ${x}, ${y}`;
  const { axis, side } = cutOf(places[0], places[1]);
  if (i === 0) return `${names[0]}: ${axis ? `level, at ${y}` : `upright, at ${x}`}`;
  return `${names[1]}: ${axis ? (side > 0 ? "above" : "below") : side > 0 ? "on the right" : "on the left"}`;
}

/** Return the ends of the line through a place, with the direction from p to q; none without a direction. @param {number[]} at @param {number[]} p @param {number[]} q */
function through([x, y], [a, b], [c, d]) {
  const [dx, dy] = [c - a, d - b];
  const length = Math.hypot(dx, dy);
  if (!length) return [];
  const [along, up] = [(BEYOND * dx) / length, (BEYOND * dy) / length];
  return [[[x - along, y - up], [x + along, y + up]]];
}

/** Return an empty sheet over the axes, for strokes. @returns {any} */
export function emptySheet() {
  const svg = document.createElementNS(SHAPES_NAMESPACE, "svg");
  for (const [name, value] of [["viewBox", "0 0 1 1"], ["preserveAspectRatio", "none"], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
  return svg;
}

/**
 * Return a drawing for a sheet; its style says how wide the strokes are.
 * @param {Shape} shape
 * @param {number[][]} places
 * @param {string} look the name of its class
 * @param {number[]} [axes] the sheet's
 * @returns {any}
 */
export function drawnShape(shape, places, look, axes) {
  const group = document.createElementNS(SHAPES_NAMESPACE, "g");
  group.setAttribute("class", look);
  for (const { part: kind, ends } of strokesOf(shape, places, axes)) {
    const path = document.createElementNS(SHAPES_NAMESPACE, "path");
    path.setAttribute("class", kind);
    path.setAttribute("vector-effect", "non-scaling-stroke");
    path.setAttribute("d", `M${ends.map(([x, y]) => `${x},${1 - y}`).join("L")}`);
    group.append(path);
  }
  return group;
}

/** Write a value on an axis with as many digits as its range needs. @param {number} value @param {number} range */
export function onAxis(value, range) {
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(range))));
  return value.toFixed(digits).replace("-", "−");
}
