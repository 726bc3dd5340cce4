// A quiz in the room: a number of questions in a row, set before the first one. After each answer the
// next question of the run opens in the room, and after the last one the score comes by itself.

export const LENGTHS = ["1", "3", "5", "10"]; // questions

/** @typedef {{first: number, length: number}} Series first: the room's number of its first question */

/** Return the place of the room's question in a series, from 1; 0 if it belongs to none. @param {Series | null} series @param {number} number */
export function placeIn(series, number) {
  const place = series ? number - series.first + 1 : 0;
  return series && place >= 1 && place <= series.length ? place : 0;
}

/** Return whether the shown answer is followed by another question. @param {Series | null} series @param {any} told the state of the room */
export const goesOn = (series, { phase, number }) => phase === "revealed" && placeIn(series, number) > 0 && placeIn(series, number) < (series?.length ?? 0);

/** Return whether the shown answer was the last one. @param {Series | null} series @param {any} told the state of the room */
export const isOver = (series, { phase, number }) => phase === "revealed" && series !== null && placeIn(series, number) === series.length;
