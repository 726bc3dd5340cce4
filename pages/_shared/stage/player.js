// The player: one clock for all plots of a lab.

const LONGEST_WAIT = 700, SHORTEST_WAIT = 40, WHOLE_RUN = 12000; // milliseconds at speed 1

class Player {
  constructor(root, onShow) {
    this.root = root;
    this.onShow = onShow;
    this.at = 0;
    this.steps = [0];
    this.events = [null];
    this.scrub = root.querySelector(".scrub");
    this.speed = root.querySelector(".speed");
    this.scrub.addEventListener("input", () => { this.pause(); this.go(+this.scrub.value); });
    this.actions = {
      first: () => this.go(0), last: () => this.go(this.end), play: () => this.toggle(),
      back: () => this.go(this.at - 1), step: () => this.go(this.at + 1),
      "previous event": () => this.go(this.event(-1)), "next event": () => this.go(this.event(1)),
    };
  }

  get end() { return this.steps.length - 1; }

  // steps: the true number of each frame's step; total: how many steps the run has.
  setRun({ steps, events, total }, at) {
    this.steps = steps.length ? steps : [0];
    this.events = events;
    this.total = total;
    this.scrub.max = this.end;
    const ticks = this.root.querySelector(".ticks");
    ticks.replaceChildren(...events.flatMap((event, i) => {
      if (!event) return [];
      const tick = document.createElement("i");
      tick.style.left = `${this.end ? (100 * i) / this.end : 0}%`;
      tick.title = `step ${steps[i]}: ${event}`;
      return [tick];
    }));
    this.go(at);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.end, at));
    this.scrub.value = this.at;
    const event = this.events[this.at];
    const where = `step ${this.steps[this.at]} of ${Math.max(0, this.total - 1)}`;
    const some = this.steps.length < this.total;
    this.root.querySelector(".where").textContent = where + (some ? ` (${this.steps.length} are shown)` : "");
    this.scrub.setAttribute("aria-valuetext", event ? `${where}, ${event}` : where);
    const set = (name, off) => (this.root.querySelector(`[data-do="${name}"]`).disabled = off);
    for (const name of ["first", "back"]) set(name, this.at === 0);
    for (const name of ["last", "step"]) set(name, this.at === this.end);
    set("play", this.end === 0);
    set("previous event", this.event(-1) === this.at);
    set("next event", this.event(1) === this.at);
    return this.onShow(this.at);
  }

  // The nearest frame with an event before (-1) or after (1) this one; this one where there is none.
  event(direction) {
    for (let i = this.at + direction; i >= 0 && i <= this.end; i += direction) if (this.events[i]) return i;
    return this.at;
  }

  do(action) {
    if (action !== "play") this.pause();
    this.actions[action]();
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.at === this.end) this.go(0);
    this.playing = true;
    this.label();
    this.tick();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.label();
  }

  label() {
    const button = this.root.querySelector('[data-do="play"]');
    const word = this.playing ? "Pause" : "Play";
    button.classList.toggle("playing", this.playing);
    button.querySelector("span").textContent = word;
    button.setAttribute("aria-label", word);
  }

  // Waits for the picture to be drawn before it sets the clock for the next one.
  tick() {
    const natural = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, WHOLE_RUN / this.steps.length));
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!this.playing) return;
      if (this.at >= this.end) return this.pause();
      await this.go(this.at + 1);
      if (this.playing) this.tick();
    }, natural / +this.speed.value);
  }
}
