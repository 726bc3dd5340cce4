// Plots: a figure with frames, shown by Plotly, one frame at a time; and the layer of data points.

const SVG = "http://www.w3.org/2000/svg";
const ARRAYS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };

// Plotly comes with Streamlit, on demand: a chart outside the stage asks for it.
function plotlyLoaded() {
  return new Promise((ready) => {
    const look = () => (window.Plotly ? ready(window.Plotly) : setTimeout(look, 20));
    look();
  });
}

function unpack(array) {
  if (!array || !array.bdata) return array || [];
  const bytes = Uint8Array.from(atob(array.bdata), (c) => c.charCodeAt(0));
  return new ARRAYS[array.dtype](bytes.buffer);
}

// A copy of `base` with the attributes of `patch` in place of its own.
function merged(base, patch) {
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const inner = value && typeof value === "object" && !Array.isArray(value) && !value.bdata;
    result[name] = inner && base[name] ? merged(base[name], value) : value;
  }
  return result;
}

class Plot {
  constructor(div) {
    this.div = div;
    this.zoom = null; // {x: [left, right], y: [bottom, top]} or all of it
    this.frame = 0;
    this.observer = new ResizeObserver(() => this.figure && this.show(this.frame));
    this.observer.observe(div);
  }

  setFigure(figure, template, title) {
    this.figure = figure;
    this.template = template;
    this.div.setAttribute("role", "img");
    this.div.setAttribute("aria-label", title);
    this.pointTrace = figure.data.findIndex((trace) => trace.meta === "points");
    this.markTrace = figure.data.findIndex((trace) => trace.meta === "marks");
  }

  // The traces of a frame.
  traces(frame) {
    const patch = this.figure.frames[frame];
    return this.figure.data.map((trace, i) => {
      const at = patch.traces.indexOf(i);
      return at < 0 ? trace : merged(trace, patch.data[at]);
    });
  }

  async show(frame) {
    const { clientWidth: width, clientHeight: height } = this.div;
    if (!width || !height) return;
    this.frame = frame;
    const Plotly = await plotlyLoaded();
    if (this.gone || this.isShown(frame, width, height)) return;
    const traces = this.traces(frame);
    const take = (trace) => traces.splice(trace, 1, { type: "scatter", x: [null], y: [null], showlegend: false })[0];
    if (this.pointTrace >= 0) this.points = take(this.pointTrace); // the points layer draws them
    this.marks = this.markTrace >= 0 ? take(this.markTrace) : null;
    let layout = merged(this.figure.layout, this.figure.frames[frame].layout || {});
    if (this.zoom)
      layout = merged(layout, { xaxis: { range: this.zoom.x }, yaxis: { range: this.zoom.y } });
    const drawn = Plotly.react(this.div, traces, { ...layout, template: this.template, width, height },
      { displayModeBar: false, responsive: false, doubleClick: false, showTips: false });
    this.onDrawn?.(); // at once, so that nothing flashes, and again should Plotly finish later
    await drawn;
    if (!this.gone) this.onDrawn?.();
  }

  // Whether this very picture stands there already: a view may be the same at every step.
  isShown(frame, width, height) {
    const patch = this.figure.frames[frame];
    const now = [this.figure, this.template, this.zoom, width, height, patch.traces.length || patch.layout ? frame : -1];
    const same = this.shown && now.every((value, i) => value === this.shown[i]);
    this.shown = now;
    if (same) this.onDrawn?.();
    return same;
  }

  // Pixels of the plot's inside and the stretch of plane it shows.
  area() {
    const { _size: size, xaxis, yaxis } = this.div._fullLayout;
    const box = this.div.getBoundingClientRect();
    return { left: box.left + size.l, top: box.top + size.t, width: size.w, height: size.h,
      x: xaxis.range, y: yaxis.range };
  }

  // Where a pointer is, as shares of the plot's width and height from its lower left; and back.
  share({ clientX, clientY }) {
    const { left, top, width, height } = this.area();
    return { u: (clientX - left) / width, v: 1 - (clientY - top) / height };
  }

  toData({ u, v }) {
    const { x, y } = this.area();
    return [x[0] + u * (x[1] - x[0]), y[0] + v * (y[1] - y[0])];
  }

