// The teacher's phone: it sees the votes as they come, and closes, repeats and reveals.

import { barsOf, part } from "../stage/room/bars.js";
import { several } from "../stage/room/tally.js";

const ACTIONS = [["close", "Close the vote"], ["again", "Vote again"], ["reveal", "Show the answer"]];

/** Return the actions that are possible now. @param {any} told the state of the room */
export function possible({ phase, round }) {
  const asking = phase === "asking" || phase === "asking again";
  return { close: asking, again: phase === "closed" && round === 1, reveal: asking || phase === "closed" };
}

export class Desk {
  /** @param {HTMLElement} place @param {(said: object) => void} send */
  constructor(place, send) {
    this.votes = part("div", "");
    this.buttons = ACTIONS.map(([action, text]) => {
      const button = /** @type {HTMLButtonElement} */ (part("button", "", text));
      button.onclick = () => send({ do: action });
      return button;
    });
    place.replaceChildren(this.votes, part("div", "do", ...this.buttons));
    place.hidden = false;
  }

  /** @param {any} told */
  show(told) {
    const can = /** @type {Record<string, boolean>} */ (possible(told));
    ACTIONS.forEach(([action], i) => (this.buttons[i].disabled = !can[action]));
    this.votes.replaceChildren(...(told.key ? [barsOf(told)] : []));
  }

  /** @param {any} told */
  words({ phase, phones, answered }) {
    const here = several(phones, "phone");
    if (phase === "lobby") return `You steer this room. ${here} here; ask from the wall.`;
    return `${answered} of ${here} answered.`;
  }
}
