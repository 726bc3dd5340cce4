// Lines and words in the palette's darkest colours would be invisible on the dark paper, so they
// are drawn in lighter ones. Points keep their colours because they have a light outline; so do
// bars, and words on marks.

const recoloured = new WeakMap(); // cached, because steps share most of their traces
const INKED = ["line", "textfont", "error_y", "marker"];

/**
 * @param {object[]} traces
 * @param {Object<string, string>} lighter by colour
 */
export const litTraces = (traces, lighter) =>
  lighter ? traces.map((trace) => remembered(trace, () => litTrace(trace, lighter))) : traces;

/** @param {object} layout */
export function litLayout(layout, lighter) {
  if (!lighter) return layout;
  const { annotations = [], shapes = [] } = layout;
  const lit = { annotations: lighten(annotations, lighter), shapes: lighten(shapes, lighter) };
  return remembered(layout, () => ({ ...layout, ...lit }));
}

function remembered(part, make) {
  if (!recoloured.has(part)) recoloured.set(part, make());
  return recoloured.get(part);
}

function litTrace(trace, lighter) {
  if ((trace.type ?? "scatter") !== "scatter") return trace;
  const marked = trace.mode?.includes("markers+text"); // words on marks
  const names = INKED.filter((name) => trace[name] && !(marked && name === "marker"));
  const parts = names.map((name) => [name, lighten(trace[name], lighter)]);
  const said = trace.text ? { text: lighten(trace.text, lighter) } : {};
  return { ...trace, ...Object.fromEntries(parts), ...said };
}

// A colour may be a string, be in a list, or be in the HTML of a text; typed arrays hold none.
function lighten(tree, lighter) {
  if (typeof tree === "string") {
    return tree.replace(/#[0-9a-f]{6}/gi, (color) => lighter[color] ?? color);
  }
  if (Array.isArray(tree)) return tree.map((each) => lighten(each, lighter));
  if (tree === null || typeof tree !== "object" || tree.bdata !== undefined) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([name, part]) => [name, lighten(part, lighter)]),
  );
}
