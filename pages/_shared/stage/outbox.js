// The messages of the stage to Python. Python answers with an update of the stage. If no answer
// comes, the connection may be broken, and the message is sent again.

/** @typedef {import("./protocol.js").Messages} Messages */
/** @typedef {Omit<import("./protocol.js").Moved, "number">} Move of handles */

export const PATIENCE = 5000; // milliseconds; doubled at every repetition
const GIVEN_UP = 100000;

let moves = 0; // of handles, on this page

/**
 * Return whether Python is connected and runs the page, which means that it has received the
 * message.
 */
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
    /** @type {Messages["places"] | null} the last move of a handle, until Python has heard of it */
    this.unheard = null;
    /** @type {(what: string, value: any) => void} Streamlit's; every update brings a new one */
    this.setStateValue = () => {};
  }

  /**
   * Send a message, and repeat it until Python answers.
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
   * Send a message while something moves. Until Python answers, only the latest one waits.
   * @template {keyof Messages} K
   * @param {K} what
   * @param {Messages[K]} value
   */
  sendLatest(what, value) {
    if (this.busy) this.latest = { what, value };
    else this.send(what, value);
  }

  /** Send the places of a handle that is dragged. @param {Move} moved */
  move(moved) {
    moves += 1;
    this.unheard = { ...moved, number: moves };
    if (moved.moving) return this.sendLatest("places", this.unheard);
    this.forgetLatest();
    this.send("places", this.unheard);
  }

  /** Note which move was the last that Python has heard of. @param {number} number */
  heardMove(number) {
    if (this.unheard && number < this.unheard.number) this.remind("places", this.unheard);
    else this.unheard = null;
  }

  /** Drop the waiting message, because what moved has come to rest. */
  forgetLatest() {
    this.latest = null;
  }

  /**
   * Send a message again after a while, because Python's answer did not mention it.
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
