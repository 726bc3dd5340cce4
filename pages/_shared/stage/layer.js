// What the stage itself draws in a plot, between Plotly's filled regions and its lines: edges,
// points, small pies and marks. Plotly would redraw all of them at every frame (100 ms for 1,000
// points); here only the elements that change are redrawn.

import { acrossAxis, downAxis, toShare } from "./axes.js";
import { edgePaths } from "./edges.js";
import { unpack } from "./packing.js";
import { svgNode } from "./svg.js";
import { lookOf, markPath, piePaths, symbolPath } from "./symbols.js";

const USUAL_SIZE = 32; // a point's size is sent in units of 1/32
const MANY = 1500; // with more points than this, they are drawn smaller
export const HELD = 0.5; // of a point's radius: the dot of what is held out
export const RIM_IF_WRONG = 5; // pixels, half of them below the point
// Beside a handle: where the middle of its word would be, in pixels of the projector.
const SIDES = { below: [0, 34], above: [0, -34], right: [60, 0], left: [-60, 0] };
const WORD = [46, 20]; // half of its width and height, and of a point's
const MIXED = 250; // of 255: a point with one group's share above this is not drawn as a pie

export class Layer {
  constructor(theme) {
    this.theme = theme;
    this.root = group("stage-layer");
    // The order of drawing. The group of points must hold nothing but their paths.
    this.edges = this.add("edges");
    this.points = this.add("points");
    this.pies = this.add("pies");
    this.held = this.add("held");
    this.marks = this.add("marks");
    this.widths = ""; // of the edges, as they were drawn last
    this.scale = 1; // of points and marks
    this.radius = 4.5; // of a point of the usual size, in pixels
    /** @type {(x: number, y: number) => number[]} */
    this.toPixel = () => [NaN, NaN];
  }

  add(name) {
    return this.root.appendChild(group(`stage-${name}`));
  }

  /**
   * Go below all lines of the plot's first axes. As the first thing in Plotly's own layer of lines
   * it stays there when Plotly puts its layers in order.
   */
  putInto(plot) {
    if (!plot.drawnByStage) return this.root.remove();
    if (this.isIn(plot)) return;
    plot.div.querySelector(".subplot.xy .scatterlayer")?.prepend(this.root);
    const clip = plot.div._fullLayout._plots?.xy?.clipId;
    if (clip) this.root.setAttribute("clip-path", `url(#${clip})`);
  }

  isIn(plot) {
    if (!plot.drawnByStage) return !this.root.parentNode;
    return plot.div.contains(this.root) && !this.root.previousSibling;
  }

  /**
   * @param {import("./plot.js").Plot} plot
   * @param {import("./edits.js").Point[]} [painted] the points as they are painted on, of which
   *   the figure may not know yet; otherwise those of the figure are drawn
   */
  draw(plot, painted) {
    const { points, marks, edges } = plot.figure;
    const { x, y } = plot.axes;
    this.toPixel = (px, py) => [acrossAxis(x, toShare(x, px)), downAxis(y, toShare(y, py))];
    this.scale = this.theme.grown * Math.min(1.4, Math.max(0.9, x._length / 560));
    const known = points && new Known(points);
    const shown = painted ?? known?.all() ?? [];
    this.radius = 4.5 * this.scale * (shown.length > MANY ? 0.65 : 1);
    this.drawPoints(shown, known);
    this.drawPies(shown, known);
    this.drawHeld(shown, known);
    this.drawEdges(edges);
    this.drawMarks(marks, points);
  }

  drawPoints(shown, known) {
    const nodes = children(this.points, shown.length, "path");
    shown.forEach((point, i) => {
      const { fill, symbol, wrong, size, strength } = this.look(point, known);
      const node = nodes[i];
      node.radius = this.radius * size;
      const [x, y] = placeOf(point, known);
      put(node, this.toPixel(x, y));
      const look = `${fill} ${symbol} ${wrong} ${node.radius} ${strength} ${this.theme.name}`;
      if (node.look === look) return;
      node.look = look;
      node.setAttribute("d", symbolPath(symbol, node.radius));
      node.setAttribute("class", wrong ? "point wrong" : "point");
      node.setAttribute("opacity", strength);
      node.style.fill = fill;
      node.style.stroke = wrong ? this.theme.ink : this.rim(fill);
      node.style.strokeWidth = wrong ? RIM_IF_WRONG * this.scale : 1.1;
    });
  }

