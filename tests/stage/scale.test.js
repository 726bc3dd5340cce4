import assert from "node:assert/strict";
import test from "node:test";

import { enlarged } from "../../pages/_shared/stage/scale.js";

test("type, strokes and margins grow, what is in units of the data stays", () => {
  const packed = { dtype: "f4", bdata: "AAAA" };
  const figure = {
    data: [
      { x: packed, width: 0.8, marker: { size: [4, 6], color: "red", line: { width: 1 } } },
      { line: { width: 2, dash: "dot" }, textfont: { size: 12 }, xbins: { size: 3 } },
    ],
    layout: {
      margin: { l: 50, r: 6 },
      xaxis: { range: [0, 4], ticklen: 4, title: { text: "x", standoff: 6, font: { size: 15 } } },
      annotations: [{ x: 1, ax: 10, font: { size: 13 } }],
      shapes: [{ x0: 1, line: { width: 3 } }],
    },
  };
  assert.deepEqual(enlarged(figure, 2), {
    data: [
      { x: packed, width: 0.8, marker: { size: [8, 12], color: "red", line: { width: 2 } } },
      { line: { width: 4, dash: "dot" }, textfont: { size: 24 }, xbins: { size: 3 } },
    ],
    layout: {
      margin: { l: 100, r: 12 },
      xaxis: { range: [0, 4], ticklen: 8, title: { text: "x", standoff: 12, font: { size: 30 } } },
      annotations: [{ x: 1, ax: 20, font: { size: 26 } }],
      shapes: [{ x0: 1, line: { width: 6 } }],
    },
  });
  assert.equal(enlarged(figure, 2).data[0].x, packed); // not unpacked anew
});
