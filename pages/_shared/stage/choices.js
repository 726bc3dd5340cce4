// Choices: buttons on a plot that set a parameter of the lab.

import { acrossAxis, downAxis, toShare } from "./axes.js";
import { Grips } from "./grips.js";

let presses = 0; // on this page

export class Choices extends Grips {
  /**
   * @param {HTMLElement} container
   * @param {import("./plot.js").Plot} plot
   * @param {(chosen: import("./protocol.js").Chosen) => void} send
   */
  constructor(container, plot, send) {
    super(container, plot);
    this.send = send;
    /** @type {import("./protocol.js").Choice[]} */
    this.choices = [];
    this.now = 0; // the step that the user is at
  }

  /** @param {import("./protocol.js").Choice[]} choices */
  show(choices) {
    this.choices = choices;
    this.setPlaces(choices.map(({ place }) => place), "xy");
  }

  /** @param {number} now the step that the user is at */
  setStep(now) {
    this.now = now;
    this.draw();
  }

  /** @param {HTMLElement} node @param {number} i */
  look(node, i) {
    const { text, label, size } = this.choices[i];
    node.className = size ? "handle choice over" : "handle choice";
    node.textContent = text;
    node.setAttribute("aria-label", label);
  }

  /** @param {HTMLElement} node @param {number[]} place @param {number} i */
  position(node, place, i) {
    super.position(node, place, i);
    const { at, size } = this.choices[i];
    if (at !== undefined && at !== this.now) node.hidden = true;
    if (!size) return;
    const { x, y } = this.plot.axes;
    const [left, right] = [-0.5, 0.5].map((half) => acrossAxis(x, toShare(x, place[0] + half * size[0])));
    const [top, bottom] = [0.5, -0.5].map((half) => downAxis(y, toShare(y, place[1] + half * size[1])));
    node.style.width = `${right - left}px`;
    node.style.height = `${bottom - top}px`;
  }

  /**
   * Press the button, which cannot be dragged.
   * @param {number} i
   * @param {HTMLElement} _
   * @param {PointerEvent} event
   */
  take(i, _, event) {
    event.preventDefault();
    this.choose(i);
  }

  /** @param {number} i @param {KeyboardEvent} event */
  key(i, { key }) {
    if (key !== "Enter" && key !== " ") return false;
    this.choose(i);
    return true;
  }

  /** @param {number} i */
  choose(i) {
    const { name, value } = this.choices[i];
    this.send({ name, value, number: ++presses });
  }
}
