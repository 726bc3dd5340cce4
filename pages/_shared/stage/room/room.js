// Ask the room: the class answers Predict's question on its phones, and the run is the judge. The server
// holds the phases; this page shows them, asks, and takes the run's step when the answer is shown.

import { Controls } from "./controls.js";
import { DrawingTogether } from "./drawing.js";
import { Lead } from "./lead.js";
import { writtenFor } from "./question.js";
import { goesOn } from "./series.js";
import { recalled, remember } from "./tab_memory.js";
import { tapsOf } from "./taps.js";
import { Wire, drawn, socketOf } from "./wire.js";

const LETTERS_OF_CODES = "ABCDEFGHJKMNPRSTUVWXYZ"; // without those that are taken for another one
const REMEMBERED_ROOM = "room"; // in the tab's memory
const NO_SERVER = "A room needs Chalkline on a server. This copy runs in your browser alone, where no phone can reach it";
const WHY_NOT = /** @type {Record<string, string>} */ ({
  wrong: "The room is gone: its server has started again. G opens a new one",
  over: "The room is over. G opens a new one",
  often: "Too many rooms were opened from this network. Try again in some minutes",
  full: "The server has no place for another room. Try again later",
  unread: "The server does not understand this page. Load it again",
});

/** @typedef {{code: string, secret: string, series?: import("./series.js").Series | null}} Kept what the tab remembers */

export class Room {
  /**
   * @param {HTMLElement} root
   * @param {import("../quiz.js").Quiz} quiz
   * @param {import("../player.js").Player} player
   * @param {import("../theme.js").Theme} theme
   * @param {() => import("../panel.js").Panel[]} panels
   */
  constructor(root, quiz, player, theme, panels) {
    this.root = root;
    this.quiz = quiz;
    this.player = player;
    this.theme = theme;
    this.panels = panels;
    this.server = false;
    this.origin = ""; // that phones reach
    /** @type {Kept | null} */
    this.kept = null;
    /** @type {Wire | null} */
    this.wire = null;
    /** @type {any} */
    this.told = null; // the state of the room
    this.wanted = false; // the next question that comes up is asked
    this.asked = -1; // the step of the room's question
    this.controls = new Controls(root, (action) => this.do(action));
    this.lead = new Lead(this.controls.actions, (said) => this.wire?.send(said));
    this.drawing = new DrawingTogether(root, panels, () => this.told && this.show());
    quiz.onDrawn = () => this.drawn();
  }

  /** Take what Python says about rooms; return to the room that this tab has opened. @param {boolean} server @param {string} origin */
  offer(server, origin) {
    this.origin = origin || location.origin;
    if (this.server || !server) return;
    this.server = true;
    const kept = recalled(REMEMBERED_ROOM);
    if (kept) this.enter(kept, false);
  }

  /** Take what the run that is shown offers a class to draw. @param {import("../protocol.js").Drawing | null} drawing @param {string} scene its key */
  offerDrawing(drawing, scene) {
    this.controls.draws = Boolean(drawing);
    this.drawing.offer(drawing, scene);
    if (this.told) this.show();
  }

  /** What the key does: open a room, or show and hide its code. */
  toggle() {
    if (!this.server) return this.quiz.say(NO_SERVER);
    if (this.wire) return this.controls.turnCode();
    const letters = [...crypto.getRandomValues(new Uint8Array(4))].map((each) => LETTERS_OF_CODES[each % LETTERS_OF_CODES.length]);
    return this.enter({ code: letters.join(""), secret: drawn() }, true);
  }

  /** Hide the code; return whether it was shown. */
  hideCode() {
    return this.controls.hideCode();
  }

  /** @param {Kept} kept @param {boolean} fresh */
  enter(kept, fresh) {
    this.kept = kept;
    let open = fresh; // only once: a room that has ended is not opened again behind the teacher's back
    const { secret, code } = kept;
    const at = new URL(`room/${code}`, location.href).href;
    const hello = () => ({ secret, wall: true, look: this.theme.name, ...(open ? { open } : {}) });
    this.wire = new Wire(socketOf(at, "teacher"), hello, {
      heard: (told) => {
        open = false;
        this.heard(told);
      },
      turned: (connected) => this.controls.setConnected(connected),
      refused: (why) => this.refused(why),
    });
    this.controls.open(at, `${this.origin}${new URL(at).pathname.replace(/\/[^/]*$/, "")}`, kept, fresh);
  }

