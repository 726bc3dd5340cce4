// Where the cross hair is, what is predicted there, and which point is nearest: who draws by keyboard
// may not see it.

import { nameOf } from "./legend.js";
import { axisNames, placeInWords } from "./place_words.js";
import { predictedAt } from "./predicted.js";
import { described } from "./tips.js";

const HAND_RESTS = 500; // milliseconds: the way there is not told

export class CrossWords {
  /**
   * @param {HTMLElement} node a status that nobody sees
   * @param {() => string[] | null} classes
   */
  constructor(node, classes) {
    this.node = node;
    this.classes = classes;
    this.timer = 0;
  }

  /** @param {import("./tools.js").Tools} tools whose cross hair is shown */
  show(tools) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say(tools), HAND_RESTS);
  }

  /** @param {import("./tools.js").Tools} tools */
  async say(tools) {
    const { plot, cursor, points } = tools;
    if (!plot.ready) return;
    const point = points[tools.near(cursor, Infinity)[0]];
    const classes = this.classes()?.map((_, i, all) => nameOf(i, all)) ?? null;
    const nearest = point ? `nearest point, ${described(point, classes, axisNames(plot))}` : "no points";
    const place = plot.toData(cursor);
    const { timer } = this;
    const predicted = await predictedAt(plot.figure, place, this.classes());
    if (timer !== this.timer) return; // it has moved on, or is gone
    this.node.textContent = [placeInWords(plot, place), predicted, nearest].filter(Boolean).join("; ");
  }

  hide() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.node.textContent = "";
  }
}
