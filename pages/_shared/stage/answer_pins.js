// Pins on a plot: what a question is about, and its answers, which can be pressed. The same answers
// are buttons below the picture, for the keyboard and for screen readers.

import { Grips } from "./grips.js";

export class AnswerPins extends Grips {
  /**
   * @param {{text: string, look: string, place: number[], press?: () => void}[]} pins look: "asked",
   *   "answer", "right" or "wrong"; place: in data
   */
  show(pins) {
    this.pins = pins;
    this.setPlaces(pins.map(({ place }) => place), "xy");
  }

  look(node, i) {
    const { text, look, press } = this.pins[i];
    node.className = `handle pin ${look}`;
    node.innerHTML = "<span></span>"; // Turn the text back, because the drop around it is turned.
    node.firstChild.textContent = text;
    node.tabIndex = -1;
    node.setAttribute("aria-hidden", "true");
    node.style.pointerEvents = press ? "" : "none";
  }

  // Pins cannot be dragged.
  take(i, _, event) {
    event.preventDefault();
    this.pins[i].press?.();
  }
}
