// What the keys do, wherever on the page the focus is.

/** All keys, in the order of the list that "?" shows. */
export const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or on"],
  ["Home End", "first or last step"],
  ["[ ]", "previous or next event"],
  ["O", "play again from the start (loop)"],
  ["V", "stop at every event"],
  ["Q", "predict: answer a question before the steps"],
  ["W", "what if: change the next step, or go back to the original run"],
  ["A … E", "while there is a question: answer it (or 1 … 5); → skips it"],
  ["G", "ask the room: phones answer the question; show or hide the code"],
  ["N", "large step number"],
  ["F", "film strip: steps of the run as small pictures"],
  ["K", "legend: what every mark in the picture is"],
  ["T", "the answer to the situation's question"],
  [", .", "previous or next situation of the course or lecture"],
  ["P", "presenter mode: the stage alone, larger, on the whole screen"],
  ["C", "show the controls in presenter mode"],
  ["+ −", "zoom in or out, around the last click or the cross hair"],
  ["Esc", "look; leave presenter mode"],
  ["Shift+Esc", "give the keys back to the slides around this frame"],
  ["A B S", "add a point, brush, spray"],
  ["M E L", "move, erase, relabel points"],
  ["1 … 8", "class to draw"],
  ["Ctrl+Z Ctrl+Y", "undo, redo"],
  ["Tab", "to the next control; its own keys then work"],
  ["Enter", "press the control, or use the tool at the cross hair"],
  ["?", "this list"],
];

const ACTIONS = {
  " ": "play",
  ArrowRight: "step",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  "[": "previous event",
  "]": "next event",
  "+": "closer",
  "-": "farther",
  "?": "help",
  f: "strip",
  k: "signs",
  g: "room",
  t: "answer",
  ",": "previous situation",
  ".": "next situation",
  n: "large step",
  p: "present",
  c: "controls",
  o: "loop",
  v: "stop at events",
  q: "predict",
  w: "fork",
};

const TOOL_KEYS = { a: "add", b: "brush", s: "spray", m: "move", e: "erase", l: "relabel", Escape: "look" };

// Text fields and open menus keep all keys. A closed dialog does not: it loses the focus a frame
// later.
const TEXT =
  "input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, [contenteditable], " +
  "[role=listbox], [role=menu], [role=dialog], dialog[open], [data-baseweb=popover]";
const CLOSED_MENU = "[role=combobox][aria-expanded=false]"; // only letters matter to it

// Sliders keep the keys that move them, and buttons keep the space bar, if they got the focus by
// the keyboard. After a click the keys control the player again.
const MOVED =
  "[role=slider], [role=tablist], [role=radiogroup]:not(.classes), [type=range], select, .handle, " +
  ".picture:not([data-tool=look])";
const PRESSED_BY_SPACE = "select, [type=checkbox], [type=radio], .quiz button";
const SLIDER = "[role=slider], [type=range]"; // letters that are typed there are a slip, or dictation
const PARAMETER = "[data-testid=stSidebar] [type=range]"; // it uses signs, too
const ANSWERS = { a: 0, b: 1, c: 2, d: 3, e: 4, 1: 0, 2: 1, 3: 2, 4: 3, 5: 4 };
const MOVING = /^(Arrow|Home$|End$|Page)/;

/** Return whether a key is a single character, which dictation software may type. @param {string} key */
const isSingle = (key) => key.length === 1 && key !== " ";

/**
 * Return what a key asks for: {do: action}, {tool}, {label: class} or {answer: number}; null if the
 * key is not for the stage.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean,
 *   target: any}} event
 * @param {boolean} byPointer whether a pointer has given the focus to what has it
 * @param {boolean} [asking] whether a question waits for its answer
 */
export function meaning({ key, ctrlKey, metaKey, altKey, shiftKey, target }, byPointer, asking) {
  const passing = MOVING.test(key) || key === " ";
  if (target.closest?.(TEXT) && !(passing && target.matches?.(CLOSED_MENU))) return null;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) {
    if (letter === "y" || (letter === "z" && shiftKey)) return { do: "redo" };
    return letter === "z" ? { do: "undo" } : null;
  }
  if (altKey) return null;
  if (shiftKey && key === "Escape") return { do: "give back" };
  if (!byPointer) {
    if (MOVING.test(key) && target.closest?.(MOVED)) return null;
    if (key === " " && target.matches?.(PRESSED_BY_SPACE)) return null;
    if (isSingle(key) && target.matches?.(PARAMETER)) return null;
    if (/^[a-z\d]$/i.test(key) && target.matches?.(SLIDER)) return null;
  }
  if (asking && letter in ANSWERS) return { answer: ANSWERS[letter] };
  if (letter in ACTIONS) return { do: ACTIONS[letter] };
  if (letter in TOOL_KEYS) return { tool: TOOL_KEYS[letter] };
  if (/^[1-8]$/.test(key)) return { label: +key - 1 };
  return null;
}

/** Handles the keys of the whole page before any other listener gets them. */
export class Keys {
  /**
   * @param {(asked: object) => boolean} act does what is asked, and says whether it did
   * @param {() => boolean} asking whether a question waits for its answer
   * @param {import("./settings.js").Settings} settings
   */
  constructor(act, asking, settings) {
    this.act = act;
    this.asking = asking;
    this.settings = settings;
    this.byPointer = false;
    this.pressed = false; // whether a pointer is down
    this.taken = false; // whether the key that is down belongs to the stage
    this.listeners = new AbortController();
    const how = { capture: true, signal: this.listeners.signal };
    document.addEventListener("pointerdown", () => this.press(), how);
    document.addEventListener("pointerup", () => requestAnimationFrame(() => this.release()), how);
    document.addEventListener("focusin", () => this.focused(), how);
    document.addEventListener("keydown", (event) => this.down(event), how);
    document.addEventListener("keyup", (event) => this.up(event), how);
  }

  press() {
    this.byPointer = this.pressed = true;
    delete document.documentElement.dataset.tabbed;
  }

  // A slider that a pointer has moved gives the focus back: no key acts while a slider has it.
  release() {
    this.pressed = false;
    const focused = /** @type {any} */ (document.activeElement);
    if (this.byPointer && focused?.matches(SLIDER)) focused.blur();
  }

  // What gets the focus while no pointer is down got it by the keyboard.
  focused() {
    if (!this.pressed) this.byPointer = false;
  }

  /** @param {any} event */
  down(event) {
    const { key, ctrlKey, metaKey } = event;
    if (key === "Tab") document.documentElement.dataset.tabbed = "";
    if (isSingle(key) && !ctrlKey && !metaKey && !this.settings.single) return;
    const asked = meaning(event, this.byPointer, this.asking());
    this.taken = Boolean(asked && this.act(asked));
    if (this.taken) this.swallow(event);
  }

  // A button is pressed when the space key comes up, so that event is stopped too.
  /** @param {KeyboardEvent} event */
  up(event) {
    if (this.taken && event.key === " ") this.swallow(event);
  }

  /** @param {KeyboardEvent} event */
  swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  destroy() {
    this.listeners.abort();
  }
}
