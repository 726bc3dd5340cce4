// The part of the address that says how a lab is looked at: its step, its zoom, presenter mode, and
// the layers that were switched. The browser keeps this part up to date without a rerun. Python writes the parameters, and reads the
// look when a link is opened (session/view_state.py). So the address is always a link to what is on
// the screen.

const EVERY = 500; // milliseconds. Streamlit writes the address, too, and tells nobody.
const DIGITS = 6;

/**
 * Return the query with the look replaced.
 * @param {string} query such as "?k=5"
 * @param {{at: number, opens?: number, zoom: number[] | null, present: boolean, layers: string[]}} look opens: the step of an address that names none; zoom: shares of the whole
 */
export function withLook(query, { at, opens = 0, zoom, present, layers }) {
  const fields = new URLSearchParams(query);
  const put = (/** @type {string} */ name, /** @type {string} */ text) => {
    // The order of the parameters is always the same, so that equal looks have equal addresses.
    fields.delete(name);
    if (text) fields.set(name, text);
  };
  put("step", at || opens ? String(at) : "");
  put("zoom", zoom ? zoom.join() : "");
  put("present", present ? "1" : "");
  put("layers", layers.join());
  const text = fields.toString();
  return text && `?${text}`;
}

/** @typedef {{x: number[], y: number[]}} Ranges of both axes */

/**
 * Return left, right, bottom and top of a zoom as shares of the whole; null if all of it is seen.
 * @param {Ranges | null} zoom
 * @param {Ranges} whole
 */
export function toShares(zoom, whole) {
  if (!zoom) return null;
  const shares = /** @type {const} */ (["x", "y"]).flatMap((axis) => {
    const [first, last] = whole[axis];
    const share = (/** @type {number} */ place) => (place - first) / (last - first);
    return zoom[axis].map((/** @type {number} */ place) => +inUnit(share(place)).toFixed(DIGITS));
  });
  const [left, right, bottom, top] = shares;
  // The zoom is too close to be written with this many digits.
  return left < right && bottom < top ? shares : null;
}

/**
 * Return the zoom with these shares of the whole.
 * @param {number[] | null} shares
 * @param {Ranges} whole
 */
export function fromShares(shares, whole) {
  if (!shares) return null;
  const place = (/** @type {"x" | "y"} */ axis, /** @type {number} */ share) => whole[axis][0] + share * (whole[axis][1] - whole[axis][0]);
  const [left, right, bottom, top] = shares;
  return { x: [place("x", left), place("x", right)], y: [place("y", bottom), place("y", top)] };
}

/** @param {number} share */
const inUnit = (share) => Math.min(1, Math.max(0, share));

export class Address {
  /** @param {() => {at: number, opens?: number, zoom: number[] | null, present: boolean, layers: string[]}} look what is seen now */
  constructor(look) {
    this.look = look;
    /** @type {string | null} */
    this.page = null; // the one that the look is of: another has an address of its own
    this.timer = setInterval(() => this.write(), EVERY);
    this.listeners = new AbortController();
    // Before anybody else hears of a click, and tells Python the address.
    const how = { capture: true, signal: this.listeners.signal };
    document.addEventListener("click", () => this.write(), how);
  }

  write() {
    if (location.pathname !== this.page) return;
    const query = withLook(location.search, this.look());
    if (query === location.search) return;
    history.replaceState(history.state, "", location.pathname + query + location.hash);
  }

  destroy() {
    clearInterval(this.timer);
    this.listeners.abort();
  }
}
