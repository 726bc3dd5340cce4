// Where a place is, in words: as its axes are called.

import { called, labelled, named } from "./readings.js";

/**
 * Return the names of a plot's first two axes: "x" and "y" if they have none. They come from the
 * figure, as Plotly's own axes hold a placeholder for a missing title.
 * @param {{figure: any}} plot
 */
export const axisNames = ({ figure }) =>
  ["x", "y"].map((letter) => called(figure?.layout[`${letter}axis`] ?? {}) || letter);

/**
 * @param {import("./plot.js").Plot} plot
 * @param {number[]} place in data
 * @param {string} [along] the directions that count: "xy", "x" or "y"
 */
export function placeInWords(plot, place, along = "xy") {
  const { xaxis, yaxis } = plot.figure?.layout ?? {};
  const digits = (/** @type {any} */ value) => (typeof value === "number" ? String(+value.toPrecision(3)).replace("-", "−") : value);
  const names = axisNames(plot);
  const [across, up] = [xaxis, yaxis].map((axis, i) => {
    const word = named(axis ?? {}, place[i]); // of a tick that has a word for its number
    return `${names[i]} ${digits(word === place[i] ? labelled(axis ?? {}, word) : word)}`;
  });
  if (along === "xy") return `${across}, ${up}`;
  return along === "x" ? across : up;
}
