// Between data and the plot: a share of an axis is 0 at its start (left, bottom) and 1 at its end.
// An axis is Plotly's own: {type, range, _offset, _length}; a log axis has the exponents as range.

/** @typedef {{type: string, range: number[], _offset: number, _length: number}} Axis */

const onScale = (axis, value) => (axis.type === "log" ? Math.log10(value) : value);

/** Where a value is, as a share of the axis; NaN where it has no place on it. */
export function toShare(axis, value) {
  const [start, end] = axis.range;
  const share = (onScale(axis, value) - start) / (end - start);
  return Number.isFinite(share) ? share : NaN;
}

/** The value at a share of the axis. */
export function fromShare(axis, share) {
  const [start, end] = axis.range;
  const place = start + share * (end - start);
  return axis.type === "log" ? 10 ** place : place;
}

/** The pixel of a share from the plot's left, or of one from its bottom counted from its top. */
export const acrossAxis = (axis, share) => share * axis._length;
export const downAxis = (axis, share) => (1 - share) * axis._length;

/** The share that is nearest and inside of the plot. */
export const inside = (share) => Math.min(1, Math.max(0, share));

/** Whether shares are inside of the plot, rounding aside. */
export const isInside = (...shares) => shares.every((share) => share > -0.001 && share < 1.001);

/**
 * A range that is `factor` times as long, about the same middle.
 * @param {number[]} range
 * @param {number} factor
 */
export function scaled([low, high], factor) {
  const middle = (low + high) / 2;
  const half = ((high - low) * factor) / 2;
  return [middle - half, middle + half];
}

/**
 * A range moved back by a share of itself.
 * @param {number[]} range
 * @param {number} share
 */
export function shifted([low, high], share) {
  const by = share * (high - low);
  return [low - by, high - by];
}

/**
 * The range moved, and shortened if it must be, until it is within all that there is.
 * @param {number[]} range
 * @param {number[]} all
 */
export function fitted([low, high], [first, last]) {
  const length = Math.min(high - low, last - first);
  const start = Math.max(first, Math.min(last - length, low));
  return [start, start + length];
}

/**
 * A zoom that stays within the plane; null when all of it is seen.
 * @param {{x: number[], y: number[]}} zoom
 * @param {{x: number[], y: number[]}} all
 */
export function within(zoom, all) {
  const fit = { x: fitted(zoom.x, all.x), y: fitted(zoom.y, all.y) };
  const whole = fit.x[1] - fit.x[0] > 0.999 * (all.x[1] - all.x[0]);
  return whole ? null : fit;
}
