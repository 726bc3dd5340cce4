// What the stage tells Python. Python answers by an update of the stage; without an answer the
// connection may be broken, and it is told again.

export const PATIENCE = 5000; // milliseconds, twice as long at every repetition
const GIVEN_UP = 100000;

export class Post {
  constructor() {
    this.timers = {};
    this.setStateValue = () => {}; // Streamlit's; every update brings a new one
  }

  /** Tell Python, until it answers. */
  send(what, value, patience = PATIENCE) {
    this.setStateValue(what, value);
    this.remind(what, value, patience);
  }

  /** Python has been told, but its answer did not mention it: tell it again after a while. */
  remind(what, value, patience = PATIENCE) {
    clearTimeout(this.timers[what]);
    if (patience > GIVEN_UP) return;
    this.timers[what] = setTimeout(() => this.send(what, value, 2 * patience), patience);
  }

  answered() {
    Object.values(this.timers).forEach(clearTimeout);
  }
}
