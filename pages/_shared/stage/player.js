// The player: one clock for all plots of a lab. If the frame of the user's step has not come yet,
// the nearest frame that has is shown until it comes.

import { UNFLASHING_WAIT, glide, nextStep, pace, ticks } from "./pace.js";
import { lead } from "./frame_plan.js";

const STEPS_AHEAD = { few: 4, many: 8 }; // frames to hold after a single step,
const EVENTS_AHEAD = { few: 1, many: 3 }; // after a jump to an event
const SCRUBBED = { levels: 5, bite: 8 }; // 33 steps of the run, a few at a time

const BY_HAND = ["step", "back", "quiz"]; // single steps by hand

const BEFORE_AGAIN = 1500; // milliseconds at the last step, when a run is played in a loop

export class Player {
  /**
   * @param {HTMLElement} root
   * @param {import("./frame_supply.js").FrameSupply} supply
   * @param {(step: number, at: number, time: number) => Promise<void>} show draws a step that is
   *   held, with a motion of `time` milliseconds
   * @param {import("./settings.js").Settings} how to play
   */
  constructor(root, supply, show, how) {
    this.root = root;
    this.supply = supply;
    this.show = show;
    this.how = how;
    this.at = 0;
    this.shown = 0;
    /** @type {string | null} */
    this.doing = null;
    /** @type {string | null} */
    this.held = null;
    this.playing = false;
    this.soonest = 0; // when a picture that recolours may change again
    this.drawing = 0; // the timer until then
    this.due = null; // the next step, if its frame has not come and the clock waits for it
    /** @type {(at: number) => boolean} */
    this.asks = () => false; // whether there is a question before the step after this one
    this.untouched = () => false; // whether the run is still at the step at which it opened
    this.afterNext = (step) => step; // the step that a quiz goes to after this one
    this.scrub = root.querySelector(".scrub");
    this.speed = root.querySelector(".speed");
    this.speed.value = how.speed;
    const where = root.querySelector(".where");
    this.endHidden = false; // the number of steps is the answer of a situation
    this.where = where.appendChild(document.createElement("span"));
    this.waiting = where.appendChild(document.createElement("span"));
    this.waiting.className = "due";
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.speed.addEventListener("change", () => (how.speed = this.speed.value), { signal });
    this.scrub.addEventListener("pointerdown", () => this.hold("scrubbing"), { signal });
    this.scrub.addEventListener("input", () => this.goByHand(+this.scrub.value), { signal });
    const release = () => this.held === "scrubbing" && this.hold(null);
    window.addEventListener("pointerup", release, { signal });
    window.addEventListener("pointercancel", release, { signal });
  }

  get run() {
    return this.supply.run;
  }

  get end() {
    return this.run.end;
  }

  /** Start with another run, at a step of it. @param {number} at */
  setRun(at) {
    const { run, root } = this;
    this.scrub.max = run.end;
    const widest = `${run.called(run.end)} of ${run.number(run.end)}`;
    this.where.style.minWidth = `${widest.length}ch`;
    const nodes = ticks(run).map(({ share, title }) => {
      const tick = document.createElement("i");
      tick.style.left = `${100 * share}%`;
      tick.title = title;
      return tick;
    });
    root.querySelector(".track .ticks").replaceChildren(...nodes);
    const waited = this.due !== null;
    this.due = null;
    this.shown = NaN; // not a step of this run
    this.go(at, this.playing ? "play" : this.held);
    if (waited) this.tick();
  }

  /**
   * Go to a step; it is shown as soon as its frame is there.
   * @param {number} at
   * @param {string | null} doing what the user is about, which tells what else may be wanted
   */
  go(at, doing = this.held) {
    this.at = Math.max(0, Math.min(this.end, at));
    this.doing = doing;
    this.supply.aim(this.intent());
    return this.refresh();
  }

  /** Go to a step by pointer or key. */
  goByHand(at) {
    const stepped = Math.abs(at - this.at) === 1 && !this.held;
    const doing = stepped ? (at > this.at ? "step" : "back") : this.held;
    this.pause();
    return this.go(at, doing);
  }

  /**
   * Note that the user is "scrubbing" or "dragging"; null when they let go.
   * @param {string | null} held
   */
  hold(held) {
    if (held === this.held) return;
    this.held = this.doing = held;
    if (held) this.pause();
    this.supply.aim(this.intent());
  }

  /** @returns {import("./frame_plan.js").Intent} */
  intent() {
    const { at, run, end } = this;
    switch (this.doing) {
      case "play": {
        const next = (step) => nextStep(run, step, this.pace(step).stride);
        return { at, next, ...lead(this.supply.channel.latency, this.pace(at).wait) };
      }
      case "step":
        return { at, next: (step) => Math.min(end, step + 1), ...STEPS_AHEAD };
      case "back":
        return { at, next: (step) => Math.max(0, step - 1), ...STEPS_AHEAD };
      case "next event":
        return { at, next: (step) => run.eventStep(step, 1), ...EVENTS_AHEAD };
      case "previous event":
        return { at, next: (step) => run.eventStep(step, -1), ...EVENTS_AHEAD };
      case "quiz":
        return { at, next: this.afterNext, ...EVENTS_AHEAD };
      case "scrubbing":
        return { at, ...SCRUBBED };
      case "dragging": // all steps, twice as many with every answer
        return { at, levels: Infinity, bite: Math.max(20, run.held.size) };
      default:
        return { at };
    }
  }

