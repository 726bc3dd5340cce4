// Lines and words in some of the palette's colours do not show on the paper: on the dark paper the
// darkest are drawn lighter, on the light paper the palest darker. Points need neither, because their
// outline is ink; nor do words on marks.

/** @typedef {import("./protocol.js").Ink} Ink what replaces a colour of the palette on the paper */

/** @type {WeakMap<Ink, WeakMap<object, object>>} */
const recoloured = new WeakMap(); // steps share most of their traces
const LINED = ["line", "error_y", "marker"];

/**
 * @param {object[]} traces
 * @param {Ink} inks
 */
export const litTraces = (traces, inks) =>
  traces.map((trace) => remembered(trace, inks, () => litTrace(trace, inks)));

/**
 * @param {object} layout
 * @param {Ink} inks
 */
export function litLayout(layout, inks) {
  const { annotations = [], shapes = [] } = layout;
  return remembered(layout, inks, () => ({
    ...layout,
    annotations: inked(annotations, inks.words),
    shapes: inked(shapes, inks.lines),
  }));
}

function remembered(part, inks, make) {
  if (!recoloured.has(inks)) recoloured.set(inks, new WeakMap());
  const known = recoloured.get(inks);
  if (!known?.has(part)) known?.set(part, make());
  return known?.get(part);
}

function litTrace(trace, inks) {
  const { type = "scatter", mode, text } = trace;
  if (type !== "scatter" && type !== "bar") return trace;
  const marked = mode?.includes("markers+text"); // words on marks
  const names = LINED.filter((name) => trace[name] && !(marked && name === "marker"));
  const parts = names.map((name) => [name, inked(trace[name], inks.lines)]);
  const onPaper = marked && !trace.textposition ? {} : inks.words;
  const font = trace.textfont ? { textfont: inked(trace.textfont, onPaper) } : {};
  const said = text ? { text: inked(text, onPaper) } : {};
  return { ...trace, ...Object.fromEntries(parts), ...font, ...said };
}

// Colours stand alone, in lists and in the HTML of words; typed arrays have none.
function inked(tree, table) {
  if (typeof tree === "string") {
    return tree.replace(/#[0-9a-f]{6}/gi, (color) => table[color] ?? color);
  }
  if (Array.isArray(tree)) return tree.map((each) => inked(each, table));
  if (tree === null || typeof tree !== "object" || tree.bdata !== undefined) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([name, part]) => [name, inked(part, table)]),
  );
}
