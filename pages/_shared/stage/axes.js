// Conversion between data and the plot: a share of an axis is 0 at its start (left, bottom) and 1
// at its end.
// An axis is Plotly's own: {type, range, _offset, _length}. The range of a log axis holds
// exponents.

/** @typedef {{type: string, range: number[], _offset: number, _length: number}} Axis */

const onScale = (axis, value) => (axis.type === "log" ? Math.log10(value) : value);

/** Return the share of the axis at which a value is; NaN if the axis cannot show the value. */
export function toShare(axis, value) {
  const [start, end] = axis.range;
  const share = (onScale(axis, value) - start) / (end - start);
  return Number.isFinite(share) ? share : NaN;
}

/** Return the value at a share of the axis. */
export function fromShare(axis, share) {
  const [start, end] = axis.range;
  const place = start + share * (end - start);
  return axis.type === "log" ? 10 ** place : place;
}

/** Return the pixel of a share: from the left of the plot, or from its top for a vertical axis. */
export const acrossAxis = (axis, share) => share * axis._length;
export const downAxis = (axis, share) => (1 - share) * axis._length;

/** Return the nearest share that is inside the plot. */
export const inside = (share) => Math.min(1, Math.max(0, share));

/** Return whether the shares are inside the plot, up to rounding. */
export const isInside = (...shares) => shares.every((share) => share > -0.001 && share < 1.001);

/**
 * Return a range `factor` times as long, in which a place keeps its share.
 * @param {number[]} range
 * @param {number} factor
 * @param {number} [share] of the place; by default it is the middle
 */
export function scaled([low, high], factor, share = 0.5) {
  const place = low + share * (high - low);
  const length = factor * (high - low);
  return [place - share * length, place + (1 - share) * length];
}

/**
 * Return a range moved back by a share of its length.
 * @param {number[]} range
 * @param {number} share
 */
export function shifted([low, high], share) {
  const by = share * (high - low);
  return [low - by, high - by];
}

/**
 * Return the range, moved and if necessary shortened so that it is within `all`.
 * @param {number[]} range
 * @param {number[]} all
 */
export function fitted([low, high], [first, last]) {
  const length = Math.min(high - low, last - first);
  const start = Math.max(first, Math.min(last - length, low));
  return [start, start + length];
}

/**
 * Return a zoom that stays within the plane; null when all of the plane is seen.
 * @param {{x: number[], y: number[]}} zoom
 * @param {{x: number[], y: number[]}} all
 */
export function within(zoom, all) {
  const fit = { x: fitted(zoom.x, all.x), y: fitted(zoom.y, all.y) };
  const whole = fit.x[1] - fit.x[0] > 0.999 * (all.x[1] - all.x[0]);
  return whole ? null : fit;
}
