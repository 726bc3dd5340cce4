// Where a place is, in words: as its axes are called.

/**
 * @param {import("./plot.js").Plot} plot
 * @param {number[]} place in data
 * @param {string} [along] the directions that count: "xy", "x" or "y"
 */
export function placeInWords({ axes: { x, y } }, [px, py], along = "xy") {
  const digits = (/** @type {number} */ value) => String(+value.toPrecision(3)).replace("-", "−");
  const across = `${x.title?.text || "x"} ${digits(px)}`;
  const up = `${y.title?.text || "y"} ${digits(py)}`;
  if (along === "xy") return `${across}, ${up}`;
  return along === "x" ? across : up;
}
