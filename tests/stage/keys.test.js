import assert from "node:assert/strict";
import test from "node:test";

import { keyMove } from "../../pages/_shared/stage/grips.js";
import { meaning } from "../../pages/_shared/stage/keys.js";

const page = { closest: () => null, matches: () => false };
const within = (...names) => ({
  closest: (list) => names.some((name) => list.split(", ").includes(name)) || null,
  matches: (name) => names.includes(name),
});
const press = (key, more = {}) => meaning({ key, target: page, ...more });

test("the player's keys", () => {
  const keys = [" ", "ArrowRight", "ArrowLeft", "Home", "End", "[", "]", "+", "-"];
  assert.deepEqual(keys.map((key) => press(key).do), [
    "play", "step", "back", "first", "last", "previous event", "next event", "closer", "farther",
  ]);
});

test("tools and classes", () => {
  const keys = ["a", "B", "m", "E", "l", "Escape"];
  const tools = ["add", "brush", "move", "erase", "relabel", "look"];
  assert.deepEqual(keys.map((key) => press(key).tool), tools);
  assert.deepEqual(press("1"), { label: 0 });
  assert.deepEqual(press("8"), { label: 7 });
  assert.equal(press("9"), null);
  assert.equal(press("x"), null);
});

test("undo and redo, as on every system", () => {
  const control = { ctrlKey: true };
  assert.deepEqual(press("z", control), { do: "undo" });
  assert.deepEqual(press("y", control), { do: "redo" });
  assert.deepEqual(press("Z", { ...control, shiftKey: true }), { do: "redo" });
  assert.deepEqual(press("z", { metaKey: true }), { do: "undo" });
  assert.equal(press("a", control), null);
  assert.equal(press("a", { altKey: true }), null);
});

test("fields, menus and buttons keep their keys", () => {
  assert.equal(press("a", { target: within("textarea") }), null);
  assert.equal(press("ArrowLeft", { target: within("[role=slider]") }), null);
  assert.equal(press(" ", { target: within("button") }), null);
  assert.deepEqual(press("a", { target: within("button") }), { tool: "add" });
  assert.deepEqual(press("ArrowLeft", { target: within(".scrub") }), null);
  assert.deepEqual(press("]", { target: within(".scrub") }), { do: "next event" });
  assert.deepEqual(press("a", { target: {} }), { tool: "add" }); // the document itself
});

test("arrows move a place in the directions that are allowed", () => {
  const move = (key, along, shiftKey = false) => keyMove({ key, shiftKey }, along);
  assert.deepEqual(move("ArrowUp"), { u: 0, v: 0.02 });
  assert.deepEqual(move("ArrowLeft", "x", true), { u: -0.1, v: 0 });
  assert.equal(move("ArrowUp", "x"), null);
  assert.equal(move("ArrowRight", "y"), null);
  assert.equal(move("Enter"), null);
});