  /** Write which step is shown, in the lab's own unit. */
  get words() {
    const here = this.run.called(this.shown);
    return this.endHidden ? here : `${here} of ${this.run.number(this.end)}`;
  }

  /** Write, or do not write, how many steps there are. @param {boolean} on */
  hideEnd(on) {
    const another = on !== this.endHidden;
    this.endHidden = on;
    if (another && this.run.holds(this.shown)) this.label();
  }

  /** @param {number} [step] */
  pace(step = this.at) {
    const { run, how } = this;
    return pace(run.total, step, +this.speed.value, how.predict, run.recolours);
  }

  /**
   * Show the user's step, or the nearest one that is held. A key that is held down goes through a run
   * faster than large parts of a picture may change their colour: the picture then leaves steps out.
   */
  refresh() {
    clearTimeout(this.drawing);
    const from = this.shown;
    const next = this.run.nearest(this.at);
    const moves = from >= 0 && next !== from; // not a number: another run
    const early = this.soonest - Date.now();
    if (moves && early > 0 && !this.held && this.doing !== "play") {
      this.drawing = setTimeout(() => this.refresh(), early);
      return this.label();
    }
    this.shown = next;
    if (moves && this.run.recolours) this.soonest = Date.now() + UNFLASHING_WAIT;
    this.label();
    return this.show(this.shown, this.at, this.timeFrom(from));
  }

  /**
   * Return how long the motion from another step takes: 0 unless the two are neighbours in a run.
   * @param {number} step
   */
  timeFrom(step) {
    const { doing, shown } = this;
    if (Math.abs(shown - step) !== 1) return 0;
    if (BY_HAND.includes(doing)) return glide(Infinity, 1);
    return doing === "play" ? glide(this.pace().wait, +this.speed.value) : 0;
  }

  /** Redraw, because frames have come. */
  arrived() {
    if (this.due !== null && this.run.holds(this.due)) this.tick();
    else if (this.run.nearest(this.at) !== this.shown) this.refresh();
  }

  label() {
    const { at, end, run, shown, scrub, root } = this;
    const where = this.words;
    const awaited = this.due ?? (shown === at ? null : at);
    const event = run.event(shown);
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", event ? `${where}, ${event}` : where);
    this.where.textContent = where;
    this.waiting.textContent = awaited === null || run.holds(awaited) ? "" : ` … ${run.number(awaited)}`;
    root.classList.toggle("waiting", awaited !== null);
    const disable = (/** @type {string} */ action, /** @type {boolean} */ off) => {
      const button = root.querySelector(`[data-do="${action}"]`);
      if (off && button === document.activeElement) scrub.focus({ preventScroll: true });
      button.disabled = off;
    };
    for (const action of ["first", "back"]) disable(action, at === 0);
    for (const action of ["last", "step"]) disable(action, at === end);
    disable("play", end === 0);
    disable("previous event", run.eventStep(at, -1) === at);
    disable("next event", run.eventStep(at, 1) === at);
    this.labelPlay();
  }

  labelPlay() {
    const button = this.root.querySelector('[data-do="play"]');
    const over = this.at === this.end && this.end > 0;
    const word = this.playing ? "Pause" : over ? "Play again" : "Play";
    button.classList.toggle("playing", this.playing);
    button.querySelector("span").textContent = over && !this.playing ? "Again" : word;
    button.setAttribute("aria-label", word);
  }

  do(action) {
    if (action === "play") return this.toggle();
    this.pause();
    if (action === "step" && this.asks(this.at)) return undefined;
    const to = {
      first: 0,
      last: this.end,
      back: this.at - 1,
      step: this.at + 1,
      "previous event": this.run.eventStep(this.at, -1),
      "next event": this.run.eventStep(this.at, 1),
    }[action];
    return this.go(to, action);
  }

  // A lab opens at a telling step; who plays it from there sees the whole run.
  toggle() {
    if (this.playing) return this.pause();
    if (this.asks(this.at)) return;
    this.playing = true;
    this.go(this.at === this.end || this.untouched() ? 0 : this.at, "play");
    this.timer = setTimeout(() => this.tick(), this.pace().wait);
  }

  pause() {
    clearTimeout(this.timer);
    const waited = this.due !== null;
    this.playing = false;
    this.due = null;
    if (this.doing === "play") this.doing = null;
    if (waited) this.label();
    this.labelPlay();
  }

  // Wait for a step that has not come, and for the picture to be drawn.
  async tick() {
    if (!this.playing) return;
    if (this.asks(this.at)) return this.pause();
    if (this.at >= this.end) return this.how.loop && this.end ? this.again() : this.pause();
    const { stride } = this.pace();
    const next = nextStep(this.run, this.at, stride);
    this.due = this.run.holds(next) ? null : next;
    if (this.due !== null) {
      this.supply.aim(this.intent());
      return this.label();
    }
    const start = performance.now();
    await this.go(next, "play");
    if (!this.playing) return;
    if (this.how.stops && this.run.event(next)) return this.pause();
    clearTimeout(this.timer);
    const pause = next === this.end && this.how.loop ? BEFORE_AGAIN : this.pace().wait;
    this.timer = setTimeout(() => this.tick(), Math.max(0, pause - (performance.now() - start)));
  }

  again() {
    this.go(0, "play");
    this.timer = setTimeout(() => this.tick(), this.pace().wait);
  }

  destroy() {
    this.pause();
    clearTimeout(this.drawing);
    this.listeners.abort();
    this.where.parentNode.replaceChildren();
  }
}
