// What if: the next step is changed, and from then on points can be moved by dragging.

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
    this.possible = false; // whether a step of this run can be changed
    this.step = 0; // the changed step; 0: none
    this.asked = 0; // number of messages sent, since the same one may be sent again
  }

  /** @param {{forks: boolean, fork: number}} now */
  set({ forks, fork }) {
    this.possible = forks;
    this.step = fork;
    this.button.hidden = !forks;
    this.button.setAttribute("aria-pressed", String(Boolean(fork)));
  }

  /**
   * Ask Python to change the next step or, if one is changed already, to go back to the original
   * run.
   */
  ask() {
    if (!this.possible) return;
    this.player.pause();
    this.outbox.send("fork", { step: this.player.at, number: ++this.asked });
  }

  /**
   * Ask Python to move a point from the changed step on. Earlier steps do not show the move, so the
   * player goes to the changed step first.
   * @param {import("./protocol.js").Edit} edit
   */
  carry({ index, to }) {
    if (this.player.at < this.step) this.player.goByHand(this.step);
    this.outbox.send("carried", { index, to, number: ++this.asked });
  }
}
