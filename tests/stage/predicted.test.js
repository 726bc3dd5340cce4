import assert from "node:assert/strict";
import test from "node:test";

import { predictedAt } from "../../pages/_shared/stage/predicted.js";
import { regions } from "./made.js";

const curve = (name, x, y) => ({ type: "scatter", mode: "lines", name, x, y });
const layout = { xaxis: { title: { text: "age" } }, yaxis: { title: { text: "height" } } };

test("a region is called by its class, and a place outside has none", async () => {
  const figure = regions([[0, 1, 2], [3, 3, 3]], [0, 0, 1, -1]);
  const at = (x, y, classes = null) => predictedAt(figure, [x, y], classes);
  assert.equal(await at(1.5, 0.5), "predicted class 1");
  assert.equal(await at(2.99, 0.01), "predicted class 2");
  assert.equal(await at(2.5, 0.5, ["yes", "no"]), "predicted class no");
  assert.equal(await at(0.5, 1.5), ""); // a cell of no class
  assert.equal(await at(3, 0), "predicted class 2"); // a handle stops on the edge
  assert.equal(await at(3.5, 0.5), "");
  assert.equal(await at(-0.1, 0.5), "");
});

test("where there are no regions, the first curve with a name and one height at every x", async () => {
  const data = [curve("", [0, 1, 2], [9, 9, 9]), curve("a loop", [0, 1, 0], [0, 1, 2]), curve("f", [0, 1, 2], [0, 4, 6])];
  assert.equal(await predictedAt({ data, layout }, [1.5, 0], null), "f: height 5");
  assert.equal(await predictedAt({ data, layout }, [7, 0], null), "");
  assert.equal(await predictedAt({ data, layout }, [1.5, 0], ["yes", "no"]), ""); // a border, not a curve
  assert.equal(await predictedAt(undefined, [0, 0], null), "");
});

test("a picture that only looks like regions predicts nothing", async () => {
  const heat = { ...regions([[0, 1, 2]]).data[0], meta: undefined };
  const answer = { ...heat, meta: "answer" };
  assert.equal(await predictedAt({ data: [heat, answer], layout }, [0.5, 0.5], null), "");
});
