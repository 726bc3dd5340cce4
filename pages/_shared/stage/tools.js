// The drawing tools: strokes by pointer on the picture, or by keyboard with a crosshair.

import { acrossAxis, downAxis, inside } from "./axes.js";
import { edited } from "./edits.js";
import { isClick, keyMove } from "./grips.js";

// In pixels: the distance between two points of a brush of density 1, and the reach of the eraser.
const SPACING = 280;
const REACH = 14;
const TOUCH_REACH = 1.6; // the reach grows by this factor with a finger,
const HAND_REACH = 1.5; // and by this one with the tool that moves a point
const KEY_REACH = 40;

/**
 * A stroke that is not finished. index: the point that is moved, `to` a place; it follows the
 * pointer, or was `taken` by a click, pressed where `pressed` says.
 * @typedef {{tool: string, label: number, reach: number, at: {u: number, v: number}, drawn: number[][],
 *   touched: Set<number>, index?: number, to?: number[], pressed?: any, taken?: boolean}} Stroke
 */

/**
 * Return the edit that a stroke asks Python for, or null if it changed nothing.
 * @param {{tool: string, label: number, drawn: number[][], touched: Set<number>, index?: number,
 *   to?: number[]}} stroke
 * @returns {import("./protocol.js").Edit | null}
 */
export function strokeEdit({ tool, label, drawn, touched, index, to }) {
  const indices = [...touched];
  if (drawn.length) return { op: "add", points: drawn, label };
  if (to) return { op: "move", index, to };
  if (indices.length && tool === "erase") return { op: "erase", indices };
  if (indices.length && tool === "relabel") return { op: "relabel", indices, label };
  return null;
}

/**
 * Return the tool that a pointer uses. In a run with a changed step points are handles, so the
 * mouse moves one without "move" being chosen. A finger without a tool scrolls the page.
 * @param {string} tool that was chosen
 * @param {boolean} carries whether points that are dragged are moved in the fork
 * @param {string} pointer "mouse", "pen" or "touch"
 * @param {boolean} over whether it is over a point
 */
export function toolInHand(tool, carries, pointer, over) {
  return tool === "look" && carries && pointer !== "touch" && over ? "move" : tool;
}

/**
 * Return a place in a disc from two numbers between 0 and 1; uniform if the numbers are uniform.
 * @param {number[]} middle
 * @param {number} radius
 * @param {number} turn
 * @param {number} share
 */
export function sprayed([x, y], radius, turn, share) {
  const far = radius * Math.sqrt(share);
  return [x + far * Math.cos(2 * Math.PI * turn), y + far * Math.sin(2 * Math.PI * turn)];
}

/**
 * Return a place from a Gaussian around `middle`, from two uniform numbers between 0 and 1.
 * @param {number[]} middle
 * @param {number} spread
 * @param {number} turn
 * @param {number} share
 */
export function scattered([x, y], spread, turn, share) {
  const far = spread * Math.sqrt(-2 * Math.log(1 - share));
  return [x + far * Math.cos(2 * Math.PI * turn), y + far * Math.sin(2 * Math.PI * turn)];
}

export class Tools {
  /**
   * @param {HTMLElement} picture
   * @param {import("./plot.js").Plot} plot the picture's
   * @param {import("./edits.js").Edits} edits
   * @param {import("./settings.js").Settings} settings
   * @param {{changed: () => void, send: () => void,
   *   carry: (edit: import("./protocol.js").Edit) => void, crossed: (shown: boolean) => void}} told
   */
  constructor(picture, plot, edits, settings, told) {
    this.picture = picture;
    this.plot = plot;
    this.edits = edits;
    this.settings = settings;
    this.told = told;
    this.tool = "look";
    /** @type {Stroke | null} */
    this.stroke = null;
    this.paintable = false;
    this.carries = false; // whether a point that is dragged is moved in the fork, not in the data
    this.held = null; // the edit of that move, shown until Python answers
    this.byKey = true; // whether the crosshair is shown
    this.cursor = { u: 0.5, v: 0.5 }; // where it is
    this.last = this.cursor; // where it or a pointer was last: zooming goes there
    this.cross = picture.querySelector(".cross");
    this.cross.hidden = true;
    picture.dataset.tool = this.tool;
    this.listeners = new AbortController();
    this.listen(picture, "pointerdown", this.down);
    this.listen(window, "pointermove", this.drag);
    this.listen(window, "pointerup", this.up);
    this.listen(window, "pointercancel", this.up);
    this.listen(picture, "keydown", this.key);
    this.listen(picture, "focus", this.showCross);
    this.listen(picture, "blur", this.showCross);
  }