  // The outline makes a point visible on a region of its own colour.
  rim(fill) {
    const { ink, rim } = this.theme;
    return `color-mix(in srgb, ${fill} ${100 * rim}%, ${ink})`;
  }

  // Until Python has classified a freshly painted point, it looks like a correct one of its class.
  look({ row, label, relabelled }, known) {
    const { theme } = this;
    if (row >= 0 && !relabelled) {
      return { ...lookOf(known.group[row], known, theme), ...known.state(row) };
    }
    const unseen = { wrong: false, size: 1, strength: 1 };
    if (!theme.labelled) return { ...unseen, fill: theme.muted, symbol: 0 };
    return { ...unseen, ...lookOf(label, {}, theme) };
  }

  /** Return the side of a place on which a word covers the fewest points. @param {number[]} place */
  freeSide(place) {
    const [x, y] = this.toPixel(place[0], place[1]);
    const pixels = [...this.points.children].map(({ pixel }) => pixel);
    const covered = Object.entries(SIDES).map(([side, [across, down]]) => {
      /** @param {number[]} pixel */
      const under = ([px, py]) => Math.abs(px - x - across) < WORD[0] && Math.abs(py - y - down) < WORD[1];
      return { side, count: pixels.filter(under).length };
    });
    return covered.reduce((best, each) => (each.count < best.count ? each : best)).side;
  }

  /** Fade a point for a moment, to show that an eraser or the like has touched it. */
  fade(index) {
    const node = this.points.children[index];
    if (!node) return;
    node.style.opacity = "0.25";
    setTimeout(() => (node.style.opacity = ""), 600);
  }

  /** @param {any[]} shown @param {any} known */
  // Draw pies over the points that belong to several groups: each slice is a group's share.
  drawPies(shown, known) {
    const mixed = [];
    shown.forEach(({ row }, i) => {
      const shares = row >= 0 ? known.shares(row) : [];
      const several = shares.length > 0 && Math.max(...shares) < MIXED;
      if (several) mixed.push([shares, this.points.children[i]]);
    });
    const pies = children(this.pies, mixed.length, "g");
    mixed.forEach(([shares, { pixel, radius }], i) => {
      const pie = pies[i];
      put(pie, pixel);
      const look = `${shares} ${radius} ${this.theme.name}`;
      if (pie.look === look) return;
      pie.look = look;
      const slices = piePaths(shares, 1.7 * radius);
      const nodes = children(pie, slices.length, "path");
      slices.forEach(([group, path], j) => {
        nodes[j].setAttribute("d", path);
        nodes[j].style.fill = lookOf(group, {}, this.theme).fill;
        nodes[j].style.stroke = this.theme.paper;
      });
    });
  }

  // Draw the sign of what is held out: a pale dot in the middle of the point.
  /** @param {any[]} shown @param {Known | undefined} known */
  drawHeld(shown, known) {
    const held = [...this.points.children].filter((_, i) => known?.held[shown[i].row]);
    const nodes = children(this.held, held.length, "path");
    held.forEach(({ pixel, radius }, i) => {
      put(nodes[i], pixel);
      const look = `${radius} ${this.theme.name}`;
      if (nodes[i].look === look) return;
      nodes[i].look = look;
      nodes[i].setAttribute("d", symbolPath(0, HELD * radius));
      nodes[i].style.fill = this.theme.paper;
    });
  }

