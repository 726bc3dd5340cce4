// How a drawing looks that a few places stand for: the same on the wall and on a phone. Places are
// shares of the axes, from the left and from the bottom.

const SHAPES_NAMESPACE = "http://www.w3.org/2000/svg";
const BEYOND = 60; // a line is drawn this many times as long as the picture, which cuts it off

/** @typedef {"line" | "street" | "points"} Shape see viz.core.drawing */
/** How the best one of a room, the median one and the algorithm's look. @param {Shape} shape */
export const looks = (shape) => (shape === "points" ? ["large dots", "small dots", "squares"] : ["thick", "dashed", "dotted"]);

/** @typedef {{part: "line" | "edge" | "dot", ends: number[][]}} Stroke */

/** Return the strokes of a drawing. @param {Shape} shape @param {number[][]} places @returns {Stroke[]} */
export function strokesOf(shape, places) {
  const [p, q, r] = places;
  if (shape === "points") return places.map((place) => ({ part: "dot", ends: [place, place] }));
  const line = /** @type {Stroke[]} */ (through(p, p, q).map((ends) => ({ part: "line", ends })));
  if (shape === "line") return line;
  const mirrored = r.map((value, i) => 2 * p[i] - value);
  const edges = /** @type {Stroke[]} */ ([...through(r, p, q), ...through(mirrored, p, q)].map((ends) => ({ part: "edge", ends })));
  return [...line, ...edges];
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
 * @returns {any}
 */
export function drawnShape(shape, places, look) {
  const group = document.createElementNS(SHAPES_NAMESPACE, "g");
  group.setAttribute("class", look);
  for (const { part: kind, ends } of strokesOf(shape, places)) {
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