  toShare([px, py]) {
    const { x, y } = this.area();
    return { u: (px - x[0]) / (x[1] - x[0]), v: (py - y[0]) / (y[1] - y[0]) };
  }

  destroy() {
    this.gone = true;
    this.observer.disconnect();
    if (window.Plotly && this.div._fullLayout) window.Plotly.purge(this.div);
  }
}

// Outlines of Plotly's symbols for a marker of radius r, by Plotly's number.
function symbolPath(symbol, r) {
  const polygon = (points) => "M" + points.map(([x, y]) => `${(x * r).toFixed(2)},${(y * r).toFixed(2)}`).join("L") + "Z";
  const turn = ([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2];
  const plus = [[-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2],
    [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4]];
  const star = [...Array(10).keys()].map((i) => {
    const angle = (i * Math.PI) / 5 - Math.PI / 2, radius = i % 2 ? 0.6 : 1.5;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  switch (symbol) {
    case 1: return polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
    case 2: return polygon([[0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]]);
    case 3: return polygon(plus);
    case 4: return polygon(plus.map(turn));
    case 5: return polygon([[0, -1.3], [1.25, 0.9], [-1.25, 0.9]]);
    case 6: return polygon([[0, 1.3], [1.25, -0.9], [-1.25, -0.9]]);
    case 17: return polygon(star);
    default: return `M${r},0A${r},${r} 0 1,1 ${-r},0A${r},${r} 0 1,1 ${r},0Z`;
  }
}

// The same for Plotly's open symbols: ring, square, either with a cross in it, and the cross alone.
function markPath(symbol, r) {
  const cross = (r) => `M${-r},${-r}L${r},${r}M${-r},${r}L${r},${-r}`;
  const outline = symbolPath(symbol === 101 || symbol === 130 ? 1 : 0, r);
  return { 128: outline + cross(r * Math.SQRT1_2), 130: outline + cross(r), 134: cross(r) }[symbol] || outline;
}

// The slices of a pie of radius r, clockwise from the top, as [group, outline]; the smallest are left out.
function piePaths(shares, r) {
  const shown = Array.from(shares, (share, group) => [group, share]).filter(([, share]) => share >= 5);
  const whole = shown.reduce((sum, [, share]) => sum + share, 0);
  const at = (share) => `${(r * Math.sin(2 * Math.PI * share)).toFixed(2)},${(-r * Math.cos(2 * Math.PI * share)).toFixed(2)}`;
  let from = 0;
  return shown.map(([group, share]) => {
    const to = from + share / whole, path = `M0,0L${at(from)}A${r},${r} 0 ${to - from > 0.5 ? 1 : 0},1 ${at(to)}Z`;
    from = to;
    return [group, path];
  });
}

// The paths of a group: as many as are wanted.
function paths(group, count) {
  while (group.children.length > count) group.lastChild.remove();
  while (group.children.length < count) group.appendChild(document.createElementNS(SVG, "path"));
  return group.children;
}

// The data points, drawn inside Plotly's own picture between the regions and the lines. Plotly
// would draw all of them anew at every frame (100 ms for 1,000); here only what changes is touched.
class PointsLayer {
  constructor(plot, theme) {
    this.plot = plot;
    this.theme = theme;
    this.group = document.createElementNS(SVG, "g");
    this.group.setAttribute("class", "stage-points");
    this.pies = document.createElementNS(SVG, "g");
    this.pies.setAttribute("class", "stage-pies");
    this.marks = document.createElementNS(SVG, "g");
    this.marks.setAttribute("class", "stage-marks");
  }

  // points: [{x, y, label, row}]; row is the point's place in the figure, -1 when painted just now.
  draw(points) {
    const lines = this.plot.div.querySelector(".scatterlayer");
    if (!lines || !this.plot.points) return;
    const inside = lines.parentNode;
    let above = lines;
    for (const layer of [this.marks, this.pies, this.group]) {
      if (layer.parentNode !== inside || layer.nextSibling !== above) inside.insertBefore(layer, above);
      above = layer;
    }
    const { marker, customdata } = this.plot.points;
    // A picture may bring fills and symbols of its own, and for each point the slices of a pie.
    const { fills, symbols } = this.plot.figure.layout.meta?.fills ? this.plot.figure.layout.meta : { fills: this.theme.palette, symbols: this.theme.symbols };
    const slices = unpack(customdata);
    const color = unpack(marker.color), outline = unpack(marker.line.width);
    const { width, height, x, y } = this.plot.area();
    const across = width / (x[1] - x[0]), down = height / (y[0] - y[1]);
    const size = Math.min(1.4, Math.max(0.9, width / 560)), r = 4.5 * size * (points.length > 1500 ? 0.65 : 1);
    const at = (px, py) => `translate(${((px - x[0]) * across).toFixed(1)},${((py - y[1]) * down).toFixed(1)})`;
    const nodes = paths(this.group, points.length);
    points.forEach((point, i) => {
      const known = point.row >= 0 && !point.relabelled;
      const group = known ? color[point.row] : this.theme.labelled ? point.label : -1;
      const place = at(point.x, point.y);
      const [fill, symbol] = group < 0 ? [this.theme.muted, 0] : known ? [fills[group], symbols[group]] : [this.theme.palette[group], this.theme.symbols[group]];
      const look = `${fill} ${symbol} ${known ? outline[point.row] : 0} ${r.toFixed(1)} ${this.theme.name}`;
      const node = nodes[i];
      if (node.place !== place) node.setAttribute("transform", (node.place = place));
      if (node.look === look) return;
      node.look = look;
      const wrong = known && outline[point.row] > 0;
      node.setAttribute("d", symbolPath(symbol, r));
      node.style.fill = fill;
      node.style.stroke = wrong ? this.theme.ink : this.theme.paper;
      node.style.strokeWidth = wrong ? 2.5 : 1;
      node.setAttribute("class", wrong ? "point wrong" : "point");
    });
    this.drawMarks(this.plot.marks, at, size);
    this.drawPies(points, slices, slices.length / color.length || 0, 1.7 * r);
  }

  // Over some points: outlines that tell of their state. Where a size is 0 there is none.
  drawMarks(marks, at, size) {
    const kinds = unpack(marks?.customdata), x = unpack(marks?.x), y = unpack(marks?.y);
    const shown = [...kinds.keys()].filter((i) => marks.marker.size[kinds[i]] > 0);
    const nodes = paths(this.marks, shown.length);
    shown.forEach((i, j) => {
      const symbol = marks.marker.symbol[kinds[i]], wide = marks.marker.size[kinds[i]];
      const node = nodes[j], place = at(x[i], y[i]);
      const look = `${symbol} ${wide} ${size.toFixed(2)} ${this.theme.name}`;
      if (node.place !== place) node.setAttribute("transform", (node.place = place));
      if (node.look === look) return;
      node.look = look;
      node.setAttribute("d", markPath(symbol, (size * wide) / 2));
      node.style.fill = "none";
      node.style.stroke = this.theme.ink;
      node.style.strokeWidth = marks.marker.line.width;
    });
  }

  // Over the points that belong to several groups, where they are few: what share goes to which.
  drawPies(points, slices, k, r) {
    const mixed = k ? points.flatMap(({ row }, i) => {
      const shares = row < 0 ? [] : slices.subarray(row * k, (row + 1) * k);
      return Math.max(0, ...shares) < 250 && shares.length ? [{ shares, place: this.group.children[i].place }] : [];
    }) : [];
    while (this.pies.children.length > mixed.length) this.pies.lastChild.remove();
    while (this.pies.children.length < mixed.length) this.pies.appendChild(document.createElementNS(SVG, "g"));
    mixed.forEach(({ shares, place }, i) => {
      const pie = this.pies.children[i], look = `${shares} ${r.toFixed(1)} ${this.theme.name}`;
      if (pie.place !== place) pie.setAttribute("transform", (pie.place = place));
      if (pie.look === look) return;
      pie.look = look;
      pie.replaceChildren(...piePaths(shares, r).map(([group, path]) => {
        const node = document.createElementNS(SVG, "path");
        node.setAttribute("d", path);
        node.style.fill = this.theme.palette[group];
        node.style.stroke = this.theme.paper;
        return node;
      }));
    });
  }
}
