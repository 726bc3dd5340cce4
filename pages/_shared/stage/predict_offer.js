// Predict is offered when a visitor plays a lab for the first time: who guesses first learns more. Beside
// the button, once in every lab, and never again after "Never".

import { Callout } from "./callout.js";

const OFFERED = "predict offered"; // in the browser's memory: the labs, or that it is not wanted
const NEVER = "never";
const SHOWN_FOR = 15_000; // milliseconds

/**
 * Return whether Predict may be offered.
 * @param {string} offered what the browser remembers
 * @param {string} lab
 */
export const mayOffer = (offered, lab) => offered !== NEVER && !offered.split(" ").includes(lab);

export class PredictOffer {
  /**
   * @param {HTMLElement} root
   * @param {import("./quiz.js").Quiz} quiz
   * @param {import("./player.js").Player} player
   */
  constructor(root, quiz, player) {
    this.button = /** @type {HTMLElement} */ (root.querySelector('[data-do="predict"]'));
    this.quiz = quiz;
    this.player = player;
    this.callout = new Callout(root);
    this.timer = 0;
    this.lab = "";
    this.alone = true; // on a wall, in a frame, in a quiz, or without a run
  }

  /** Offer Predict, unless it is on, has been offered here before, or this run has no questions. */
  offer() {
    const { player, quiz } = this;
    if (this.alone || quiz.active || document.querySelector(".callout")) return;
    const asks = Array.from({ length: player.end }, (_, i) => i).some((i) => player.run.question(i));
    if (!asks || !this.note(this.lab)) return;
    this.callout.show(this.button, "Predict", "Guess first? Then the run stops before a step, asks what it will do, and is the judge.", [
      ["Predict", () => this.accept()],
      ["Not now", () => this.hide()],
      ["Never", () => {
        this.note(NEVER);
        this.hide();
      }],
    ]);
    this.timer = setTimeout(() => this.hide(), SHOWN_FOR);
  }

  /** Remember that Predict is offered in a lab, or never again; return whether that is new. @param {string} what */
  note(what) {
    try {
      const offered = localStorage.getItem(OFFERED) ?? "";
      if (!mayOffer(offered, what)) return false;
      localStorage.setItem(OFFERED, what === NEVER ? NEVER : `${offered} ${what}`.trim());
      return true;
    } catch {
      return false; // a page that is refused storage would offer it every time
    }
  }

  accept() {
    this.hide();
    this.player.pause();
    this.quiz.toggle();
    this.player.do("play");
  }

  hide() {
    clearTimeout(this.timer);
    this.callout.hide();
  }

  destroy() {
    this.hide();
  }
}
