// Outlines of straight connections. All lines of one width are one path, since there may be
// thousands.

const WIDTHS = 4; // widths are rounded to a quarter of a pixel
const HEAD = { long: 5, wide: 3 }; // size of an arrow head: these pixels plus these line widths

/**
 * @param {ArrayLike<number>} ends pixels, four for each edge: x0, y0, x1, y1
 * @param {ArrayLike<number>} widths
 * @param {boolean} arrow
 * @param {(x: number, y: number) => number} rim the distance from a place at which its edges end
 * @returns {{lines: Map<number, string>, heads: string}} outlines: lines by width, and all heads
 */
export function edgePaths(ends, widths, arrow, rim) {
  const lines = new Map();
  const heads = [];
  for (let i = 0; i < widths.length; i++) {
    const [x0, y0, x1, y1] = [ends[4 * i], ends[4 * i + 1], ends[4 * i + 2], ends[4 * i + 3]];
    const width = Math.round(widths[i] * WIDTHS) / WIDTHS;
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (!(length >= 0) || !width) continue; // no such place on a log axis, or nothing to see
    // One without length stays: if it grows in the next step, the others travel in their own places.
    const [dx, dy] = length ? [(x1 - x0) / length, (y1 - y0) / length] : [0, 0];
    let [x, y] = [x1, y1];
    if (arrow) {
      const tip = Math.max(0, length - rim(x1, y1));
      const back = Math.min(tip, HEAD.long + 2 * width);
      const half = (back * (HEAD.wide + width)) / (HEAD.long + 2 * width);
      const [tx, ty] = [x0 + dx * tip, y0 + dy * tip];
      [x, y] = [tx - dx * back, ty - dy * back];
      const corners = [[tx, ty], [x - dy * half, y + dx * half], [x + dy * half, y - dx * half]];
      heads.push(`M${corners.map(place).join("L")}Z`);
    }
    lines.set(width, `${lines.get(width) ?? ""}M${place([x0, y0])}L${place([x, y])}`);
  }
  return { lines, heads: heads.join("") };
}

/** @param {number[]} pixel */
const place = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
