// Predict, then reveal: the player stops before a step, asks what it will do, and shows it.

import { forgetAttempt, keepAttempt, keptAttempt } from "./attempts.js";
import { HandIn } from "./hand_in.js";
import { placeInWords } from "./place_words.js";
import { LETTERS, QuizState, pageLink, quizLink, verdict } from "./quiz_state.js";

const SEEDS = 10000; // a link to a quiz holds one of this many seeds

export class Quiz {
  /**
   * @param {HTMLElement} root
   * @param {import("./player.js").Player} player
   * @param {{predict: boolean}} shared by all labs
   * @param {() => import("./panel.js").Panel[]} panels
   */
  constructor(root, player, shared, panels) {
    this.root = root;
    this.player = player;
    this.shared = shared;
    this.panels = panels;
    this.state = new QuizState();
    this.began = 0; // when the quiz began, in milliseconds since 1970
    this.about = { lab: "", origin: "" }; // the lab with its mode; see pageLink
    this.handIn = new HandIn(() => this.again());
    /** @type {(what: string) => void} */
    this.say = () => {}; // show a notice
    this.onDrawn = () => {}; // called when what is asked or answered has changed
    this.onAsked = () => {}; // called then, too: what would tell the answer is kept back
    this.held = false; // a room answers the open question
    this.place = root.querySelector(".quiz");
    const part = (name) => this.place.querySelector(`.${name}`);
    this.parts = { asked: part("asked"), options: part("options"), score: part("score") };
    this.more = part("go-on");
    this.link = part("link");
    this.more.onclick = () => this.goOn();
    this.link.querySelector("button").onclick = () => this.copyLink();
    player.asks = (at) => this.asks(at);
    player.afterNext = (step) => this.state.following(step);
  }

  get active() {
    return this.shared.predict || this.state.isQuiz;
  }

  /** Whether a question waits for its answer. */
  get asking() {
    return this.state.open !== null;
  }

  /**
   * Start again, because another run is shown or a quiz is opened.
   * @param {string} run its key
   * @param {number[]} steps those of the quiz
   * @param {boolean} followed a link was followed: only this restarts a quiz that was ended
   */
  setRun(run, steps, followed) {
    const key = `${run} ${steps}`;
    if (followed) this.ended = false;
    else if (key === this.key) return;
    this.key = key;
    const kept = keptAttempt(key);
    this.began = kept.began;
    this.state = this.ended ? new QuizState() : new QuizState(steps, kept.answers);
    this.draw();
    if (this.state.isQuiz) this.goOn();
  }

  // Start the finished quiz again.
  again() {
    forgetAttempt(this.key);
    this.began = Date.now();
    this.state = new QuizState(this.state.steps);
    this.goOn();
  }

  // Switch questions on or off. Switching them off ends a quiz.
  toggle() {
    this.ended = this.state.isQuiz;
    this.shared.predict = !this.active;
    this.state = new QuizState();
    this.draw();
  }

  /**
   * Return whether the player has to wait at a step, because there is a question before the next
   * one.
   */
  asks(at) {
    if (!this.shared.predict || this.state.isQuiz) return false;
    if (this.state.open?.step === at) return true;
    const question = this.player.run.question(at);
    if (!question) return false;
    this.state.ask(at, question);
    this.draw();
    return true;
  }

  /** Note that a step is shown; `at`: the step that the user is at. */
  shown(step, at) {
    if (!this.active) return;
    const { state } = this;
    if (at === state.place) return;
    const question = step === at && at === state.next ? this.player.run.question(at) : null;
    const changes = question || state.place !== null;
    state.leave();
    if (question) state.ask(at, question);
    if (changes) this.draw();
  }

  /** @param {number | null} chosen */
  answer(chosen) {
    const { open } = this.state;
    if (!open || chosen >= open.question.options.length) return;
    if (this.held) return this.say("The room answers this question");
    this.state.answer(chosen);
    if (this.state.isQuiz) keepAttempt(this.key, { began: this.began, answers: [...this.state.answers.values()] });
    this.draw();
    if (document.activeElement === document.body) this.more.focus({ preventScroll: true });
    this.player.go(open.step + 1, "step");
  }

  /** Go to the next question, beginning with the one at this step. */
  seek() {
    if (!this.active) this.toggle();
    if (this.asking) return;
    if (this.state.isQuiz || !this.asks(this.player.at)) this.goOn();
  }

  /** Show the answer of the open question, and the step: a room has answered it. */
  reveal() {
    const { open } = this.state;
    this.held = false;
    if (!open) return;
    this.state.reveal();
    this.draw();
    this.player.go(open.step + 1, "step");
  }

  /** Do what a button of the player asks for if it concerns the quiz; return whether it did. */
  takes(action) {
    const { state } = this;
    if (action === "predict") this.toggle();
    else if (this.asking && action === "step") this.answer(null);
    else if (this.asking && action === "play") return true;
    else if (state.isQuiz && state.given && ["step", "play"].includes(action)) this.goOn();
    else return false;
    return true;
  }