  listen(target, type, listener) {
    const { signal } = this.listeners;
    target.addEventListener(type, listener.bind(this), { signal, passive: false });
  }

  /** Set whether the points can be painted on; otherwise the picture can only be looked at. */
  setPaintable(paintable, revision) {
    // other data: the stroke is dropped
    if (revision !== this.revision || !paintable) this.stroke = null;
    this.paintable = paintable;
    this.revision = revision;
    this.held = null;
  }

  /** Set whether a dragged point is moved in the fork, and not in the data. */
  setCarrying(carries) {
    this.carries = carries;
    this.picture.classList.toggle("carries", carries);
  }

  setTool(tool) {
    this.tool = tool;
    this.picture.dataset.tool = tool;
    this.told.changed();
    this.showCross();
  }

  /** Return the points as the stroke has changed them so far. */
  get points() {
    const edit = (this.stroke && strokeEdit(this.stroke)) ?? this.held;
    const seen = edit && (edit.op === "add" || edit.op === "move");
    return seen ? edited(this.edits.points, edit, this.edits.limit) : this.edits.points;
  }

  /** Return the indices of the points drawn within `reach` pixels of a place, the nearest first. */
  near(at, reach) {
    const [x, y] = this.pixel(at);
    return Array.from(this.plot.layer.points.children, ({ pixel }, i) => [
      i,
      Math.hypot(pixel[0] - x, pixel[1] - y),
    ])
      .filter(([, far]) => far <= reach)
      .sort((a, b) => a[1] - b[1])
      .map(([i]) => i);
  }

  pixel({ u, v }) {
    const { x, y } = this.plot.axes;
    return [acrossAxis(x, u), downAxis(y, v)];
  }

  // After an undo or redo that Python has not answered, the indices of points are unknown.
  get blind() {
    return !this.edits.known && !["add", "brush", "spray"].includes(this.tool);
  }

  begin(at, reach, tool = this.tool) {
    const { label } = this.settings;
    this.stroke = { tool, label, reach, at, drawn: [], touched: new Set() };
  }

  /** End the stroke, and send its edit to Python. */
  finish() {
    const edit = this.stroke && strokeEdit(this.stroke);
    this.stroke = null;
    if (!edit) return;
    const carried = this.carries && edit.op === "move";
    if (carried) this.held = edit;
    else this.edits.add(edit);
    this.told.changed();
    if (carried) this.told.carry(edit);
    else this.told.send();
  }

  // Pointer.

