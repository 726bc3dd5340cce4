// What if: the next step is done differently, and points that are dragged are elsewhere from then on.

export class Fork {
  /**
   * @param {HTMLElement} root
   * @param {import("./player.js").Player} player
   * @param {import("./outbox.js").Outbox} outbox
   */
  constructor(root, player, outbox) {
    this.button = root.querySelector("[data-do=fork]");
    this.player = player;
    this.outbox = outbox;
    this.possible = false; // a step of this run can be done differently
    this.step = 0; // the one that is; 0: none
    this.asked = 0; // messages sent: the same may be asked for again
  }

  /** @param {{forks: boolean, fork: number}} now */
  set({ forks, fork }) {
    this.possible = forks;
    this.step = fork;
    this.button.hidden = !forks;
    this.button.setAttribute("aria-pressed", String(Boolean(fork)));
  }

  /** Have the next step done differently, or all as it was: Python knows which. */
  ask() {
    if (!this.possible) return;
    this.player.pause();
    this.outbox.send("fork", { step: this.player.at, number: ++this.asked });
  }

  /**
   * Have a point elsewhere from the forked step on: before it, nothing would be seen.
   * @param {import("./protocol.js").Edit} edit
   */
  carry({ index, to }) {
    if (this.player.at < this.step) this.player.goByHand(this.step);
    this.outbox.send("carried", { index, to, number: ++this.asked });
  }
}
