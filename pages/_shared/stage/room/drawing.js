// Draw with the room: everybody draws on a phone; the wall shows the points alone until all drawings
// are shown, judged by the algorithm, and at the end the algorithm's.

import { part } from "./bars.js";
import { drawingsInWords, drawingsOf, inData, inShares, standOut } from "./drawings.js";
import { Judge } from "./judge.js";
import { sheetFor } from "./sheet.js";
import { several } from "./tally.js";
import { goTo } from "./go_to.js";
import { recalled, remember } from "./tab_memory.js";

const REMEMBERED_SHEET = "sheet"; // in the tab's memory: the room's sheet, and the scene that judges it

const ELSEWHERE = "The room draws on another run: go back to it, and the algorithm judges the drawings.";
const NOTHING_SAID = { words: [], verdict: null };

/** Return whether a room draws. @param {any} told the state of the room */
export const isDrawing = (told) => told?.question?.way === "draw";

/** Return the address of the run on drawings, at its start. @param {{pathname: string, search: string}} location @param {[string, string][]} link */
export function ranOn({ pathname, search }, link) {
  const fields = new URLSearchParams(search);
  for (const name of ["step", "zoom"]) fields.delete(name);
  for (const [name, value] of link) fields.set(name, value);
  return `${pathname}?${fields}`;
}

export class DrawingTogether {
  /**
   * @param {HTMLElement} root
   * @param {() => import("../panel.js").Panel[]} panels
   * @param {() => void} onJudged
   */
  constructor(root, panels, onJudged) {
    this.root = root;
    this.panels = panels;
    this.judge = new Judge((window.chalkline ??= {}), onJudged);
    /** @type {import("../protocol.js").Drawing | null} */
    this.offered = null;
    this.scene = ""; // the key of the one that is shown
    this.bare = false;
    this.preparing = false; // the sheet is on its way to the server
    /** @type {(bare: "points" | "places" | null) => void} */
    this.onBare = () => {};
  }

  /** Take what the scene offers. @param {import("../protocol.js").Drawing | null} drawing @param {string} scene */
  offer(drawing, scene) {
    this.offered = drawing;
    this.scene = scene;
  }

  /** Return the sheet for the server. @param {number} number of the room's question @param {string} code of the room */
  async sheet(number, code) {
    const [panel] = this.panels();
    this.preparing = true;
    this.setBare(true);
    panel.plot.zoom = null;
    await panel.again?.();
    remember(REMEMBERED_SHEET, { code, number, scene: this.scene });
    const sheet = await sheetFor(this.root, panel, /** @type {import("../protocol.js").Drawing} */ (this.offered));
    this.preparing = false;
    return sheet;
  }

  /** Keep back everything but the points. @param {boolean} bare */
  setBare(bare) {
    if (bare === this.bare) return;
    this.bare = bare;
    this.root.classList.toggle("draws", bare);
    this.onBare(bare ? (this.offered?.classes ? "points" : "places") : null);
  }

  /**
   * Show the state of a room; return what is said about the drawings, and what phones are told of their costs.
   * @param {any} told
   * @returns {{words: Node[], verdict: object | null}}
   */
  show(told) {
    const known = recalled(REMEMBERED_SHEET);
    const drawing = isDrawing(told);
    const here = drawing && known?.code === told.code && known?.number === told.number && known?.scene === this.scene;
    if (this.preparing) return NOTHING_SAID;
    this.setBare(here);
    if (!here || !told.tally) {
      this.panels()[0]?.drawings.hide();
      return drawing && !here ? { words: [part("p", "", ELSEWHERE)], verdict: null } : NOTHING_SAID;
    }
    return this.showAll(told, drawingsOf(told.tally));
  }

  /** @param {any} told @param {import("./drawings.js").Drawn[]} drawings @returns {{words: Node[], verdict: object | null}} */
  showAll({ question: sheet, phase, revealed: sent }, drawings) {
    const verdict = this.judge.on(this.scene, drawings.map(({ places }) => inData(places, sheet.axes)), drawings.map(({ count }) => count));
    const found = verdict && standOut(drawings, verdict.costs);
    const over = phase === "revealed" && verdict;
    const best = over ? inShares(over.best, sheet.axes) : undefined;
    this.panels()[0]?.drawings.show(sheet, drawings, found, best);
    const said = verdict ? drawingsInWords(sheet, found, over ? over.least : null) : "The algorithm judges the drawings …";
    const all = drawings.reduce((sum, { count }) => sum + count, 0);
    const words = [part("p", "", `${several(all, "drawing")}. ${said}`)];
    if (!over || over.least === null || sent) return { words, verdict: null };
    const costs = drawings.map(({ places }, i) => [places, over.costs[i]]);
    return { words, verdict: { do: "judge", costs, best, least: over.least } };
  }

  /** What the button says that runs the lab on the drawings that are shown; "" without such a run. */
  get runs() {
    return this.bare && Object.keys(this.judge.verdict?.link ?? {}).length ? (this.offered?.runs ?? "") : "";
  }

  /** Go to the run of the lab on the room's drawings; return whether there is one. */
  run() {
    const link = Object.entries(this.judge.verdict?.link ?? {});
    if (!link.length) return false;
    goTo(ranOn(location, link));
    return true;
  }

  /** The room is left. */
  end() {
    this.setBare(false);
    this.judge.forget();
    this.panels()[0]?.drawings.hide();
  }

  destroy() {
    this.judge.destroy();
  }
}
