// Following a room: this page goes where the room's wall goes, until the visitor lets go, and back
// there when they want to. Another step of the same run is shown without a new run.

import { part } from "./bars.js";
import { goTo } from "./go_to.js";
import { recalled, remember } from "./tab_memory.js";
import { Wire, socketOf } from "./wire.js";

const FOLLOWING = "following"; // in the tab's memory; pages/_shared/room/follow.js writes it
const LOOK = ["step", "zoom", "layers"]; // these do not change the run
const MOST_PATIENCE = 20_000; // milliseconds for Python's answer, before the next address
const GONE = /** @type {Record<string, string>} */ ({
  wrong: "is gone",
  over: "is over",
  unread: "does not understand this page",
});

/** @typedef {{code: string, on: boolean, at?: string}} Kept at: the address that this page last went to */
/** @typedef {{at: number, zoom: number[] | null, layers: string[]}} Look */

/** Return whether two addresses are of the same run. @param {{pathname: string, search: string}} one @param {{pathname: string, search: string}} other */
export function isSameRun(one, other) {
  const written = (/** @type {string} */ search) => [...new URLSearchParams(search)].filter(([name]) => !LOOK.includes(name)).sort().join("&");
  return one.pathname === other.pathname && written(one.search) === written(other.search);
}

/** Return step, zoom and layers of an address. @param {URLSearchParams} fields @returns {Look} */
export function lookIn(fields) {
  const zoom = (fields.get("zoom") ?? "").split(",").map(Number);
  const [left, right, bottom, top] = zoom;
  const whole = zoom.length !== 4 || !(left < right && bottom < top);
  return { at: Math.trunc(+(fields.get("step") ?? 0)) || 0, zoom: whole ? null : zoom, layers: (fields.get("layers") ?? "").split(",").filter(Boolean) };
}

/** Say what this page does. @param {Kept} kept @param {{address: string, absent: number} | null} told @param {boolean} connected */
export function followedInWords({ code, on }, told, connected) {
  if (!connected || !told) return `Room ${code}: no connection. This page comes back by itself.`;
  if (!told.address) return `Room ${code}: the teacher leads nobody now.`;
  if (!on) return `You have let go of room ${code}.`;
  return `Following room ${code}.${told.absent ? ` The teacher's ${told.absent} points are too many for a link, so this page shows others.` : ""}`;
}

export class Follow {
  /**
   * @param {HTMLElement} root
   * @param {(look: Look) => void} show another step of the run that is shown
   */
  constructor(root, show) {
    this.root = root;
    this.show = show;
    this.kept = keptFollowing();
    /** @type {Wire | null} */
    this.wire = null;
    /** @type {{address: string, absent: number} | null} */
    this.told = null;
    /** @type {any} */
    this.going = 0; // a run was asked for
    this.bar = part("div", "room follow");
    this.said = part("p", "room-said");
    this.said.setAttribute("role", "status");
    this.button = part("button", "");
    this.button.onclick = () => this.turn();
    this.close = part("button", "", "Close");
    this.close.onclick = () => this.leave();
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Following a room");
    this.bar.append(this.said, part("div", "room-do", this.button, this.close));
  }

  /** Python has answered: connect, or go on to the newest address. @param {boolean} server whether there is one */
  answered(server) {
    clearTimeout(this.going);
    this.going = 0;
    if (!server || !this.kept) return;
    if (this.wire) this.keepUp();
    else this.open(this.kept.code);
  }

  /** @param {string} code */
  open(code) {
    const at = new URL(`room/${code}`, location.href).href;
    this.wire = new Wire(socketOf(at, "follower"), () => ({ follow: true }), {
      heard: (told) => {
        this.told = told;
        this.draw();
        this.keepUp();
      },
      turned: () => this.draw(),
      refused: (why) => (why in GONE ? this.gone(GONE[why]) : this.say(`Room ${code} takes no more laptops now. This page tries again by itself.`)),
    });
    this.root.querySelector(".below .room")?.before(this.bar);
    this.root.classList.add("following");
    this.draw();
  }

  draw() {
    if (!this.kept) return;
    this.say(followedInWords(this.kept, this.told, Boolean(this.wire?.connected)));
    this.button.textContent = this.kept.on ? "Let go" : "Follow again";
    this.close.hidden = this.kept.on;
  }

  /** @param {string} text */
  say(text) {
    if (this.said.textContent !== text) this.said.textContent = text; // the same sentence is not read again
  }

  turn() {
    const { kept } = this;
    if (!kept) return;
    kept.on = !kept.on;
    kept.at = "";
    remember(FOLLOWING, kept);
    this.draw();
    this.keepUp();
  }

  // Go to the newest address, unless the page is on its way to another one.
  keepUp() {
    const { kept, told } = this;
    if (!kept?.on || this.going || !told?.address || told.address === kept.at || !/^\w+\?/.test(told.address)) return;
    kept.at = told.address;
    remember(FOLLOWING, kept);
    const to = new URL(told.address, location.href);
    if (isSameRun(to, location)) return this.show(lookIn(to.searchParams));
    this.going = setTimeout(() => this.answered(true), MOST_PATIENCE);
    goTo(to.pathname + to.search);
  }

  // The room has ended: what is left is to close the bar.
  /** @param {string} why */
  gone(why) {
    this.say(`Room ${this.kept?.code} ${why}.`);
    this.kept = null;
    remember(FOLLOWING, null);
    this.button.hidden = true;
    this.close.hidden = false;
  }

  leave() {
    this.destroy();
    this.kept = this.wire = null;
    remember(FOLLOWING, null);
    /** @type {HTMLElement | null} */ (this.root.querySelector(".picture"))?.focus({ preventScroll: true });
  }

  destroy() {
    clearTimeout(this.going);
    this.wire?.close();
    this.bar.remove();
    this.root.classList.remove("following");
  }
}

/** @returns {Kept | null} */
function keptFollowing() {
  const kept = recalled(FOLLOWING);
  return /^[A-Z]{4}$/.test(kept?.code) ? kept : null;
}
