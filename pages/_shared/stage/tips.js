// The tip beside the mouse on a point: the point's class and its place.

import { axisNames } from "./place_words.js";

const HOVER = 10; // pixels

/**
 * @param {import("./edits.js").Point} point
 * @param {string[] | null} classes
 * @param {string[]} axes their names
 */
export function described({ x, y, label }, classes, axes) {
  const place = [x, y].map((value, i) => `${axes[i]} ${+value.toPrecision(4)}`).join(", ");
  const name = classes?.[label];
  return name ? `${name}: ${place}` : place;
}

export class Tips {
  /**
   * @param {HTMLElement} picture
   * @param {import("./tools.js").Tools} tools
   * @param {() => string[] | null} classes
   */
  constructor(picture, tools, classes) {
    this.picture = picture;
    this.tools = tools;
    this.classes = classes;
    this.asked = 0;
    this.tip = picture.querySelector(".tip");
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    picture.addEventListener("pointermove", (event) => this.move(event), { signal });
    picture.addEventListener("pointerleave", () => this.hide(), { signal });
    picture.addEventListener("pointerdown", () => this.hide(), { signal });
    const escape = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && this.hide();
    window.addEventListener("keydown", escape, { capture: true, signal });
  }

  // One update per frame is enough.
  move(event) {
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.show(event));
  }

  show({ pointerType, buttons, clientX, clientY, target }) {
    const { tools } = this;
    const { plot } = tools;
    const idle = pointerType === "mouse" && !buttons && !target.closest(".handle");
    if (!idle || !plot.ready || !tools.paintable) return this.hide();
    const at = plot.share({ clientX, clientY });
    const [nearest] = tools.near(at, HOVER);
    const point = tools.points[nearest];
    if (!point) return this.hide();
    const { x, y } = plot.axes;
    this.tip.textContent = described(point, this.classes(), axisNames(plot));
    const [across, down] = plot.toPixel([point.x, point.y]);
    this.tip.style.left = `${x._offset + across}px`;
    this.tip.style.top = `${y._offset + down}px`;
    this.tip.hidden = false;
  }

  hide() {
    cancelAnimationFrame(this.asked);
    this.tip.hidden = true;
  }

  destroy() {
    this.hide();
    this.listeners.abort();
  }
}
