// A connection to a room that comes back by itself: after a locked screen, a lost network, a reload.

const WAITS = [300, 1000, 2000, 4000, 8000]; // milliseconds before the next try
const ASK_AGAIN = 15_000; // milliseconds after which a silent connection is asked for a sign of life,
const NO_LIFE = 4000; // and until it is given up
const REFUSED = { 4400: "unread", 4404: "wrong", 4409: "taken", 4410: "over", 4413: "full", 4429: "often" };
const FOR_NOW = ["often", "full"]; // worth another try

export class Wire {
  /**
   * @param {string} address of the websocket
   * @param {() => object} hello the first message
   * @param {object} on
   * @param {(told: any) => void} on.heard
   * @param {(connected: boolean) => void} on.turned the connection has come or gone
   * @param {(why: string) => void} on.refused see REFUSED
   */
  constructor(address, hello, on) {
    this.address = address;
    this.hello = hello;
    this.on = on;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.connected = false;
    /** @type {any} */
    this.timer = 0; // of the next try
    /** @type {any} */
    this.watch = 0; // for the next sign of life
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const look = () => document.visibilityState === "visible" && this.check();
    document.addEventListener("visibilitychange", look, { signal });
    for (const what of ["online", "pageshow"]) window.addEventListener(what, look, { signal });
    window.addEventListener("offline", () => this.drop(), { signal });
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(this.address));
    socket.onopen = () => {
      socket.send(JSON.stringify(this.hello()));
      this.wait(NO_LIFE);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.tries = 0;
      this.turn(true);
      this.wait(ASK_AGAIN);
      this.on.heard(JSON.parse(data));
    };
    socket.onclose = ({ code }) => socket === this.socket && this.lost(/** @type {Record<number, string>} */ (REFUSED)[code]);
  }

  /** @param {number} milliseconds until the connection is asked or given up */
  wait(milliseconds) {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => (milliseconds === ASK_AGAIN ? this.check() : this.drop()), milliseconds);
  }

  /** Ask a connection for a sign of life; try at once to get one if there is none. */
  check() {
    if (this.listeners.signal.aborted) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.send({ still: 1 });
      this.wait(NO_LIFE);
    } else if (this.socket?.readyState !== WebSocket.CONNECTING) this.open();
  }

  drop() {
    const { socket } = this;
    if (!socket) return;
    socket.close();
    this.lost();
  }

  /** @param {string} [why] the server's reason, if it has refused the connection */
  lost(why) {
    clearTimeout(this.watch);
    this.socket = null;
    this.turn(false);
    if (why) this.on.refused(why);
    if ((why && !FOR_NOW.includes(why)) || this.listeners.signal.aborted) return;
    const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait * (0.5 + Math.random())); // not all phones at once
  }

  /** @param {boolean} connected */
  turn(connected) {
    if (connected === this.connected) return;
    this.connected = connected;
    this.on.turned(connected);
  }

  /** Send a message; return whether there was a connection. @param {object} said */
  send(said) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(said));
    return true;
  }

  close() {
    this.listeners.abort();
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }
}

/** Return letters and digits that nobody can guess. @param {number} [bytes] */
export function drawn(bytes = 16) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** Return the address of a room's websocket. @param {string} room the room's own @param {"phone" | "teacher" | "follower"} role */
export const socketOf = (room, role) => `${room.replace(/^http/, "ws")}/${role}`;
