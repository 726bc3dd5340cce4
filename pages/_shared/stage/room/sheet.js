// The sheet that a room draws on: the picture with its points alone, and the places to begin with.

import { pictureFor } from "./question.js";

/**
 * Write the sheet for the server.
 * @param {HTMLElement} stage
 * @param {import("../panel.js").Panel} panel of the picture, which shows all of it and nothing but points
 * @param {import("../protocol.js").Drawing} drawing
 */
export async function sheetFor(stage, panel, { task, shape, names, start, measure }) {
  const { x, y } = panel.plot.axes;
  const places = start.map((place) => {
    const { u, v } = panel.plot.toShare(place);
    return [u, v];
  });
  const picture = await pictureFor(stage, panel, "draw");
  return { way: "draw", text: task, shape, names, start: places, measure, axes: [...x.range, ...y.range], ...picture };
}
