// What a phone draws with: handles on the picture, for one thumb, for the keyboard and for screen readers.

import { part } from "../stage/room/bars.js";
import { drawnShape, emptySheet, moved, handleInWords } from "../stage/room/shapes.js";

const ARROWS = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] });
const ARROW = 0.02; // of the picture; five times as much with Shift
const STILL = 400; // milliseconds without another key until the drawing is sent
const REACH = 44; // pixels: a finger this near takes the handle without moving it

export class Easel {
  /** @param {HTMLElement} area the axes in the picture @param {(answer: number[][]) => void} choose */
  constructor(area, choose) {
    this.area = area;
    this.choose = choose;
    this.open = false;
    /** @type {number | null} */
    this.held = null; // the handle under a finger
    this.unsent = false;
    /** @type {HTMLButtonElement[]} */
    this.handles = [];
    area.addEventListener("pointerdown", (event) => this.press(event));
    area.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) area.addEventListener(end, () => this.release());
  }

  /** Start with an empty sheet. @param {any} sheet @param {HTMLElement} field for the words */
  begin(sheet, field) {
    this.sheet = sheet;
    this.unsent = false;
    this.given = false; // there is a drawing of this phone
    /** @type {number[][] | undefined} */
    this.best = undefined;
    this.held = null;
    this.places = sheet.start.map((/** @type {number[]} */ place) => [...place]);
    this.svg = emptySheet();
    this.handles = sheet.names.map((/** @type {string} */ _, /** @type {number} */ i) => this.handle(i));
    this.values = part("output", "values");
    this.area.replaceChildren(this.svg, ...this.handles);
    this.area.classList.add("easel");
    field.append(this.values);
    this.draw();
  }

  /** No sheet is open. */
  end() {
    this.sheet = null;
    this.area.classList.remove("easel");
  }

  /** @param {number} i */
  handle(i) {
    const node = /** @type {HTMLButtonElement} */ (part("button", "grip", String(i + 1)));
    node.type = "button";
    node.onkeydown = (event) => this.key(i, event);
    return node;
  }

  /** Where a pointer is, as shares of the axes. @param {PointerEvent} event */
  share({ clientX, clientY }) {
    const { left, top, width, height } = this.area.getBoundingClientRect();
    return [(clientX - left) / width, 1 - (clientY - top) / height];
  }

  /** Take the handle that is nearest to a finger. @param {PointerEvent} event */
  press(event) {
    if (!this.sheet || !this.open || event.button) return;
    event.preventDefault();
    this.area.setPointerCapture(event.pointerId);
    const at = this.share(event);
    const { width, height } = this.area.getBoundingClientRect();
    const far = this.places.map(([x, y]) => Math.hypot((x - at[0]) * width, (y - at[1]) * height));
    this.held = far.indexOf(Math.min(...far));
    const near = far[this.held] <= REACH;
    if (!near && this.sheet.shape === "stump") this.held = 0; // the cut comes, and its side with it
    this.handles[this.held].focus({ preventScroll: true });
    this.offset = near ? this.places[this.held].map((value, k) => value - at[k]) : [0, 0];
    this.put(this.held, at.map((value, k) => value + this.offset[k]));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.held !== null) this.put(this.held, this.share(event).map((value, k) => value + this.offset[k]));
  }

  release() {
    if (this.held === null) return;
    this.held = null;
    this.send();
  }

  /** @param {number} i @param {KeyboardEvent} event */
  key(i, event) {
    const way = ARROWS[event.key];
    if (!way || !this.open) return;
    event.preventDefault();
    const by = event.shiftKey ? 5 * ARROW : ARROW;
    const from = this.sheet.shape === "stump" ? this.places[0] : this.places[i]; // an arrow turns a stump to its side
    this.put(i, from.map((value, k) => value + by * way[k]));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), STILL);
  }

  /** @param {number} i @param {number[]} place */
  put(i, place) {
    this.unsent = true;
    const { width, height } = this.area.getBoundingClientRect();
    this.places = moved(this.sheet.shape, this.places, i, place, [width, height]).map((each) => each.map((share) => +share.toFixed(3)));
    this.draw();
    this.values.textContent = handleInWords(this.sheet, this.places, i);
  }

  draw() {
    const { shape, axes } = this.sheet;
    const best = this.best ? [drawnShape(shape, this.best, "best", axes)] : [];
    const mine = this.open || this.given ? [drawnShape(shape, this.places, "mine", axes)] : [];
    this.svg.replaceChildren(...mine, ...best);
    this.handles.forEach((node, i) => {
      const [x, y] = this.places[i];
      [node.style.left, node.style.top] = [`${100 * x}%`, `${100 * (1 - y)}%`];
      node.setAttribute("aria-label", handleInWords(this.sheet, this.places, i));
      node.setAttribute("aria-disabled", String(!this.open));
    });
  }

  /** Send the drawing. */
  send() {
    clearTimeout(this.timer);
    this.unsent = false;
    this.choose(this.places.map((/** @type {number[]} */ place) => [...place]));
  }

  /** Send what has been moved, because the countdown is over. */
  finish() {
    if (this.unsent) this.send();
  }

  /**
   * Show the drawing that the server has, whether it can be changed, and the best one when it is revealed.
   * @param {number[][] | null} answer
   * @param {boolean} open
   * @param {number[][]} [best]
   */
  show(answer, open, best) {
    this.open = open;
    this.given = answer !== null;
    this.best = best;
    if (answer && !this.unsent) this.places = answer.map((place) => [...place]);
    this.draw();
  }
}
