// What the wall shows of a room: its code over the picture, and below it the counts and the buttons.

import { barsOf, part } from "./bars.js";
import { isDrawing } from "./drawing.js";
import { scorePicture } from "./score_picture.js";
import { LENGTHS, goesOn, isOver, placeIn } from "./series.js";
import { resultsCsv, several } from "./tally.js";
import { tapsInWords, tapsOf } from "./taps.js";

const COUNTDOWNS = ["0", "30", "60", "120"]; // seconds
const WAY_NAMES = { buttons: "by buttons", tap: "by a tap on the picture", number: "by a slider" };
const KEPT_FOR_SAVING = 20_000; // milliseconds until the file's address is given back

/** Say what the room does now. @param {any} told its state @param {import("./series.js").Series | null} [series] */
export function standing(told, series = null) {
  const { phase, round, phones, answered, left, code, number } = told;
  const here = several(phones, "phone");
  const drawing = isDrawing(told);
  const count = `${answered} of ${here} ${drawing ? "drew" : "answered"}`;
  const place = placeIn(series, number);
  const room = `Room ${code}${place ? `, question ${place} of ${series?.length}` : ""}`;
  if (phase === "lobby") return `${room}: ${here} here.`;
  if (phase === "closed") return `${room}: closed, ${count}.${round === 1 && !drawing ? " Find someone who chose differently, and give your reasons." : ""}`;
  if (phase === "revealed") return `${room}: ${count}.`;
  return `${room}: ${count}${left === null ? "" : `, ${Math.ceil(left / 1000)} s left`}.`;
}

/**
 * Return the buttons of a phase, the first is the next thing to do.
 * @param {any} told
 * @param {import("./series.js").Series | null} [series]
 * @param {boolean} [draws] a class can draw on the picture
 * @param {string} [runs] what the button says that runs the lab on the drawings that are shown
 * @returns {[string, string][]}
 */
export function buttonsOf(told, series = null, draws = false, runs = "") {
  const { phase, round, shown, results, number } = told;
  const bars = /** @type {[string, string]} */ (["show", shown ? "Hide the votes" : "Show the votes"]);
  const run = /** @type {[string, string][]} */ (runs && isDrawing(told) ? [["run", runs]] : []);
  if (isDrawing(told) && phase !== "revealed") return drawingButtons(told, run);
  if (phase.startsWith("asking")) return [["close", "Close the vote"], ["reveal", "Show the answer"]];
  if (phase === "closed" && round === 1) return [["again", "Vote again"], ["reveal", "Show the answer"], bars];
  if (phase === "closed") return [["reveal", "Show the answer"], bars];
  const score = results.length ? /** @type {[string, string][]} */ ([["picture", "Save the score"], ["csv", "Save the counts"]]) : [];
  if (goesOn(series, told)) return [["ask", `Question ${placeIn(series, number) + 1} of ${series?.length} (Space)`], ["rest", "Show the score"]];
  const draw = draws ? /** @type {[string, string][]} */ ([["draw", "Draw with the room"]]) : [];
  if (phase === "lobby") return [["ask", "Ask the room"], ...draw, ...score, ["end", "End the room"]];
  return [...run, ["ask", "Next question"], ...draw, ["rest", results.length ? "Show the score" : "Done"], ...score];
}

/** @param {any} told @param {[string, string][]} run @returns {[string, string][]} */
function drawingButtons({ phase, round, shown }, run) {
  const answer = /** @type {[string, string]} */ (["reveal", "Show the algorithm's"]);
  if (phase !== "closed") return [["close", "Close drawing"], answer];
  const again = round === 1 ? /** @type {[string, string][]} */ ([["again", "Draw again"]]) : [];
  return shown ? [answer, ...run, ["show", "Hide the drawings"], ...again] : [["show", "Show the drawings"], answer, ...again];
}

