import assert from "node:assert/strict";
import test from "node:test";

import { keyMove } from "../../pages/_shared/stage/grips.js";
import { KEYS, Keys, meaning } from "../../pages/_shared/stage/keys.js";

const page = { closest: () => null, matches: () => false };
const named = (names, list) => names.some((name) => list.split(", ").includes(name));
const within = (...names) => ({
  closest: (list) => named(names, list) || null,
  matches: (list) => named(names, list),
});
const press = (key, more = {}, byPointer = false) =>
  meaning({ key, target: page, ...more }, byPointer);

test("the player's keys", () => {
  const keys = [" ", "ArrowRight", "ArrowLeft", "Home", "End", "[", "]", "+", "-", "?", "o", "V"];
  assert.deepEqual(keys.map((key) => press(key).do), [
    "play", "step", "back", "first", "last", "previous event", "next event", "closer", "farther",
    "help", "loop", "stop at events",
  ]);
});

test("the lesson's keys, also while a question waits; text fields keep them", () => {
  const keys = ["t", ".", ","];
  const asked = ["answer", "next situation", "previous situation"];
  assert.deepEqual(keys.map((key) => press(key).do), asked);
  assert.deepEqual(keys.map((key) => meaning({ key, target: page }, false, true).do), asked);
  const field = { closest: () => true, matches: () => false };
  assert.deepEqual(keys.map((key) => press(key, { target: field })), [null, null, null]);
  const listed = KEYS.map(([each]) => each).join(" ").split(" ");
  for (const key of ["T", ".", ","]) assert.ok(listed.includes(key), key);
});

test("tools and classes", () => {
  const keys = ["a", "B", "S", "m", "E", "l", "Escape"];
  const tools = ["add", "brush", "spray", "move", "erase", "relabel", "look"];
  assert.deepEqual(keys.map((key) => press(key).tool), tools);
  assert.deepEqual(press("1"), { label: 0 });
  assert.deepEqual(press("8"), { label: 7 });
  assert.equal(press("9"), null);
  assert.equal(press("x"), null);
});

test("the list of keys has all of them", () => {
  const listed = KEYS.map(([keys]) => keys).join(" ").split(" ");
  for (const key of ["Space", "←", "→", "Home", "End", "[", "]", "+", "−", "?", "O", "V", "Esc"]) {
    assert.ok(listed.includes(key), key);
  }
  for (const key of "ABSMEL") assert.ok(listed.includes(key), key);
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

test("text and open menus keep all keys, whatever gave them the focus", () => {
  for (const name of ["textarea", "[role=listbox]", "dialog[open]", "[data-baseweb=popover]"]) {
    const target = within(name);
    for (const key of [" ", "ArrowRight", "a", "?"]) {
      assert.equal(press(key, { target }), null);
      assert.equal(press(key, { target }, true), null);
    }
  }
});

test("a menu that is closed keeps its letters only", () => {
  const target = within("[contenteditable]", "[role=combobox][aria-expanded=false]");
  assert.deepEqual(press(" ", { target }), { do: "play" });
  assert.deepEqual(press("ArrowRight", { target }), { do: "step" });
  assert.equal(press("a", { target }), null);
});

test("space plays on buttons, too; boxes that only space can press keep it", () => {
  assert.deepEqual(press(" ", { target: within("button") }), { do: "play" });
  assert.equal(press(" ", { target: within("[type=checkbox]") }), null);
  assert.deepEqual(press(" ", { target: within("[type=checkbox]") }, true), { do: "play" });
  assert.equal(press("Enter", { target: within("button") }), null);
});

test("what the keyboard has led to keeps the arrows, what a pointer has touched does not", () => {
  for (const name of ["[type=range]", "[role=slider]", "[role=tablist]", ".handle"]) {
    const target = within(name);
    assert.equal(press("ArrowLeft", { target }), null);
    assert.equal(press("End", { target }), null);
    assert.deepEqual(press("ArrowLeft", { target }, true), { do: "back" });
    assert.deepEqual(press("]", { target }), { do: "next event" });
  }
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

test("while there is a question, letters and numbers answer it", () => {
  const asked = (key, more = {}) => meaning({ key, target: page, ...more }, false, true);
  assert.deepEqual(["a", "B", "c", "5"].map((key) => asked(key).answer), [0, 1, 2, 4]);
  assert.deepEqual(asked("6"), { label: 5 });
  assert.deepEqual(asked("m"), { tool: "move" });
  assert.equal(asked("a", { ctrlKey: true }), null);
  assert.equal(asked("a", { target: within("textarea") }), null);
  assert.deepEqual(press("q"), { do: "predict" });
  assert.equal(press(" ", { target: within(".quiz button") }), null);
});

test("letters and digits are not the stage's while the keyboard is on a slider", () => {
  for (const name of ["[role=slider]", "[type=range]"]) {
    const target = within(name);
    for (const key of ["p", "Q", "1"]) assert.equal(press(key, { target }), null);
  }
  assert.equal(press("]", { target: within("[data-testid=stSidebar] [type=range]") }), null);
});

test("a slider gives the focus back when a pointer lets it go, and keeps it otherwise", () => {
  globalThis.document = { addEventListener: () => {}, documentElement: { dataset: {} } };
  const keys = new Keys(() => true, () => false, { single: true });
  let blurred = 0;
  const focus = (name) => (document.activeElement = { ...within(name), blur: () => blurred++ });
  focus("[type=range]");
  keys.release();
  assert.equal(blurred, 0); // the pointer was elsewhere
  keys.press();
  keys.release();
  assert.equal(blurred, 1);
  focus("textarea");
  keys.press();
  keys.release();
  assert.equal(blurred, 1);
});

test("whether somebody goes from control to control is known: by Tab, until a pointer is down", () => {
  const { dataset } = (globalThis.document = { addEventListener: () => {}, documentElement: { dataset: {} } }).documentElement;
  const keys = new Keys(() => false, () => false, { single: true });
  keys.down({ key: "p", target: page });
  assert.ok(!("tabbed" in dataset));
  keys.down({ key: "Tab", target: page });
  assert.ok("tabbed" in dataset);
  keys.press();
  assert.ok(!("tabbed" in dataset));
});

test("single keys can be switched off; arrows, space and undo stay", () => {
  globalThis.document = { addEventListener: () => {} };
  const asked = [];
  const settings = { single: false };
  const keys = new Keys((what) => asked.push(what), () => false, settings);
  const down = (key, more) =>
    keys.down({ key, target: page, preventDefault() {}, stopPropagation() {}, ...more });
  for (const key of ["p", "?", "1", "["]) down(key);
  assert.deepEqual(asked, []);
  down("ArrowRight");
  down(" ");
  down("z", { ctrlKey: true });
  assert.deepEqual(asked, [{ do: "step" }, { do: "play" }, { do: "undo" }]);
  settings.single = true;
  down("p");
  assert.deepEqual(asked.at(-1), { do: "present" });
});
