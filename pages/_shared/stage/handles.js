// Handles: draggable places that are a parameter of the lab, such as the initial centres.

import { inside, isInside } from "./axes.js";
import { Grips, isClick, keyMove } from "./grips.js";
import { placeInWords } from "./place_words.js";
import { predictedAt } from "./predicted.js";

export class Handles extends Grips {
  /**
   * @param {HTMLElement} container
   * @param {import("./plot.js").Plot} plot
   * @param {object} theme
   * @param {(moved: import("./outbox.js").Move) => void} send
   */
  constructor(container, plot, theme, send) {
    super(container, plot);
    this.theme = theme;
    this.send = send;
    /** @type {string[] | null} */
    this.classes = null; // the names of the points' groups, if they are classes
    const { signal } = this.listeners;
    container.addEventListener("click", (event) => this.click(event), { signal });
  }

  /** Move the one handle of a place to pick to the click. @param {any} event */
  click(event) {
    const { kind, places, fixed, container, pressed, at, now } = this;
    const looks = (container.dataset.tool ?? "look") === "look" && (at === undefined || at === now);
    if (kind !== "query" || places.length !== 1 || fixed || !looks) return;
    if (!pressed || pressed.defaultPrevented) return; // a handle that was carried is put there
    if (!isClick(pressed, event) || event.target.closest("button, .legend, .stage-legend")) return;
    const share = this.plot.share(event);
    if (isInside(share.u, share.v)) this.put(0, share, true);
  }

  /**
   * @param {import("./protocol.js").Handles} handles
   * @param {boolean} [unheard] they have been moved since, which Python has not heard of
   */
  show({ name, label, look, along, places, fixed, at }, unheard = false) {
    // Keep the new place, although the answer to an earlier one arrives.
    const kept = (unheard || this.dragged !== null) && places.length === this.places.length;
    this.name = name;
    this.label = label;
    this.word = label.startsWith("Picked") ? "picked" : label.toLowerCase();
    this.kind = look;
    this.fixed = Boolean(fixed);
    this.at = at;
    this.setPlaces(kept ? this.places : places.slice(), along);
  }

  /** @param {number} now the step that the user is at @param {string[] | null} classes */
  setStep(now, classes) {
    this.now = now;
    this.classes = classes;
    this.draw();
  }

  /** @param {HTMLElement} node @param {number[]} place @param {number} i */
  position(node, place, i) {
    super.position(node, place, i);
    this.call(node, place, i);
    if (this.kind === "query") node.dataset.side = this.plot.layer.freeSide(place); // see present.css
    if (this.at !== undefined && this.at !== this.now) node.hidden = true;
  }

  /** Say where a handle is and what is predicted there. @param {HTMLElement} node @param {number[]} place @param {number} i */
  async call(node, place, i) {
    const which = this.places.length > 1 ? ` ${i + 1}` : "";
    const where = `${this.label}${which} at ${placeInWords(this.plot, place, this.along)}`;
    const say = (/** @type {string} */ words) => node.setAttribute("aria-label", `${words}: drag, or use the arrow keys`);
    if (node !== document.activeElement) say(where); // what has the focus would be read twice
    const { figure } = this.plot;
    const predicted = this.kind === "line" ? "" : await predictedAt(figure, place, this.classes);
    if (place !== this.places[i] || figure !== this.plot.figure) return; // it has moved on
    say(predicted ? `${where}, ${predicted}` : where);
  }

  /** @param {HTMLElement} node @param {number} i */
  look(node, i) {
    const { palette } = this.theme;
    const numbered = this.kind === "number";
    node.classList.toggle("query", this.kind === "query");
    if (this.kind === "query") {
      node.dataset.word = this.word; // see present.css
      node.setAttribute("aria-describedby", "step-numbers"); // see words.js
    }
    node.classList.toggle("grip", this.kind === "line");
    if (numbered) node.style.setProperty("--color", palette[i % palette.length]);
    node.textContent = numbered ? `${i + 1}` : "";
    node.inert = this.fixed;
  }

  /**
   * Tell Python the new place. While it moves, Python is told as often as it answers.
   * @param {number} i
   * @param {{u: number, v: number}} share
   * @param {boolean} letGo
   */
  put(i, share, letGo) {
    const old = this.places[i];
    const place = this.plot.toData({ u: inside(share.u), v: inside(share.v) });
    this.places[i] = [
      this.along.includes("x") ? place[0] : old[0],
      this.along.includes("y") ? place[1] : old[1],
    ];
    this.draw();
    this.send({ name: this.name, places: this.places, moving: !letGo });
  }

  /** @param {number} i @param {KeyboardEvent} event */
  key(i, event) {
    const by = keyMove(event, this.along);
    if (!by) return false;
    const { u, v } = this.plot.toShare(this.places[i]);
    this.put(i, { u: u + by.u, v: v + by.v }, true);
    return true;
  }
}