  drawEdges(edges) {
    const places = unpack(edges?.places);
    const ends = new Float64Array(places.length);
    for (let i = 0; i < places.length; i += 2) {
      [ends[i], ends[i + 1]] = this.toPixel(places[i], places[i + 1]);
    }
    const rim = edges?.arrow ? this.rims() : () => 0;
    const widths = unpack(edges?.width), before = this.widths;
    this.widths = widths.toString();
    this.edges.classList.toggle("others", this.widths !== before); // they do not travel
    const { lines, heads } = edgePaths(ends, widths, edges?.arrow, rim);
    const nodes = children(this.edges, lines.size + (heads ? 1 : 0), "path");
    let i = 0;
    for (const [width, path] of lines) this.stroke(nodes[i++], path, width);
    if (!heads) return;
    this.stroke(nodes[i], heads, 0);
    nodes[i].style.fill = this.theme.ink;
  }

  // An arrow to a point ends at the point's rim, so that the point does not hide its head.
  rims() {
    const radii = new Map();
    const key = (x, y) => `${Math.round(x)},${Math.round(y)}`;
    for (const { pixel, radius } of this.points.children) radii.set(key(...pixel), radius + 2);
    // Rounding may have put the same place one pixel away.
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy]));
    return (x, y) => Math.max(...around.map(([dx, dy]) => radii.get(key(x + dx, y + dy)) ?? 0));
  }

  // Draw marks over points: outlines that show a point's state. Kinds of size 0 have none.
  drawMarks(marks, points) {
    const [x, y, kinds] = [unpack(points?.x), unpack(points?.y), unpack(marks?.kind)];
    const shown = [...kinds.keys()].filter((i) => marks.sizes[kinds[i]] > 0);
    const nodes = children(this.marks, shown.length, "path");
    shown.forEach((i, j) => {
      put(nodes[j], this.toPixel(x[i], y[i]));
      const size = (this.scale * marks.sizes[kinds[i]]) / 2;
      this.stroke(nodes[j], markPath(marks.symbols[kinds[i]], size), marks.width);
    });
  }

  stroke(node, path, width) {
    const look = `${path} ${width} ${this.theme.name}`;
    if (node.look === look) return;
    node.look = look;
    node.setAttribute("d", path);
    node.style.fill = "none";
    node.style.stroke = width ? this.theme.ink : "none";
    node.style.strokeWidth = width;
  }
}

// Reads the points of a figure by row.
class Known {
  /** @param {import("./protocol.js").Points} points */
  constructor(points) {
    this.fills = points.fills;
    this.symbols = points.symbols;
    this.x = unpack(points.x);
    this.y = unpack(points.y);
    this.group = unpack(points.group);
    this.wrong = unpack(points.wrong);
    this.size = unpack(points.size);
    this.strength = unpack(points.strength);
    this.held = unpack(points.held);
    this.slices = unpack(points.slices);
    this.groups = this.slices.length / this.x.length || 0;
  }

  all() {
    return Array.from(this.x, (_, row) => ({ row }));
  }

  state(row) {
    const size = this.size.length ? this.size[row] / USUAL_SIZE : 1;
    const strength = this.strength.length ? this.strength[row] / 255 : 1;
    return { wrong: this.wrong[row] > 0, size, strength };
  }

  shares(row) {
    return this.slices.subarray(row * this.groups, (row + 1) * this.groups);
  }
}

/**
 * Return where a point is in data. Painted edits count before the figure, which may be older.
 * @param {import("./edits.js").Point} point
 */
function placeOf({ row, moved, x, y }, known) {
  return row >= 0 && !moved ? [known.x[row], known.y[row]] : [x, y];
}

/** @param {string} name */
export function group(name) {
  return svgNode("g", { class: name });
}

/** Return the children of a node after adding or removing some so that there are `count`. */
export function children(node, count, kind) {
  while (node.children.length > count) node.lastChild.remove();
  while (node.children.length < count) {
    const child = node.appendChild(svgNode(kind));
    if (kind === "path") child.setAttribute("d", "M0,0"); // Plotly removes nodes without
  }
  return node.children;
}

// Move a node to a pixel. A place without a pixel, such as 0 on a log axis, is hidden.
function put(node, pixel) {
  node.pixel = pixel;
  const [x, y] = pixel.every(Number.isFinite) ? pixel : [-999, -999];
  const place = `translate(${x.toFixed(1)},${y.toFixed(1)})`;
  if (node.place === place) return;
  node.place = place;
  node.setAttribute("transform", place);
}
