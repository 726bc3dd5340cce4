// One panel: a figure that Plotly draws, with a layer of the stage's own inside.

import { acrossAxis, downAxis, fromShare, scaled, shifted, toShare, within } from "./axes.js";
import { Layer } from "./layer.js";
import { litLayout, litTraces } from "./contrast.js";
import { merged } from "./packing.js";
import { enlarged } from "./scale.js";

const SETTINGS = { displayModeBar: false, responsive: false, doubleClick: false, showTips: false };

// An empty line, so that Plotly makes the layer of lines that the stage's layer has to be in.
const NO_LINE = { type: "scatter", x: [null], y: [null], showlegend: false, hoverinfo: "skip" };

// Plotly stretches ranges to make a unit equally long on both axes, and writes them into the
// layout. It gets a copy, so that the next drawing at another size starts from the original ranges.
const withOwnRanges = (layout) =>
  Object.fromEntries(
    Object.entries(layout).map(([name, part]) => [name, part?.range ? { ...part } : part]),
  );

// Plotly removes the node of an empty text and does not find it again for a later text. So empty
// texts get a space.
const placed = (trace) =>
  Array.isArray(trace.text) && trace.text.includes("")
    ? { ...trace, text: trace.text.map((text) => text || "\u00a0") }
    : trace;

// Streamlit loads Plotly when a chart needs it; a hidden chart outside the stage does.
function plotlyLoaded() {
  return new Promise((ready) => {
    const look = () => (window.Plotly ? ready(window.Plotly) : setTimeout(look, 20));
    look();
  });
}

export class Plot {
  /**
   * @param {HTMLElement} div
   * @param {object} theme colours, shared by all of the stage
   */
  constructor(div, theme) {
    this.div = div;
    this.theme = theme;
    this.layer = new Layer(theme);
    /** @type {import("./protocol.js").Figure} */
    this.figure; // set when the first figure is shown
    this.template = null;
    /** @type {{x: number[], y: number[]} | null} */
    this.zoom = null; // null: all of the plane is seen
    /** @type {() => void} */
    this.onDrawn = () => {}; // called when what is on the plot has to be placed again
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(div);
    div.setAttribute("role", "img");
  }

  /** Set the title for screen readers, and Plotly's template. */
  setLook(title, template) {
    this.div.setAttribute("aria-label", title);
    this.template = template;
  }

  /** @param {import("./protocol.js").Figure} figure */
  show(figure) {
    this.figure = figure;
    return this.draw();
  }

  get drawnByStage() {
    return Boolean(this.figure.points || this.figure.marks || this.figure.edges);
  }

  /** Return whether Plotly has drawn; before that there are no axes. */
  get ready() {
    return Boolean(this.div._fullLayout?.xaxis?._length);
  }

  async draw() {
    if (!this.figure) return;
    const Plotly = await plotlyLoaded();
    const { clientWidth: width, clientHeight: height } = this.div; // may have changed meanwhile
    if (this.gone || !width || !height) return;
    const { data, layout } = this.figure;
    const { scale, inks } = this.theme;
    const { template, zoom, drawnByStage } = this;
    if (this.isDrawn([data, layout, template, scale, zoom, width, height, drawnByStage])) {
      return this.placeAll();
    }
    const texts = litTraces(data, inks).map(placed);
    const traces = enlarged(drawnByStage ? [...texts, NO_LINE] : texts, scale);
    const zoomed = zoom ? { xaxis: { range: zoom.x }, yaxis: { range: zoom.y } } : {};
    const look = enlarged({ ...withOwnRanges(merged(litLayout(layout, inks), zoomed)), template }, scale);
    const whole = { ...look, width, height };
    const drawn = Plotly.react(this.div, traces, whole, SETTINGS);
    this.placeAll(); // before Plotly has finished, so that nothing flashes
    if (!this.heard) this.div.on("plotly_afterplot", () => this.drawnLate());
    this.heard = true;
    await drawn;
    // A legend that has become lower keeps its old place until the figure is drawn again.
    const size = `${width} ${height}`;
    if (this.size && this.size !== size && layout.showlegend && !this.gone) {
      await Plotly.redraw(this.div);
    }
    this.size = size;
  }

  // Return whether this very picture is on the screen: a view may be the same at every step, or
  // only its points may change.
  isDrawn(now) {
    const same = this.drawn?.every((value, i) => value === now[i]);
    this.drawn = now;
    return same;
  }

  // Plotly may finish later than its promise says, and move the axes or its layers.
  drawnLate() {
    if (this.gone || !this.ready) return;
    if (this.placedFor !== this.axesNow() || !this.layer.isIn(this)) this.placeAll();
  }

  axesNow() {
    const { xaxis, yaxis } = this.div._fullLayout;
    return [xaxis, yaxis].map((axis) => `${axis._offset} ${axis._length} ${axis.range}`).join();
  }

  placeAll() {
    if (!this.ready) return;
    this.placedFor = this.axesNow();
    this.layer.putInto(this);
    this.onDrawn();
  }

  /** Plotly's first two axes. */
  get axes() {
    const { xaxis, yaxis } = this.div._fullLayout;
    return { x: xaxis, y: yaxis };
  }

  /** Return the box inside the axes, in pixels of the page. */
  area() {
    const { x, y } = this.axes;
    const box = this.div.getBoundingClientRect();
    return { left: box.left + x._offset, top: box.top + y._offset, width: x._length,
      height: y._length };
  }

  /** Return where a pointer is, as shares of the axes. */
  share({ clientX, clientY }) {
    const { left, top, width, height } = this.area();
    return { u: (clientX - left) / width, v: 1 - (clientY - top) / height };
  }

  toData({ u, v }) {
    const { x, y } = this.axes;
    return [fromShare(x, u), fromShare(y, v)];
  }

  /** @param {number[]} place */
  toShare([px, py]) {
    const { x, y } = this.axes;
    return { u: toShare(x, px), v: toShare(y, py) };
  }

  /** Return pixels from the left and the top of the plot's inside. @param {number[]} place */
  toPixel([px, py]) {
    const { x, y } = this.axes;
    return [acrossAxis(x, toShare(x, px)), downAxis(y, toShare(y, py))];
  }

  /** @param {number} factor @param {{u: number, v: number}} at shares of the place that stays where it is */
  zoomBy(factor, { u, v }) {
    const { x, y } = this.axes;
    this.zoomTo({ x: scaled(x.range, factor, u), y: scaled(y.range, factor, v) });
  }

  /** Move the visible part by shares of it; `from` is the zoom at the start of the drag. */
  pan(from, { u, v }) {
    this.zoomTo({ x: shifted(from.x, u), y: shifted(from.y, v) });
  }

  zoomTo(zoom) {
    const { xaxis, yaxis } = this.figure.layout;
    this.zoom = within(zoom, { x: xaxis.range, y: yaxis.range });
    this.draw();
  }

  destroy() {
    this.gone = true;
    this.observer.disconnect();
    if (this.div._fullLayout) window.Plotly.purge(this.div);
  }
}
