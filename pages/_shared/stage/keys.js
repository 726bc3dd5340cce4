// What the keys do, wherever on the page they are pressed.

const PLAYER_KEYS = {
  " ": "play",
  ArrowRight: "step",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  "[": "previous event",
  "]": "next event",
  "+": "closer",
  "-": "farther",
};

const TOOL_KEYS = { a: "add", b: "brush", m: "move", e: "erase", l: "relabel", Escape: "look" };

// These keep their keys for themselves.
const BUSY =
  "input:not(.scrub), textarea, select, [contenteditable], [role=slider], [role=combobox], " +
  "[role=listbox], [role=menu], [role=tablist], [role=dialog], [data-baseweb=popover]";

/**
 * What a key asks for: {do: action}, {tool} or {label: class}; null if it is not the stage's.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean,
 *   target: any}} event
 */
export function meaning({ key, ctrlKey, metaKey, altKey, shiftKey, target }) {
  if (target.closest?.(BUSY)) return null;
  if (target.matches?.(".scrub") && /^(Arrow|Home|End)/.test(key)) return null;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) {
    if (letter === "y" || (letter === "z" && shiftKey)) return { do: "redo" };
    return letter === "z" ? { do: "undo" } : null;
  }
  if (altKey) return null;
  if (key === " " && target.closest?.("button, a, summary, label")) return null; // presses that
  if (key in PLAYER_KEYS) return { do: PLAYER_KEYS[key] };
  if (letter in TOOL_KEYS) return { tool: TOOL_KEYS[letter] };
  if (/^[1-8]$/.test(key)) return { label: key - 1 };
  return null;
}