export class Controls {
  /** @param {HTMLElement} root @param {(action: string) => void} act */
  constructor(root, act) {
    this.root = root;
    this.act = act;
    this.place = root.querySelector(".room");
    this.button = root.querySelector('[data-do="room"]');
    this.said = part("p", "room-said");
    this.said.setAttribute("role", "status");
    this.actions = part("div", "room-do");
    this.result = part("div", "room-result");
    this.result.tabIndex = 0; // a long one scrolls
    this.result.setAttribute("role", "group");
    this.result.setAttribute("aria-label", "Votes and score");
    this.wayMenu = menu("Answers", Object.entries(WAY_NAMES));
    this.countdown = menu("Countdown", COUNTDOWNS.map((each) => [each, each === "0" ? "no countdown" : `${each} s`]));
    this.lengthMenu = menu("Questions", LENGTHS.map((each) => [each, each === "1" ? "one question" : `${each} questions in a row`]));
    this.card = part("div", "room-card");
    this.card.hidden = true;
    this.card.setAttribute("role", "group");
    this.card.setAttribute("aria-label", "How to join the room");
    root.querySelector(".picture").append(this.card);
    this.place.replaceChildren(this.said, this.actions, this.result);
    this.place.onclick = (/** @type {any} */ { target }) => this.press(target.closest("button")?.dataset.room);
    /** @type {any} */
    this.told = null;
    this.draws = false; // a class can draw on the picture
    this.runs = ""; // what the button says that runs the lab on the drawings
    this.drawn = ""; // the buttons
    /** @type {import("./series.js").Series | null} */
    this.series = null;
    this.height = new ResizeObserver(() => root.style.setProperty("--in-room", `${this.place.offsetHeight}px`));
    this.height.observe(this.place);
  }

  /** @returns {import("./question.js").Way} */
  get way() {
    return /** @type {any} */ (this.wayMenu).value;
  }

  /** How many questions are asked in a row. */
  get length() {
    return +this.lengthMenu.value;
  }

  get seconds() {
    return +this.countdown.value;
  }

  /** @param {string | undefined} action */
  press(action) {
    if (action === "csv") this.save("csv", new Blob([resultsCsv(this.told.results)], { type: "text/csv" }));
    else if (action === "picture") void this.savePicture();
    else if (action) this.act(action);
  }

  /**
   * @param {string} at the room's own address
   * @param {string} address that phones open, without the code
   * @param {{code: string, secret: string}} kept
   * @param {boolean} fresh the room is new: its code is shown
   */
  open(at, address, { code, secret }, fresh) {
    const image = Object.assign(document.createElement("img"), { alt: "QR code of the room", src: `${at}/code.svg?at=${encodeURIComponent(address)}` });
    const mine = Object.assign(document.createElement("a"), { href: `${address}/${code}#${secret}`, target: "_blank", rel: "noopener", textContent: "Your own phone" });
    mine.title = "A link that sees the votes and steers the room: send it to yourself, and show it to nobody";
    const close = /** @type {HTMLButtonElement} */ (part("button", "", "Hide (G)"));
    close.onclick = () => this.hideCode(true);
    this.card.replaceChildren(image, part("p", "room-code", code), part("p", "", `Open ${address.replace(/^https?:\/\//, "")} and enter the code, or point the camera at it.`), part("p", "", close, " ", mine));
    this.place.hidden = false;
    this.root.classList.add("in-room");
    this.button.setAttribute("aria-pressed", "true");
    this.said.textContent = "Opening the room …";
    if (fresh) this.turnCode();
  }

  turnCode() {
    this.card.hidden = !this.card.hidden;
    if (!this.card.hidden) this.card.querySelector("button")?.focus({ preventScroll: true });
    else this.focus();
  }

  /** Hide the code; return whether it was shown. @param {boolean} [back] the focus goes to the next button */
  hideCode(back) {
    if (this.card.hidden) return false;
    this.card.hidden = true;
    if (back) this.focus();
    return true;
  }

