// Painting on the picture: the tools, their row of buttons, the edits, and the handles and legend
// on it.

import { CrossWords } from "./cross_words.js";
import { Edits } from "./edits.js";
import { Legend } from "./legend.js";
import { MOST_POINTS } from "./protocol.js";
import { Tips } from "./tips.js";
import { Toolbar } from "./toolbar.js";
import { Tools } from "./tools.js";

const ZOOM = 0.6; // what is left of the plane's width

export class Painting {
  /**
   * @param {HTMLElement} root
   * @param {import("./panel.js").Panel} panel the picture's
   * @param {import("./theme.js").Theme} theme
   * @param {import("./settings.js").Settings} settings
   * @param {import("./outbox.js").Outbox} outbox
   */
  constructor(root, panel, theme, settings, outbox) {
    this.panel = panel;
    this.settings = settings;
    this.outbox = outbox;
    /** @type {string[] | null} of the board's points */
    this.classes = null;
    this.hasBoard = false;
    this.edits = new Edits(Math.random().toString(36).slice(2), MOST_POINTS);
    this.crossWords = new CrossWords(root.querySelector(".cross-words"), () => this.classes);
    this.tools = new Tools(panel.container, panel.plot, this.edits, settings, {
      changed: () => this.redraw(),
      send: () => outbox.send("edits", this.edits.message),
      carry: (edit) => this.carry(edit),
      crossed: (shown) => (shown ? this.crossWords.show(this.tools) : this.crossWords.hide()),
    });
    /** @type {(edit: import("./protocol.js").Edit) => void} */
    this.carry = () => {}; // called when a point is dragged in a run with a changed step
    this.toolbar = new Toolbar(root, theme, settings, (label) => this.setLabel(label));
    this.tips = new Tips(panel.container, this.tools, () => this.classes);
    this.legend = new Legend(panel.plot, theme);
    panel.painted = () => (this.tools.paintable ? this.tools.points : undefined);
    panel.onPlaced = () => {
      this.tools.showCross();
      this.legend.draw(panel.painted());
    };
  }

  /**
   * Take what Python says of the board: whether it can be painted on, and how many edits it has
   * carried out.
   * @param {import("./protocol.js").Paint | null} paint
   * @param {import("./protocol.js").View} view the picture
   * @param {string[] | null} names of the groups of its points, if they are classes
   */
  setBoard(paint, { board, first: { points } }, names) {
    this.hasBoard = Boolean(paint);
    this.classes = paint?.classes ?? null;
    if (paint) this.edits.confirm(paint, points);
    // A picture whose points are not those of the board can only be looked at.
    this.tools.setPaintable(Boolean(paint && board && points), paint?.revision);
    if (paint && this.edits.queue.length) this.outbox.remind("edits", this.edits.message);
    this.legend.setNames(names, points);
  }

  get paintable() {
    return this.tools.paintable;
  }

  /** Redraw after the points or the tool have changed. */
  redraw() {
    this.panel.redraw();
    this.legend.draw(this.panel.painted());
    this.showToolbar();
  }

  showToolbar() {
    const { tool, paintable, points } = this.tools;
    const { label } = this.settings;
    const { undo, redo } = this.edits;
    const { classes } = this;
    this.toolbar.show({ paintable, tool, label, classes, undo, redo, count: points.length });
  }

  /** Choose a tool; the choice stays in other labs. */
  choose(tool) {
    if (!this.paintable) return;
    this.tools.letGo();
    this.settings.tool = tool;
    this.takeTool();
  }

  /** Use the chosen tool if the picture allows painting. */
  takeTool() {
    const { tool } = this.settings;
    const possible = this.paintable && (tool !== "relabel" || this.classes);
    const wanted = possible ? tool : "look";
    if (this.tools.tool !== wanted) this.tools.setTool(wanted);
  }

  setLabel(label) {
    this.settings.label = label;
    this.showToolbar();
  }

  /** Undo or redo. @param {"undo" | "redo"} op */
  goBack(op) {
    if (!this.hasBoard || !this.edits[op]) return;
    this.edits.add({ op });
    this.redraw();
    this.outbox.send("edits", this.edits.message);
  }

  closer() {
    this.zoomBy(ZOOM);
  }

  farther() {
    this.zoomBy(1 / ZOOM);
  }

  zoomBy(factor) {
    if (this.paintable && this.panel.plot.ready) this.panel.plot.zoomBy(factor, this.tools.last);
  }

  destroy() {
    this.tools.destroy();
    this.tips.destroy();
    this.crossWords.hide();
  }
}