  /** @param {string} why */
  refused(why) {
    this.leave();
    if (why === "taken") return this.toggle();
    return this.quiz.say(WHY_NOT[why] ?? WHY_NOT.unread);
  }

  /** @param {any} told */
  heard(told) {
    const before = this.told;
    this.told = told;
    remember(REMEMBERED_ROOM, this.kept);
    if (told.look !== this.theme.name) this.wire?.send({ do: "look", look: this.theme.name });
    this.lead.heard(told);
    this.quiz.held = told.phase.startsWith("asking") || told.phase === "closed";
    if (!before && this.quiz.held) this.resume();
    if (before && before.phase !== "revealed" && told.phase === "revealed") this.reveal();
    if (before?.phase !== told.phase) this.wanted = goesOn(this.series, told);
    this.show();
    this.shown(); // the answer was the run's last step
  }

  // The page was loaded again while the room was answering.
  resume() {
    const question = this.player.run.question(this.player.at);
    if (question?.text !== this.told.question.text) return;
    this.asked = this.player.at;
    this.quiz.seek();
  }

  reveal() {
    if (this.quiz.state.open?.step === this.asked) this.quiz.reveal();
  }

  /** @param {string} action see controls.js */
  do(action) {
    if (action === "ask") return this.ask();
    if (action === "draw") return void this.draw();
    if (action === "run") return this.run();
    if (action === "end") return this.leave();
    if (action === "rest") this.series = null;
    if (action === "again") return this.wire?.send({ do: action, seconds: this.controls.seconds });
    return this.wire?.send({ do: action });
  }

  /** The questions in a row, if there are several. */
  get series() {
    return this.kept?.series ?? null;
  }

  /** @param {import("./series.js").Series | null} series */
  set series(series) {
    if (this.kept) this.kept.series = series;
    remember(REMEMBERED_ROOM, this.kept);
  }

  ask() {
    if (!goesOn(this.series, this.told)) this.series = this.controls.length > 1 ? { first: this.told.number + 1, length: this.controls.length } : null;
    this.wanted = true;
    this.quiz.held = false;
    this.quiz.seek();
    this.drawn();
  }

  async draw() {
    this.series = null;
    this.wanted = false;
    this.asked = -1; // no step of the run
    this.controls.hideCode();
    const sheet = await this.drawing.sheet(this.told.number + 1, this.kept?.code ?? "");
    this.wire?.send({ do: "ask", ...sheet, seconds: this.controls.seconds });
  }

  // The lab runs on what the room has drawn; the phones wait for the next question.
  run() {
    if (this.drawing.run()) this.wire?.send({ do: "rest" });
  }

  // Predict has drawn a question, or its answer.
  drawn() {
    if (!this.wanted || !this.quiz.asking) return;
    this.wanted = false;
    void this.publish();
  }

  async publish() {
    const { step, question } = this.quiz.state.open;
    this.asked = step;
    this.quiz.held = true;
    this.controls.hideCode();
    const said = await writtenFor(this.root, this.panels()[0], question, this.controls.way);
    this.wire?.send({ do: "ask", ...said, seconds: this.controls.seconds });
  }

  /** A step is shown. */
  shown() {
    const { player, quiz } = this;
    if (this.wanted && player.at === player.end && !quiz.asking) {
      this.endSeries();
      quiz.say("This run has no further question");
    }
  }

  // The run has no question for the rest of the series.
  endSeries() {
    this.wanted = false;
    const { series } = this;
    if (!series) return;
    this.series = this.told.number < series.first ? null : { ...series, length: this.told.number - series.first + 1 };
    this.show();
  }

  show() {
    const { words, verdict } = this.drawing.show(this.told);
    this.controls.runs = this.drawing.runs;
    this.controls.show(this.told, this.series);
    const { tally, key, phase } = this.told;
    const right = phase === "revealed" ? key?.spots[key.right] : undefined;
    this.panels()[0]?.taps.show(tally && key ? tapsOf(tally) : [], right);
    this.controls.result.append(...words);
    if (verdict) this.wire?.send(verdict);
  }

  leave() {
    this.lead.end();
    this.wire?.close();
    this.wire = this.told = this.kept = null;
    this.quiz.held = this.wanted = false;
    remember(REMEMBERED_ROOM, null);
    this.controls.close();
    this.panels()[0]?.taps.show([]);
    this.drawing.end();
  }

  destroy() {
    this.wire?.close();
    this.lead.destroy();
    this.drawing.destroy();
    this.controls.destroy();
  }
}
