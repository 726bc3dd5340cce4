// The goal of the situation under way: whether the run reaches it, and a hint after a while. The browser remembers the
// goals that were reached, and their ticks stand under "Try this", too.

const REACHED = "goals reached"; // in the browser's memory
const HINT_AFTER = 40_000; // milliseconds

export class Goal {
  /**
   * @param {HTMLElement} root the stage's
   * @param {import("./words.js").Words} words
   */
  constructor(root, words) {
    /** @type {any} */
    const line = root.querySelector(".lesson .goal");
    this.line = line;
    this.words = words;
    this.mark = line.querySelector(".goal-mark");
    this.text = line.querySelector(".goal-text");
    this.help = line.querySelector(".goal-hint");
    this.button = line.querySelector('[data-do="hint"]');
    this.style = document.head.appendChild(document.createElement("style"));
    this.timer = 0;
    this.reached = reachedBefore();
    /** @type {import("./protocol.js").Goal | null} */
    this.shown = null;
    this.tick();
  }

  /** @param {import("./protocol.js").Goal | null} goal */
  show(goal) {
    const [before, another] = [this.shown, goal?.name !== this.shown?.name];
    this.shown = goal;
    this.line.hidden = !goal;
    if (another) this.begin();
    if (!goal) return;
    this.text.textContent = goal.text;
    this.mark.textContent = goal.reached ? "✓ Goal reached:" : this.reached.includes(goal.name) ? "✓ Goal, reached before:" : "☐ Goal:";
    this.line.classList.toggle("reached", goal.reached);
    if (!goal.reached) return;
    this.button.hidden = true;
    if (another || !before?.reached) this.words.say(`Goal reached: ${goal.text.replace(/\.$/, "")}`);
    this.remember(goal.name);
  }

  // Another goal: its hint comes after a while.
  begin() {
    clearTimeout(this.timer);
    this.button.hidden = true;
    this.help.textContent = "";
    this.timer = setTimeout(() => (this.button.hidden = !this.shown || this.shown.reached), HINT_AFTER);
  }

  /** Show the hint. */
  hint() {
    this.help.textContent = this.shown ? `Hint: ${this.shown.hint}` : "";
    this.button.hidden = true;
  }

  /** @param {string} name */
  remember(name) {
    if (this.reached.includes(name)) return;
    this.reached.push(name);
    this.tick();
    try {
      localStorage.setItem(REACHED, JSON.stringify(this.reached));
    } catch {
      // A frame of another site may keep nothing.
    }
  }

  // Streamlit draws the list of experiments, so their ticks are a style.
  tick() {
    const places = this.reached.map((name) => `.st-key-${CSS.escape(name)} strong::before`);
    this.style.textContent = places.length ? `${places.join()} { content: "✓ "; }` : "";
  }

  destroy() {
    clearTimeout(this.timer);
    this.style.remove();
  }
}

/** @returns {string[]} */
function reachedBefore() {
  try {
    const names = JSON.parse(localStorage.getItem(REACHED) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
