// The legend in the picture: the symbol, colour and name of each class, and the signs of points that
// are held out or wrong, placed where it covers the fewest points.

import { HELD, RIM_IF_WRONG, children, group } from "./layer.js";
import { unpack } from "./packing.js";
import { lookOf, symbolPath } from "./symbols.js";

const TYPE = 14; // pixels
const LONGEST = 18; // letters of a name
const MARGIN = 5; // pixels from the axes
// its present place counts this many points less, so that it does not jump for nothing
const BEFORE = 0.5;
const HELD_OUT = "held out"; // an entry after the classes, if there are such points
const WRONG = "wrong"; // the last one, if a point of the step is
const FEW_WORDS = /^thick outline: (.{1,10})$/; // of a view, for what is wrong there
const TEXTS = ".annotation-text, .textpoint text"; // texts of the figure that it should not cover
const WORTH = 10; // covering such a text, or a handle, counts as this many points
const PART = 12; // pixels of a line, which count as
const WORTH_OF_PART = 0.3; // this many points

/**
 * Return the name of a class, shortened if necessary; "class 1" where the name is only a number.
 */
export function nameOf(index, names) {
  const name = names[index] ?? `${index + 1}`;
  if (/^\d+$/.test(name)) return `class ${name}`;
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/**
 * Return the opacity of the strongest of the wrong points.
 * @param {import("./protocol.js").Points} points
 */
function strongest(points) {
  const [wrong, strength] = [points.wrong, points.strength].map(unpack);
  return Math.max(0, ...Array.from(wrong, (/** @type {number} */ is, /** @type {number} */ i) => (is ? (strength[i] ?? 255) : 0))) / 255;
}

/**
 * Return the places where the legend could be: a row, if it is not too wide, and a column, each in
 * every corner.
 * @param {number[]} widths of the entries
 * @param {number} height of an entry
 * @param {{width: number, height: number}} area
 * @returns {{x: number, y: number, width: number, height: number, column: boolean}[]}
 */
export function candidates(widths, height, area) {
  const row = { width: widths.reduce((sum, width) => sum + width, 0), height, column: false };
  const column = { width: Math.max(...widths), height: height * widths.length, column: true };
  const fits = ({ width }) => width + 2 * MARGIN <= area.width;
  return [row, column].filter((shape) => shape.column || fits(shape)).flatMap((shape) => {
    const right = area.width - shape.width - MARGIN;
    const bottom = area.height - shape.height - MARGIN;
    const corners = [[right, MARGIN], [MARGIN, MARGIN], [right, bottom], [MARGIN, bottom]];
    return corners.map(([x, y]) => ({ ...shape, x, y }));
  });
}

/**
 * Return the index of the place that covers least. If several do, prefer the present place, then
 * the first.
 * @param {{x: number, y: number, width: number, height: number}[]} places
 * @param {number[][]} obstacles x, y, how far they reach across and down, what they count
 * @param {number} before
 */
export function emptiest(places, obstacles, before) {
  const covered = places.map(({ x, y, width, height }) => {
    /** @param {number[]} obstacle */
    const hit = ([px, py, across, down]) =>
      px > x - across && px < x + width + across && py > y - down && py < y + height + down;
    return obstacles.reduce((sum, obstacle) => sum + (hit(obstacle) ? obstacle[4] : 0), 0);
  });
  if (before in covered) covered[before] -= BEFORE;
  return covered.indexOf(Math.min(...covered));
}

/** Whether a point has a sign. @param {any} sign packed: 1 for each point that has it */
const hasSome = (sign) => Array.from(unpack(sign)).some((is) => is > 0);

export class Legend {
  /**
   * @param {import("./plot.js").Plot} plot the picture's
   * @param {import("./theme.js").Theme} theme
   */
  constructor(plot, theme) {
    this.plot = plot;
    this.theme = theme;
    this.names = null;
    this.drawn = [];
    this.root = group("stage-layer stage-legend");
    this.root.style.pointerEvents = "none";
  }

  /**
   * @param {string[] | null} names of the groups of the figure's points, if they are classes
   * @param {import("./protocol.js").Points | undefined} points of the figure of step 0
   */
  setNames(names, points) {
    this.names = names;
    this.group = points?.group;
  }

  /** @param {import("./edits.js").Point[]} [painted] see Layer */
  draw(painted) {
    const { plot, theme, names } = this;
    if (!plot.ready) return;
    const { points } = plot.figure;
    if (!names || points?.group.bdata !== this.group?.bdata) return this.root.remove();
    const layer = plot.div._fullLayout._infolayer.node();
    const wrong = hasSome(points.wrong);
    const now = [names, points.x, points.y, painted, plot.axesNow(), points.held?.bdata, wrong, theme.name, theme.scale];
    const there = this.root.parentNode === layer;
    if (there && now.every((value, i) => value === this.drawn[i]) && !this.coversText()) return;
    this.drawn = now;
    layer.append(this.root);
    const used = new Set(painted ? painted.map(({ label }) => label) : unpack(points.group));
    const held = hasSome(points.held);
    this.put([...[...used].sort((a, b) => a - b), ...(held ? [HELD_OUT] : []), ...(wrong ? [WRONG] : [])], points);
  }

  /**
   * Draw the entries, then their box, at the place that covers least.
   * @param {(number | string)[]} shown
   * @param {import("./protocol.js").Points} own
   */
  put(shown, own) {
    const { plot, theme, root } = this;
    const type = TYPE * theme.scale;
    const [box, ...entries] = children(root, shown.length + 1, "g");
    const widths = entries.map((entry, i) => this.write(entry, shown[i], own, type));
    const places = candidates(widths, 1.5 * type, plot.area());
    this.chosen = emptiest(places, this.obstacles(), this.chosen);
    const { x, y, width, height, column } = places[this.chosen];
    const { axes } = plot;
    root.setAttribute("transform", `translate(${axes.x._offset + x},${axes.y._offset + y})`);
    const [frame] = children(box, 1, "path");
    frame.setAttribute("d", `M0,0H${width}V${height}H0Z`);
    frame.style.fill = theme.paper;
    let across = 0;
    entries.forEach((entry, i) => {
      const down = column ? (i + 0.5) * 1.5 * type : 0.75 * type;
      entry.setAttribute("transform", `translate(${column ? 0 : across},${down})`);
      across += widths[i];
    });
  }

  /**
   * Draw an entry and return its width.
   * @param {any} entry
   * @param {any} shown the number of a class, HELD_OUT or WRONG
   * @param {import("./protocol.js").Points} own
   * @param {number} type
   */
  write(entry, shown, own, type) {
    const { plot, theme } = this;
    const held = shown === HELD_OUT;
    const signed = typeof shown === "string"; // a disc with the sign, in no class's colour
    const { fill, symbol } = signed ? { fill: held ? theme.muted : theme.paper, symbol: 0 } : lookOf(shown, own, theme);
    entry.replaceChildren(); // it may have been that of another sign
    const [mark, dot] = children(entry, held ? 2 : 1, "path");
    for (const path of entry.children) path.setAttribute("transform", `translate(${0.8 * type},0)`);
    mark.setAttribute("d", symbolPath(symbol, 0.38 * type));
    mark.setAttribute("class", shown === WRONG ? "wrong" : "");
    mark.setAttribute("opacity", shown === WRONG ? strongest(own) : 1);
    mark.style.fill = fill;
    mark.style.stroke = shown === WRONG ? theme.ink : plot.layer.rim(fill);
    mark.style.strokeWidth = shown === WRONG ? RIM_IF_WRONG * theme.grown : 1;
    dot?.setAttribute("d", symbolPath(0, HELD * 0.38 * type));
    if (dot) dot.style.fill = theme.paper;
    const text = entry.appendChild(document.createElementNS(entry.namespaceURI, "text"));
    text.setAttribute("x", 1.5 * type);
    text.setAttribute("dy", "0.35em");
    text.setAttribute("font-size", type);
    text.setAttribute("font-family", getComputedStyle(plot.div).fontFamily);
    text.style.fill = theme.ink;
    const wrong = shown === WRONG && FEW_WORDS.exec(plot.figure.signs?.wrong ?? "");
    text.textContent = wrong ? wrong[1] : signed ? shown : nameOf(shown, this.names);
    return text.getComputedTextLength() + 2 * type;
  }

  /** Whether a text of the figure has come to stand below the legend. */
  coversText() {
    const here = this.root.getBoundingClientRect();
    return Array.from(this.plot.div.querySelectorAll(TEXTS)).some((text) => {
      const box = text.getBoundingClientRect();
      return box.left < here.right && box.right > here.left && box.top < here.bottom && box.bottom > here.top;
    });
  }

  // Return pixels from the left and the top of the plot's inside.
  obstacles() {
    const { plot } = this;
    const { left, top } = plot.area();
    const points = Array.from(plot.layer.points.children, ({ pixel: [x, y], radius }) => [
      x, y, radius, radius, 1,
    ]);
    const others = [
      ...plot.div.querySelectorAll(TEXTS),
      ...plot.div.parentNode.querySelectorAll(".handle:not([hidden])"),
    ].map((node) => {
      const box = node.getBoundingClientRect();
      const [across, down] = [box.width / 2, box.height / 2];
      return [box.left + across - left, box.top + down - top, across, down, WORTH];
    });
    return [...points, ...others, ...this.lines()];
  }

  // Return places along the figure's lines, as obstacles.
  lines() {
    const drawn = this.plot.figure.data.filter(({ type, mode = "", visible, xaxis = "x" }) =>
      type === "scatter" && mode.includes("lines") && visible !== false && xaxis === "x");
    const numbers = (/** @type {any} */ values) => (values?.bdata === undefined ? (values ?? []) : unpack(values));
    return drawn.flatMap((trace) => {
      const up = numbers(trace.y);
      return along(Array.from(numbers(trace.x), (x, i) => this.plot.toPixel([x, up[i]])));
    });
  }
}

/** Return obstacles along a line. @param {number[][]} pixels of its points */
function along(pixels) {
  return pixels.slice(1).flatMap((end, i) => {
    const [x, y] = pixels[i];
    const [across, down] = [end[0] - x, end[1] - y];
    const parts = Math.ceil(Math.hypot(across, down) / PART) || 0; // none at a gap
    return Array.from({ length: parts }, (_, k) => [
      x + (across * k) / parts, y + (down * k) / parts, 1, 1, WORTH_OF_PART,
    ]);
  });
}