  focus() {
    this.actions.querySelector("button")?.focus({ preventScroll: true });
  }

  /** @param {boolean} connected */
  setConnected(connected) {
    this.place.classList.toggle("away", !connected);
    if (!connected) this.said.textContent = "No connection to the room. It goes on, and this page comes back by itself.";
  }

  /** @param {any} told @param {import("./series.js").Series | null} series */
  show(told, series) {
    this.told = told;
    this.series = series;
    clearInterval(this.clock);
    const ends = performance.now() + (told.left ?? 0);
    const say = () => this.say(standing({ ...told, left: told.left === null ? null : Math.max(0, ends - performance.now()) }, series));
    say();
    if (told.left !== null) this.clock = setInterval(say, 1000);
    this.showButtons(buttonsOf(told, series, this.draws, this.runs));
    const bars = told.tally && told.key ? [barsOf(told), ...tapsSaid(told)] : [];
    const scored = told.phase === "lobby" ? told.results : series && isOver(series, told) ? told.results.slice(-series.length) : [];
    this.result.replaceChildren(...bars, ...(scored.length ? [scoreOf(scored)] : []));
  }

  /** @param {string} text */
  say(text) {
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  /** @param {[string, string][]} buttons */
  showButtons(buttons) {
    const wanted = JSON.stringify(buttons);
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const focused = this.actions.contains(document.activeElement);
    const nodes = buttons.map(([action, text], i) => {
      const node = part("button", i === 0 ? "primary" : "", text);
      node.dataset.room = action;
      return node;
    });
    const asks = buttons.some(([action]) => action === "ask") || buttons[0][0] === "again";
    this.actions.replaceChildren(...nodes, ...(asks ? [this.lengthMenu, this.wayMenu, this.countdown] : []));
    this.wayMenu.hidden = !buttons.some(([action]) => action === "ask");
    this.lengthMenu.hidden = this.wayMenu.hidden || goesOn(this.series, this.told);
    if (focused) this.focus();
  }

  async savePicture() {
    const style = getComputedStyle(this.root);
    const [paper, ink, bar] = ["background", "text", "primary"].map((name) => style.getPropertyValue(`--st-${name}-color`));
    this.save("png", await scorePicture(this.told.results, { paper, ink, bar }));
  }

  /** @param {string} ending of the file's name @param {Blob} file */
  save(ending, file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `chalkline-room-${this.told.code}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR_SAVING);
  }

  close() {
    clearInterval(this.clock);
    this.drawn = "";
    this.root.classList.remove("in-room");
    this.place.hidden = true;
    this.card.hidden = true;
    this.actions.replaceChildren();
    this.result.replaceChildren();
    this.button.setAttribute("aria-pressed", "false");
  }

  destroy() {
    this.close();
    this.height.disconnect();
  }
}

/** @param {any} told */
function tapsSaid({ tally, key, phase }) {
  const taps = tapsOf(tally);
  return taps.length ? [part("p", "", tapsInWords(taps, phase === "revealed" ? key.spots[key.right] : undefined))] : [];
}

/** Draw the room's score, question by question. @param {import("./tally.js").Result[]} results */
function scoreOf(results) {
  const rows = results.map(({ text, score: [right, all], gained, lost, second }) => {
    const bar = part("span", "bar second");
    bar.style.setProperty("--share", String(all ? right / all : 0));
    const moved = second ? `; ${gained} from wrong to right, ${lost} from right to wrong` : "";
    return part("li", "", part("span", "option", text), part("span", "both", part("span", "votes", bar, part("b", "", `${right} of ${all}`))), part("small", "", moved.slice(2)));
  });
  const list = part("ol", "bars", ...rows);
  list.setAttribute("aria-label", "The room's score, question by question");
  return list;
}

/** @param {string} name @param {string[][]} options */
function menu(name, options) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", name);
  select.append(...options.map(([value, text]) => Object.assign(document.createElement("option"), { value, textContent: text })));
  return select;
}