  down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.plot.ready) return;
    const at = this.plot.share(event);
    const within = inside(at.u) === at.u && inside(at.v) === at.v;
    if (!within || event.target.closest(".handle")) return;
    this.last = at;
    if (this.stroke?.taken) return this.putThere(at, event);
    const reach = event.pointerType === "touch" ? TOUCH_REACH * REACH : REACH;
    const [nearest] = this.near(at, HAND_REACH * reach);
    const tool = toolInHand(this.tool, this.carries, event.pointerType, nearest !== undefined);
    if (tool === "look") {
      this.panned = this.plot.zoom && { from: at, zoom: this.plot.zoom };
      return;
    }
    event.preventDefault();
    this.byKey = false;
    if (this.tool !== "look") this.picture.focus({ preventScroll: true });
    this.showCross();
    if (this.blind) return;
    this.begin(at, reach, tool);
    if (tool === "add" || tool === "brush") this.drop(this.plot.toData(at));
    if (tool === "spray") this.spray(at);
    if (tool === "move") Object.assign(this.stroke, { index: nearest, pressed: event });
    if (tool === "erase" || tool === "relabel") this.touch(at);
  }

  drag(event) {
    const { stroke, panned } = this;
    if (!stroke && !panned) return;
    const at = this.plot.share(event);
    if (panned) {
      this.plot.pan(panned.zoom, { u: at.u - panned.from.u, v: at.v - panned.from.v });
    } else if (stroke.tool === "brush") this.brush(at);
    else if (stroke.tool === "move") this.carry(at);
    else if (stroke.tool === "erase" || stroke.tool === "relabel") this.touch(at);
  }

  up(event) {
    this.panned = null;
    const { stroke } = this;
    if (stroke?.taken) return;
    if (stroke?.index !== undefined && stroke.pressed && isClick(stroke.pressed, event)) return this.take(stroke);
    this.finish();
  }

  // A point that was clicked is in the hand: it follows the pointer, and the next click puts it there.
  take(stroke) {
    Object.assign(stroke, { taken: true, to: undefined });
    this.told.changed();
    this.plot.layer.fade(stroke.index);
  }

  putThere(at, event) {
    event.preventDefault();
    Object.assign(this.stroke, { taken: false, pressed: null });
    this.carry(at);
  }

  /** Put a point that was taken back to where it was. */
  letGo() {
    if (!this.stroke?.taken) return;
    this.stroke = null;
    this.told.changed();
  }

  brush(at) {
    const [x, y] = this.pixel(at);
    const [x0, y0] = this.pixel(this.stroke.at);
    const { width, density } = this.settings;
    if (Math.hypot(x - x0, y - y0) < SPACING / density) return;
    this.dropAt(sprayed([x, y], width, Math.random(), Math.random()));
    this.stroke.at = at;
  }

  spray(at) {
    const { width, density } = this.settings;
    for (let i = 0; i < density; i++) {
      this.dropAt(scattered(this.pixel(at), width, Math.random(), Math.random()));
    }
  }

  /**
   * Drop a point at a pixel; a place beside the picture is moved to its edge.
   * @param {number[]} pixel
   */
  dropAt([x, y]) {
    const { width, height } = this.plot.area();
    this.drop(this.plot.toData({ u: inside(x / width), v: inside(1 - y / height) }));
  }

  drop(place) {
    if (this.edits.points.length + this.stroke.drawn.length >= this.edits.limit) return;
    this.stroke.drawn.push(place);
    this.told.changed();
  }

  carry({ u, v }) {
    if (this.stroke.index === undefined) return;
    this.stroke.to = this.plot.toData({ u: inside(u), v: inside(v) });
    this.told.changed();
  }

  touch(at) {
    for (const i of this.near(at, this.stroke.reach)) {
      this.stroke.touched.add(i);
      this.plot.layer.fade(i);
    }
  }

  // Keyboard: arrows move a crosshair, Enter does what a click would do there.

  key(event) {
    const { ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || this.tool === "look" || target !== this.picture) return;
    const by = keyMove(event);
    if (!by && event.key !== "Enter") return;
    this.byKey = true;
    if (by) {
      this.last = this.cursor = { u: inside(this.cursor.u + by.u), v: inside(this.cursor.v + by.v) };
      if (this.stroke) this.carry(this.cursor);
    } else this.press();
    this.showCross();
    event.preventDefault();
    event.stopPropagation();
  }

  press() {
    if (this.stroke) return this.finish(); // drops the point that the arrows carried
    if (this.blind) return;
    this.begin(this.cursor, HAND_REACH * REACH);
    if (this.tool === "add" || this.tool === "brush") this.drop(this.plot.toData(this.cursor));
    if (this.tool === "spray") this.spray(this.cursor);
    if (this.tool === "erase" || this.tool === "relabel") this.touch(this.cursor);
    if (this.tool === "move") this.stroke.index = this.near(this.cursor, KEY_REACH)[0];
    if (this.stroke.index === undefined) this.finish();
  }

  showCross() {
    const focused = document.activeElement === this.picture;
    const shown = this.tool !== "look" && this.byKey && focused && this.plot.ready;
    this.cross.hidden = !shown;
    this.told.crossed(shown);
    if (!shown) return;
    const { x, y } = this.plot.axes;
    const [across, down] = this.pixel(this.cursor);
    this.cross.style.left = `${x._offset + across}px`;
    this.cross.style.top = `${y._offset + down}px`;
  }

  destroy() {
    this.listeners.abort();
  }
}
