// Grips: buttons at places of a plot that the user drags, by pointer or keyboard.

import { acrossAxis, downAxis, inside, isInside } from "./axes.js";

const KEY_STEP = 0.02; // of the plot
const BIG_KEY_STEP = 0.1; // with Shift
const CLICK = 4; // pixels that a pointer may move while it clicks
const BAR = { least: 16, most: 36 }; // pixels: the length of a grip that is dragged up or across

/**
 * Return how far a key moves a grip, as shares of the plot, in the allowed directions; or null.
 * @param {{key: string, shiftKey: boolean}} event
 * @param {string} [along] "xy", "x" or "y"
 */
export function keyMove({ key, shiftKey }, along = "xy") {
  const step = shiftKey ? BIG_KEY_STEP : KEY_STEP;
  const moves = {
    ArrowLeft: ["x", -step],
    ArrowRight: ["x", step],
    ArrowDown: ["y", -step],
    ArrowUp: ["y", step],
  };
  const [direction, by] = moves[key] ?? [];
  if (!along.includes(direction)) return null;
  return direction === "x" ? { u: by, v: 0 } : { u: 0, v: by };
}

/**
 * Return whether a pointer came up where it went down.
 * @param {{clientX: number, clientY: number}} down
 * @param {{clientX: number, clientY: number}} up
 */
export const isClick = (down, up) => Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < CLICK;

/**
 * Buttons on a plot. A class that extends this one defines how they look and what moving them does.
 */
export class Grips {
  /**
   * @param {HTMLElement} container what the plot fills: the buttons are put here
   * @param {import("./plot.js").Plot} plot
   */
  constructor(container, plot) {
    this.container = container;
    this.plot = plot;
    /** @type {number[][]} */
    this.places = [];
    this.along = "xy";
    this.gap = Infinity; // pixels to the next grip beside one
    /** @type {HTMLElement[]} */
    this.nodes = [];
    /** @type {number | null} */
    this.dragged = null;
    /** @type {PointerEvent | null} */
    this.pressed = null; // the last time a pointer came down on the plot
    /** @type {number | null} */
    this.carried = null; // the button that was clicked: the next click puts it there
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    container.addEventListener("pointerdown", (event) => this.press(event), { capture: true, signal });
  }

  /**
   * @param {number[][]} places in data
   * @param {string} along the directions in which they can be dragged: "xy", "x" or "y"
   */
  setPlaces(places, along) {
    this.places = places;
    this.along = along;
    if (this.dragged !== null && this.dragged >= places.length) this.release();
    if (this.carried !== null && this.carried >= places.length) this.carry(null);
    while (this.nodes.length > places.length) this.nodes.pop().remove();
    places.forEach((_, i) => this.look((this.nodes[i] ??= this.create(i)), i));
    this.draw();
  }

  /** Put the buttons at their places on the axes. */
  draw() {
    if (!this.plot.ready) return;
    this.gap = this.between();
    this.places.forEach((place, i) => this.position(this.nodes[i], place, i));
  }

  /** Return how far side by side are the nearest two grips that are dragged the same way, in pixels. */
  between() {
    if (this.along === "xy") return Infinity;
    const { x, y } = this.plot.axes;
    const across = this.places.map((place) => {
      const { u, v } = this.plot.toShare(place);
      return this.along === "y" ? acrossAxis(x, u) : downAxis(y, v);
    });
    const gaps = across.sort((a, b) => a - b).map((place, i) => place - across[i - 1]);
    return Math.min(...gaps.filter((gap) => gap > 1)); // at one place they are lines, one over the other
  }

  /** @param {HTMLElement} node @param {number[]} place @param {number} _i */
  position(node, place, _i) {
    const { x, y } = this.plot.axes;
    let { u, v } = this.plot.toShare(place);
    // A line across the plot has a grip on it even if the line's own place is out of sight.
    if (this.along === "y") u = Number.isFinite(u) ? inside(u) : 1;
    if (this.along === "x") v = Number.isFinite(v) ? inside(v) : 1;
    node.hidden = !isInside(u, v);
    node.dataset.along = this.along;
    const { style } = node;
    style.left = `${x._offset + acrossAxis(x, u)}px`;
    style.top = `${y._offset + downAxis(y, v)}px`;
    if (this.along === "xy") return;
    // Extend the grip along the line to both sides, so that all of the line can be dragged.
    const upright = this.along === "x";
    const most = this.gap / 2; // as far as the next grip, if there is one beside it
    style.setProperty("--before", `${Math.min(most, upright ? downAxis(y, v) : acrossAxis(x, u))}px`);
    style.setProperty("--after", `${Math.min(most, upright ? acrossAxis(y, v) : downAxis(x, u))}px`);
    style.setProperty("--bar", `${Math.max(BAR.least, Math.min(BAR.most, this.gap - 8))}px`);
  }

  /** @param {number} i @returns {HTMLElement} */
  create(i) {
    const node = document.createElement("button");
    node.className = "handle";
    node.hidden = true; // until the plot has axes
    node.addEventListener("pointerdown", (event) => this.take(i, node, event));
    node.addEventListener("keydown", (event) => {
      this.carry(null);
      if (!this.key(i, event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    return this.container.appendChild(node);
  }

  /** @param {number} i @param {HTMLElement} node @param {PointerEvent} event */
  take(i, node, event) {
    if (event.button !== 0) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    this.dragged = i;
    this.taken();
    node.onpointermove = (move) => this.put(i, this.plot.share(move), false);
    node.onpointerup = (up) => {
      this.release();
      if (isClick(event, up)) this.carry(this.carried === i ? null : i);
      else this.put(i, this.plot.share(up), true);
    };
    node.onpointercancel = () => {
      this.release();
      this.put(i, this.plot.toShare(this.places[i]), true);
    };
  }

  /**
   * Pick a button up without dragging: the user clicks it, and then clicks its new place.
   * @param {number | null} i
   */
  carry(i) {
    this.carried = i;
    this.nodes.forEach((node, j) => node.classList.toggle("carried", j === i));
  }

  /** @param {any} event a pointer comes down on the plot */
  press(event) {
    this.pressed = event;
    if (this.carried === null || event.button !== 0 || event.target.closest("button")) return;
    const { u, v } = this.plot.share(event);
    if (!isInside(u, v)) return;
    event.preventDefault();
    event.stopPropagation(); // Keep this event from the tools.
    this.put(this.carried, { u, v }, true);
    this.carry(null);
  }

  release() {
    const node = this.nodes[this.dragged];
    node.onpointermove = node.onpointerup = node.onpointercancel = null;
    this.dragged = null;
    this.letGo();
  }

  /** Make a button look as it should. @param {HTMLElement} _node @param {number} _i */
  look(_node, _i) {}

  /** A button is put somewhere. @param {number} _i @param {{u: number, v: number}} _share */
  put(_i, _share, _letGo = false) {}

  /** @returns {boolean} whether the key moves a button @param {number} _i @param {KeyboardEvent} _event */
  key(_i, _event) {
    return false;
  }

  taken() {}

  letGo() {}

  destroy() {
    if (this.dragged !== null) this.release();
    this.listeners.abort();
    for (const node of this.nodes.splice(0)) node.remove();
  }
}
