// The messages of the stage to Python. Python answers by an update of the stage. Without an answer
// the connection may be broken, and the message is sent again.

/** @typedef {import("./protocol.js").Messages} Messages */

export const PATIENCE = 5000; // milliseconds, twice as long at every repetition
const GIVEN_UP = 100000;

/** Whether Python runs the page and is connected, so that it has received the message. */
function isAtWork() {
  const app = document.querySelector("[data-test-script-state]")?.dataset;
  return app?.testScriptState === "running" && app.testConnectionState === "CONNECTED";
}

export class Outbox {
  constructor() {
    /** @type {Record<string, ReturnType<typeof setTimeout>>} */
    this.timers = {};
    this.busy = false; // a message was sent, and Python has not answered yet
    this.latest = null; // the message to send after the answer
    /** @type {(what: string, value: any) => void} Streamlit's; every update brings a new one */
    this.setStateValue = () => {};
  }

  /**
   * Tell Python, until it answers.
   * @template {keyof Messages} K
   * @param {K} what
   * @param {Messages[K]} value
   */
  send(what, value, patience = PATIENCE) {
    this.busy = true;
    this.setStateValue(what, value);
    this.remind(what, value, patience);
  }

  /**
   * Tell Python while something moves: what is superseded before it answers is not sent.
   * @template {keyof Messages} K
   * @param {K} what
   * @param {Messages[K]} value
   */
  sendLatest(what, value) {
    if (this.busy) this.latest = { what, value };
    else this.send(what, value);
  }

  /** A handle is being dragged, or has been let go. @param {import("./protocol.js").Moved} moved */
  move(moved) {
    if (moved.moving) return this.sendLatest("places", moved);
    this.forgetLatest();
    this.send("places", moved);
  }

  /** What moved has come to rest. */
  forgetLatest() {
    this.latest = null;
  }

  /**
   * Python's answer did not mention a message: send it again after a while.
   * @template {keyof Messages} K
   * @param {K} what
   * @param {Messages[K]} value
   */
  remind(what, value, patience = PATIENCE) {
    clearTimeout(this.timers[what]);
    if (patience > GIVEN_UP) return;
    this.timers[what] = setTimeout(() => {
      // A second message would make Python stop its work and start again.
      if (isAtWork()) this.remind(what, value, patience);
      else this.send(what, value, 2 * patience);
    }, patience);
  }

  answered() {
    Object.values(this.timers).forEach(clearTimeout);
    this.busy = false;
    const { latest } = this;
    this.latest = null;
    if (latest) this.send(latest.what, latest.value);
  }
}
