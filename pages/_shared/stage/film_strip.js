// The film strip: six to twelve steps of the run as small pictures under the player. They are drawn
// only while it is open, one after the other, and again when there is another run or look.

import { patched } from "./packing.js";
import { Plot } from "./plot.js";

const MOST_SHOTS = 12; // pictures
const LEAST_SHOTS = 6;
const SHOT_SIZE = { width: 420, height: 400 }; // pixels in which a picture is drawn before it is shrunk

/**
 * Return the steps of a strip, ascending: the first, the last, the events, and others in the
 * widest gaps.
 * @param {number} total steps of the run
 * @param {number[]} events their steps
 */
export function stripSteps(total, events) {
  const last = total - 1;
  const inner = [...new Set(events)].filter((step) => step > 0 && step < last);
  const thin = inner.length > MOST_SHOTS - 2;
  const few = thin ? Array.from({ length: MOST_SHOTS - 2 }, (_, i) => inner[Math.round((i * (inner.length - 1)) / (MOST_SHOTS - 3))]) : inner;
  const chosen = new Set([0, last, ...few]);
  while (chosen.size < Math.min(LEAST_SHOTS, total)) chosen.add(middleOfTheWidestGap([...chosen].sort((a, b) => a - b)));
  return [...chosen].sort((a, b) => a - b);
}

/** @param {number[]} steps ascending */
function middleOfTheWidestGap(steps) {
  const gaps = steps.slice(1).map((step, i) => ({ from: steps[i], wide: step - steps[i] }));
  const { from, wide } = gaps.reduce((a, b) => (b.wide > a.wide ? b : a));
  return from + Math.floor(wide / 2);
}

export class FilmStrip {
  /**
   * @param {HTMLElement} root the stage's
   * @param {import("./player.js").Player} player
   * @param {object} theme
   * @param {import("./layers.js").Layers} layers
   */
  constructor(root, player, theme, layers) {
    this.player = player;
    this.layers = layers;
    this.theme = theme;
    /** @type {any} */
    this.box = root.querySelector(".film-strip");
    /** @type {any} */
    this.button = root.querySelector('[data-do="strip"]');
    const studio = document.createElement("div"); // out of sight: the pictures are drawn here
    studio.className = "studio";
    Object.assign(studio.style, { width: `${SHOT_SIZE.width}px`, height: `${SHOT_SIZE.height}px` });
    this.studio = studio;
    /** @type {Plot | null} */
    this.plot = null;
    /** @type {import("./run.js").Run | null} */
    this.run = null;
    this.look = "";
    /** @type {number | null} */
    this.drawing = null; // the turn that is being drawn
    this.turn = 0; // counts the strips, so that an older one stops
    /** @type {Map<number, any>} */
    this.frames = new Map(); // the buttons by step
    this.box.addEventListener("click", (/** @type {any} */ { target }) => this.go(target));
  }

  get open() {
    return !this.box.hidden;
  }

  toggle() {
    this.box.hidden = this.open;
    this.button.setAttribute("aria-pressed", `${this.open}`);
    if (!this.open) return void this.turn++;
    this.shown();
    this.box.scrollIntoView({ block: "nearest" });
  }

  /** @param {any} target */
  go(target) {
    const step = target.closest("button")?.dataset.step;
    if (step !== undefined) this.player.goByHand(+step);
  }

  /** A step has been drawn: mark it, and begin again for another run or look. */
  shown() {
    if (!this.open) return;
    const { player } = this;
    const look = [/** @type {any} */ (this.theme).name, player.run.views[0].title, ...this.layers.named].join();
    if (player.run !== this.run || look !== this.look) this.begin(look);
    const steps = [...this.frames.keys()];
    const here = steps.filter((step) => step <= player.at).pop();
    for (const [step, node] of this.frames) node.setAttribute("aria-current", step === here ? "step" : "false");
    this.draw(this.turn);
  }

  /** @param {string} look */
  begin(look) {
    const { run } = this.player;
    this.turn++;
    [this.run, this.look] = [run, look];
    const steps = stripSteps(run.total, [...run.steps]);
    this.frames = new Map(steps.map((step) => [step, this.frame(step, run)]));
    this.box.replaceChildren(...this.frames.values(), this.studio);
    this.player.supply.wantAlso(steps);
  }

  /** @param {number} step @param {import("./run.js").Run} run */
  frame(step, run) {
    const button = document.createElement("button");
    button.dataset.step = `${step}`;
    const event = run.event(step);
    const [picture, words] = [document.createElement("span"), document.createElement("span")];
    picture.className = "shot";
    words.textContent = event ? `${run.called(step)}: ${event}` : run.called(step);
    button.append(picture, words);
    return button;
  }

  // Draw the pictures whose frames are there; the others come by and by.
  /** @param {number} turn */
  async draw(turn) {
    const { run } = this;
    const waiting = [...this.frames].filter(([, node]) => !node.classList.contains("drawn"));
    if (!run || waiting.length === 0 || this.drawing === turn) return;
    this.drawing = turn;
    for (const [step, node] of waiting) {
      if (!run.holds(step)) continue;
      await this.shoot(run, step, node.querySelector(".shot"));
      if (turn !== this.turn) return;
      node.classList.add("drawn");
    }
    this.drawing = null;
  }

  /** @param {import("./run.js").Run} run @param {number} step @param {any} shot */
  async shoot(run, step, shot) {
    const { first } = run.views[0];
    const figure = patched(first, run.held.get(step)?.frame.views[0] ?? {});
    await new Promise((ready) => setTimeout(ready, 30)); // the player comes first
    this.plot ??= new Plot(this.studio, this.theme);
    this.plot.setLook("", /** @type {any} */ (this.theme).template);
    await this.plot.show(this.layers.seen(run.views[0], figure));
    this.plot.layer.draw(this.plot);
    const layers = [...this.studio.querySelectorAll(".main-svg")].map((layer) => layer.cloneNode(true));
    shot.replaceChildren(...layers);
  }

  destroy() {
    this.turn++;
    this.plot?.destroy();
    this.studio.remove();
    this.box.replaceChildren();
    this.box.hidden = true;
  }
}
