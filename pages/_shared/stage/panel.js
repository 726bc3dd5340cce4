// One view on the stage: its plot, the handles on it and the track of its steps.

import { Handles } from "./handles.js";
import { AnswerPins } from "./answer_pins.js";
import { AsTable } from "./as_table.js";
import { Choices } from "./choices.js";
import { Plot } from "./plot.js";
import { Drawings } from "./room/drawings.js";
import { TapDots } from "./room/taps.js";
import { faintAhead, pointsOnly, soFar, unanswered } from "./secret.js";
import { TrackGrips } from "./tracks.js";

export class Panel {
  /**
   * @param {HTMLElement} container holds the plot and what stands on it
   * @param {HTMLElement} div for the plot
   * @param {object} theme
   * @param {import("./player.js").Player} player
   * @param {import("./outbox.js").Outbox} outbox
   * @param {any} dialog for the view's table
   * @param {import("./layers.js").Layers} layers
   */
  constructor(container, div, theme, player, outbox, dialog, layers) {
    this.container = container;
    this.theme = theme;
    this.outbox = outbox;
    this.layers = layers;
    /** @type {Handles[]} */
    this.handles = [];
    this.plot = new Plot(div, theme);
    this.track = new TrackGrips(container, this.plot, player);
    this.choices = new Choices(container, this.plot, (chosen) => outbox.send("chosen", chosen));
    this.pins = new AnswerPins(container, this.plot);
    this.taps = new TapDots(container, this.plot);
    this.drawings = new Drawings(container, this.plot);
    const veil = container.appendChild(document.createElement("p"));
    veil.className = "veil";
    veil.textContent = "Hidden until the answer is given or opened, because it shows later steps.";
    this.asTable = new AsTable(div, (container.closest("figure") ?? container).querySelector(".table"), dialog);
    this.plot.onDrawn = () => this.place();
    /** @type {import("./secret.js").Share} */
    this.share = "all";
    /** @type {(() => any) | null} */
    this.again = null; // shows the same step again
    /** @type {() => import("./edits.js").Point[] | undefined} */
    this.painted = () => undefined; // returns the points, in a plot that can be painted on
    this.onPlaced = () => {};
  }

  /**
   * @param {import("./protocol.js").Handles[]} groups those that stand on this view
   * @param {string} [moved] the name of those that have been moved since, which Python has not heard of
   */
  setHandles(groups, moved) {
    while (this.handles.length > groups.length) this.handles.pop().destroy();
    groups.forEach((group, i) => {
      this.handles[i] ??= new Handles(this.container, this.plot, this.theme, (move) => this.outbox.move(move));
      this.handles[i].show(group, group.name === moved);
    });
  }

  /**
   * @param {import("./protocol.js").View} view
   * @param {import("./protocol.js").Figure} figure
   * @param {number} at the step that the user is at
   * @param {string[] | null} classes the names of the points' groups, if they are classes
   * @param {number} place where curves over the steps are at this one
   */
  show(view, figure, at, classes, place) {
    this.again = () => this.show(view, figure, at, classes, place);
    const known = this.known(this.layers.seen(view, figure), place);
    this.asTable.show(view.title, known, classes);
    this.track.show(view.track, at);
    for (const handles of this.handles) handles.setStep(at, classes);
    this.choices.setStep(at);
    const byStep = view.ahead === "by step" && this.share === "all";
    return this.plot.show(byStep ? faintAhead(known, place) : known);
  }

  /** @param {import("./protocol.js").Figure} figure @param {number} place */
  known(figure, place) {
    if (this.share === "so far") return soFar(figure, place);
    if (this.share === "points" || this.share === "places") return pointsOnly(figure, this.share === "points");
    return this.share === "unanswered" ? unanswered(figure) : figure;
  }

  /**
   * Show all of the view, its curves up to the step, or a notice, also for screen readers.
   * @param {import("./secret.js").Share} share
   */
  setShare(share) {
    const another = share !== this.share;
    this.share = share;
    if (another) this.again?.();
    const veiled = share === "nothing";
    this.container.classList.toggle("veiled", veiled);
    this.asTable.setVeiled(veiled);
  }

  // Everything on the plot is placed by the axes of the plot.
  place() {
    this.redraw();
    for (const handles of this.handles) handles.draw();
    this.track.draw();
    this.choices.draw();
    this.pins.draw();
    this.taps.draw();
    this.drawings.draw();
    this.onPlaced();
  }

  /** Redraw after the points have changed. */
  redraw() {
    if (this.plot.ready) this.plot.layer.draw(this.plot, this.painted());
  }

  destroy() {
    for (const grips of [...this.handles, this.track, this.choices, this.pins, this.taps]) grips.destroy();
    this.asTable.destroy();
    this.plot.destroy();
  }
}
