// What a phone answers with: a button for each option, a tap on the picture, a slider, or a drawing.

import { part } from "../stage/room/bars.js";
import { MARKS } from "../stage/room/tally.js";
import { Easel } from "./easel.js";

const HALF = 0.5; // of the axes: where a slider for a place begins

export class Ballot {
  /**
   * @param {HTMLElement} place for the buttons or the slider
   * @param {HTMLElement} area the axes in the picture
   * @param {(answer: any) => void} choose called with every answer that is chosen
   */
  constructor(place, area, choose) {
    this.place = place;
    this.area = area;
    this.choose = choose;
    /** @type {HTMLInputElement[]} */
    this.inputs = [];
    this.touched = false; // a slider has been moved and not let go yet
    this.way = "";
    this.easel = new Easel(area, choose);
    area.addEventListener("click", (event) => this.tap(event));
  }

  /** Start with another question. @param {any} question */
  ask(question) {
    const { way, options, bounds } = question;
    this.way = way;
    this.touched = false;
    this.area.hidden = way !== "tap" && way !== "draw";
    this.area.replaceChildren();
    this.easel.end();
    this.field = /** @type {HTMLFieldSetElement} */ (part("fieldset", "", part("legend", "", LEGENDS[way])));
    this.inputs = [];
    if (way === "draw") this.easel.begin(question, this.field);
    else if (way === "buttons") this.inputs = options.map((/** @type {string} */ option, /** @type {number} */ i) => this.button(option, i));
    else if (way === "number") this.inputs = [this.slider("Your answer", bounds, this.field)];
    else this.inputs = this.sliders();
    this.place.replaceChildren(this.field);
  }

  /** @param {string} option @param {number} i */
  button(option, i) {
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "answer" });
    input.onchange = () => this.choose(i);
    this.field.append(part("label", "choice", input, part("b", "", MARKS[i]), " ", part("span", "", option)));
    return input;
  }

  /** @param {string} name @param {number[]} bounds @param {HTMLElement} into */
  slider(name, [low, high, step], into) {
    const input = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step });
    input.value = String(low + Math.round((high - low) / 2 / step) * step);
    const output = part("output", "", "–");
    input.oninput = () => {
      this.touched = true;
      output.textContent = input.value;
    };
    input.onchange = () => this.submit();
    into.append(part("div", "slide", part("label", "", name, input), output));
    return input;
  }

  // The same as a tap, for the keyboard and for screen readers.
  sliders() {
    const more = part("details", "", part("summary", "", "Answer without tapping"));
    this.field.append(more);
    return ["From left to right", "From bottom to top"].map((name) => this.slider(name, [0, 1, 0.01], more));
  }

  /** @param {MouseEvent} event */
  tap({ clientX, clientY }) {
    if (this.way !== "tap" || this.field?.disabled) return;
    const { left, top, width, height } = this.area.getBoundingClientRect();
    this.put([(clientX - left) / width, 1 - (clientY - top) / height]);
    this.submit();
  }

  /** Send what the sliders show. */
  submit() {
    this.touched = false;
    const values = this.inputs.map(({ value }) => +value);
    if (this.way === "tap") this.put(values);
    this.choose(this.way === "number" ? values[0] : values);
  }

  /** Send what has been moved and not let go, because the countdown is over. */
  finish() {
    if (this.touched) this.submit();
    if (this.way === "draw") this.easel.finish();
  }

  /** @param {number[]} place */
  put([x, y]) {
    [x, y].forEach((share, i) => this.set(this.inputs[i], Math.min(1, Math.max(0, share)).toFixed(2)));
    const ring = this.area.firstElementChild ?? this.area.appendChild(document.createElement("i"));
    const { style } = /** @type {HTMLElement} */ (ring);
    [style.left, style.top] = [`${100 * x}%`, `${100 * (1 - y)}%`];
  }

  /** @param {HTMLInputElement} input @param {string | number} value */
  set(input, value) {
    input.value = String(value);
    const output = input.closest(".slide")?.querySelector("output");
    if (output) output.textContent = input.value;
  }

  /**
   * Show the answer that the server has, and whether it can be changed.
   * @param {any} answer
   * @param {boolean} open
   * @param {number[][]} [best] the best drawing, once it is revealed
   */
  show(answer, open, best) {
    this.field.disabled = !open;
    if (this.way === "draw") {
      this.field.hidden = !open;
      return this.easel.show(answer, open, best);
    }
    if (this.touched) return; // a finger is on the slider
    if (this.way === "buttons") this.inputs.forEach((input, i) => (input.checked = i === answer));
    else if (answer === null) this.clear();
    else if (this.way === "number") this.set(this.inputs[0], answer);
    else this.put(answer);
  }

  clear() {
    this.area.replaceChildren();
    for (const input of this.inputs) {
      const output = input.closest(".slide")?.querySelector("output");
      if (output) output.textContent = "–";
    }
    if (this.way === "tap") for (const input of this.inputs) input.value = String(HALF);
  }
}

const LEGENDS = /** @type {Record<string, string>} */ ({
  buttons: "One answer",
  tap: "Tap on the picture",
  number: "Move the slider",
  draw: "Drag the handles, or move them with the arrow keys",
});
