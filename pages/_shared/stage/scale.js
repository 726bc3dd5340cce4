// Enlarging figures. Figures are made for a stage of the usual size; on a larger one type, strokes
// and margins grow with it. Lengths in units of the data stay.

const SIZES = {
  marker: ["size"],
  line: ["width"],
  margin: ["l", "r", "t", "b"],
  title: ["standoff"],
  annotations: ["ax", "ay", "xshift", "yshift", "arrowwidth", "standoff"],
};

/** The attributes in pixels, by the part of a figure. */
function sizesOf(part) {
  if (/font$/.test(part)) return ["size"];
  if (/^[xy]axis\d*$/.test(part)) return ["ticklen"];
  return SIZES[part] ?? [];
}

function times(value, scale) {
  if (typeof value === "number") return value * scale;
  return Array.isArray(value) ? value.map((each) => times(each, scale)) : value;
}

/**
 * Return a copy of a figure, or of a part of one, with every length in pixels `scale` times as
 * large.
 * @param {any} tree
 * @param {number} scale
 * @param {string} [part] what Plotly calls it
 */
export function enlarged(tree, scale, part = "") {
  if (scale === 1) return tree; // the same object, so that Plotly need not look for changes
  if (Array.isArray(tree)) {
    const parts = tree.some((each) => each !== null && typeof each === "object");
    return parts ? tree.map((each) => enlarged(each, scale, part)) : tree;
  }
  if (tree === null || typeof tree !== "object" || tree.bdata !== undefined) return tree;
  const sizes = sizesOf(part);
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      sizes.includes(name) ? times(value, scale) : enlarged(value, scale, name),
    ]),
  );
}