  // Go to the next question of the quiz; without a quiz the player finds the next question.
  goOn() {
    const { state, player } = this;
    if (this.asking) return this.answer(null);
    if (!state.isQuiz) return player.do("play");
    state.leave();
    if (state.next === undefined) this.draw();
    else player.go(state.next, "quiz");
  }

  draw() {
    const { state, place, parts } = this;
    const focused = place.contains(document.activeElement);
    const { open, given } = state;
    const over = state.isQuiz && state.next === undefined && !given;
    this.root.classList.toggle("predicting", this.active);
    this.root.classList.toggle("asking", this.asking);
    const button = this.root.querySelector('[data-do="predict"]');
    button.setAttribute("aria-pressed", this.active);
    button.textContent = state.isQuiz ? "End quiz" : "Predict";
    parts.asked.replaceChildren(...(open ? this.askedWords(open.question) : given ? revealed(given) : []));
    if (over) parts.asked.replaceChildren(element("strong", state.result));
    parts.options.replaceChildren(...(open ? this.buttons(open.question) : over ? this.card() : []));
    parts.score.textContent = over ? "" : this.standing();
    this.more.textContent = this.goOnText();
    this.more.hidden = over || (!state.isQuiz && !open && !given);
    this.link.hidden = state.isQuiz || Boolean(open || given);
    this.drawPins();
    this.onAsked();
    if (focused) place.querySelector("button:not([hidden])")?.focus();
    this.onDrawn();
  }

  standing() {
    if (this.state.score) return this.state.score;
    return this.asking ? "" : "Step or play. Steps with a question wait for your answer.";
  }

  goOnText() {
    const { state } = this;
    if (this.asking) return "Skip (→)";
    if (!state.isQuiz) return "Go on (Space)";
    if (!state.given) return `To the question at step ${state.next}`;
    return state.next === undefined ? "See the result (Space)" : "Next question (Space)";
  }

  buttons({ options }) {
    return options.map((option, i) => {
      const { text } = option;
      // the space separates letter and text when they are read aloud
      const node = element("button", "", element("b", LETTERS[i]), " ", text, ...this.where(LETTERS[i], option));
      node.title = `Answer (${LETTERS[i]} or ${i + 1})`;
      node.onclick = () => this.answer(i);
      return node;
    });
  }

  // Show the result and the questions that were missed, each with a button that goes back to it.
  card() {
    const answers = [...this.state.answers.values()].sort((a, b) => a.step - b.step);
    const { lab, origin } = this.about;
    const { began } = this;
    const link = pageLink(location.href, origin).href;
    const result = this.handIn.show({ name: "", lab, link, began, answers });
    const missed = this.state.missed.map((given) => {
      const button = element("button", `Step ${given.step}`);
      button.onclick = () => this.player.go(given.step, null);
      const { question } = given;
      return element("p", "", button, `${question.text} ${verdict(given)} ${question.reason}`);
    });
    return [result, ...missed];
  }

  /** @param {import("./protocol.js").Question} question */
  askedWords(question) {
    return [element("strong", question.text), ...this.where("?", question)];
  }

  /**
   * Write where a pin is, because only the eye finds its letter in the picture.
   * @param {string} letter
   * @param {{place?: number[]}} about
   */
  where(letter, { place }) {
    const panel = place && this.panels()[place[0]];
    if (!panel?.plot?.ready) return [];
    const node = element("span", ` (${letter} at ${placeInWords(panel.plot, place.slice(1))})`);
    node.className = "unseen";
    return [node];
  }

  drawPins() {
    const { open, given } = this.state;
    const pins = open ? this.pinsOf(open.question) : given ? revealedPins(given) : [];
    this.panels().forEach((panel, view) => {
      panel.pins.show(pins.filter(({ at }) => at[0] === view));
    });
  }

  pinsOf({ options, place }) {
    const pin = (at, text, look, press) => ({ at, text, look, press, place: at.slice(1) });
    const about = place ? [pin(place, "?", "asked")] : [];
    const answers = options.map(({ place: at }, i) =>
      at ? [pin(at, LETTERS[i], "answer", () => this.answer(i))] : []);
    return [...about, ...answers.flat()];
  }

  async copyLink() {
    const count = this.link.querySelector("select").value;
    const text = quizLink(location.href, this.about.origin, count, Math.floor(SEEDS * Math.random()));
    const field = this.link.querySelector("input");
    field.hidden = false;
    field.value = text;
    field.select();
    // Without a secure connection the browser refuses to copy, but the text is selected.
    const copied = navigator.clipboard?.writeText(text).then(() => true, () => false);
    this.say((await copied) ? "The link is copied" : "Copy the link from the field");
  }
}

function revealedPins({ question, chosen }) {
  return question.options.flatMap(({ place }, i) => {
    const right = i === question.right;
    if (!place || !(right || i === chosen)) return [];
    const [text, look] = right ? ["✓", "right"] : ["✕", "wrong"];
    return [{ at: place, text, look, place: place.slice(1) }];
  });
}

function revealed(given) {
  return [element("strong", verdict(given)), ` ${given.question.reason}`];
}

function element(kind, ...content) {
  const node = document.createElement(kind);
  node.append(...content);
  return node;
}
