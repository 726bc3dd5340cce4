import assert from "node:assert/strict";
import test from "node:test";

import { described } from "../../pages/_shared/stage/tips.js";
import { Tools, scattered, toolInHand } from "../../pages/_shared/stage/tools.js";

test("a spray scatters as a Gaussian does, with the same spread in both directions", () => {
  const shares = Array.from({ length: 200 }, (_, i) => (i + 0.5) / 200);
  const places = shares.flatMap((turn) => shares.map((far) => scattered([3, -1], 2, turn, far)));
  for (const [axis, middle] of [[0, 3], [1, -1]]) {
    const offsets = places.map((place) => place[axis] - middle);
    const mean = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length;
    const variance = offsets.reduce((sum, offset) => sum + offset ** 2, 0) / offsets.length;
    assert.ok(Math.abs(mean) < 1e-9);
    assert.ok(Math.abs(variance - 4) < 0.05, `${variance}`);
  }
});

test("a point tells its class and where it is", () => {
  const point = { x: 1.23456, y: -2, label: 1 };
  const told = described(point, ["cat", "dog"], ["height", "weight"]);
  assert.equal(told, "dog: height 1.235, weight -2");
  assert.equal(described(point, null, ["x", "y"]), "x 1.235, y -2");
});

test("while a run goes otherwise the mouse that looks takes hold of a point", () => {
  assert.equal(toolInHand("look", true, "mouse", true), "move");
  assert.equal(toolInHand("look", true, "pen", true), "move");
  assert.equal(toolInHand("look", true, "touch", true), "look"); // a finger moves the page
  assert.equal(toolInHand("look", true, "mouse", false), "look"); // no point is there
  assert.equal(toolInHand("look", false, "mouse", true), "look");
  assert.equal(toolInHand("erase", true, "mouse", true), "erase");
});

// A tool that has just been let go, without a picture.
function letGo(carries, stroke) {
  const heard = [];
  const points = [{ x: 0, y: 0 }, { x: 1, y: 1 }];
  const edits = { points, limit: 9, add: ({ op }) => heard.push(`edit: ${op}`) };
  const told = {
    changed: () => {},
    send: () => heard.push("sent"),
    carry: ({ index, to }) => heard.push(`carried: ${index} to ${to}`),
  };
  const nothing = { drawn: [], touched: new Set() };
  const tools = Object.create(Tools.prototype);
  Object.assign(tools, { carries, edits, told, held: null, stroke: { ...nothing, ...stroke } });
  tools.finish();
  return { heard, tools };
}

test("a point that is dragged while a run goes otherwise is moved there and not in the data", () => {
  const dragged = { tool: "move", index: 1, to: [5, 6] };
  const { heard, tools } = letGo(true, dragged);
  assert.deepEqual(heard, ["carried: 1 to 5,6"]);
  assert.deepEqual([tools.points[1].x, tools.points[1].y], [5, 6]); // until Python answers
  tools.setPaintable(true, 0);
  assert.deepEqual([tools.points[1].x, tools.points[1].y], [1, 1]);
  assert.deepEqual(letGo(false, dragged).heard, ["edit: move", "sent"]);
});

test("a point that is clicked is taken, follows the pointer, and is put with the next click", () => {
  const { heard, tools } = letGo(false, { tool: "erase" });
  const faded = [];
  Object.assign(tools, {
    tool: "move", plot: { ready: true, share: ({ clientX, clientY }) => ({ u: clientX / 100, v: clientY / 100 }),
      toData: ({ u, v }) => [u, v], layer: { points: { children: [{ pixel: [20, 20] }] }, fade: (i) => faded.push(i) },
      axes: { x: { _length: 100, range: [0, 1] }, y: { _length: 100, range: [1, 0] } } },
    picture: { focus: () => {} }, showCross: () => {}, settings: { label: 0 },
  });
  tools.near = () => [0];
  tools.edits.known = true;
  const at = (clientX, clientY) => ({ clientX, clientY, button: 0, isPrimary: true, pointerType: "mouse",
    target: { closest: () => null }, preventDefault: () => {} });
  tools.down(at(20, 20));
  tools.up(at(21, 20));
  assert.deepEqual([heard, faded], [[], [0]]);
  tools.up(at(300, 20)); // a button is pressed meanwhile
  tools.drag(at(50, 50));
  assert.deepEqual([tools.points[0].x, tools.points[0].y], [0.5, 0.5]);
  tools.down(at(70, 80));
  tools.up(at(70, 80));
  assert.deepEqual(heard, ["edit: move", "sent"]);
  tools.down(at(20, 20));
  tools.up(at(20, 20));
  tools.letGo(); // another tool is chosen: the point stays where it was
  tools.up(at(20, 20));
  assert.equal(heard.length, 2);
});

test("all other strokes are edits of the data while a run goes otherwise, too", () => {
  const erased = letGo(true, { tool: "erase", touched: new Set([0]) });
  assert.deepEqual(erased.heard, ["edit: erase", "sent"]);
  assert.equal(erased.tools.held, null);
  assert.deepEqual(letGo(true, { tool: "move", index: 1 }).heard, []); // not moved at all
});
