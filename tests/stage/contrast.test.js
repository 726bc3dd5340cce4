import assert from "node:assert/strict";
import test from "node:test";

import { litLayout, litTraces } from "../../pages/_shared/stage/contrast.js";

const table = { "#0072B2": "#1F85DC" };
const inks = { words: table, lines: table };
const blue = "#0072B2";

test("lines, their marks, bars and words on the paper take other inks; marks with words do not", () => {
  const packed = { dtype: "f4", bdata: "AAAA" };
  const traces = [
    { x: packed, mode: "lines", line: { color: blue, width: 2 }, marker: { color: [blue, "red"] } },
    { mode: "text", text: [`<b style="color:${blue}">w</b>`], textfont: { color: blue } },
    { mode: "markers+text", text: ["1"], marker: { color: blue } },
    { type: "bar", marker: { color: blue } },
    { mode: "markers+text", text: ["name"], textposition: "top right", textfont: { color: blue } },
    { type: "image" },
  ];
  const [line, words, mark, bar, beside, image] = litTraces(traces, inks);
  assert.deepEqual(line.line, { color: "#1F85DC", width: 2 });
  assert.deepEqual(line.marker, { color: ["#1F85DC", "red"] });
  assert.equal(line.x, packed);
  assert.deepEqual(words.text, ['<b style="color:#1F85DC">w</b>']);
  assert.equal(words.textfont.color, "#1F85DC");
  assert.deepEqual(mark.marker, { color: blue });
  assert.equal(bar.marker.color, "#1F85DC");
  assert.equal(beside.textfont.color, "#1F85DC");
  assert.equal(image, traces[5]);
  assert.equal(litTraces(traces, inks)[0], line); // Plotly need not look for what has changed
  assert.equal(litTraces(traces, { words: {}, lines: {} })[0].line.color, blue); // on another paper
});

test("annotations and shapes take other inks", () => {
  const layout = { annotations: [{ font: { color: blue } }], xaxis: { range: [0, 1] } };
  const lit = litLayout(layout, inks);
  assert.equal(lit.annotations[0].font.color, "#1F85DC");
  assert.equal(lit.xaxis, layout.xaxis);
  assert.equal(litLayout(layout, inks), lit);
});
