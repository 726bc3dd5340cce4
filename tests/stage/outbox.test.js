import assert from "node:assert/strict";
import test from "node:test";

import { PATIENCE, Outbox } from "../../pages/_shared/stage/outbox.js";

function heard() {
  const told = [];
  const outbox = new Outbox();
  outbox.setStateValue = (what, value) => told.push([what, value]);
  return { outbox, told };
}

test("what moves is told as often as there is an answer, and never late", () => {
  const { outbox, told } = heard();
  for (const value of [1, 2, 3]) outbox.sendLatest("live", value);
  assert.deepEqual(told, [["live", 1]]);
  outbox.answered();
  assert.deepEqual(told, [["live", 1], ["live", 3]]);
  outbox.answered();
  assert.equal(told.length, 2);
  outbox.answered();
});

test("what has come to rest is not told of any more", () => {
  const { outbox, told } = heard();
  outbox.sendLatest("live", 1);
  outbox.sendLatest("live", 2);
  outbox.forgetLatest();
  outbox.answered();
  assert.deepEqual(told, [["live", 1]]);
});

/** Streamlit's page, as far as it tells what Python is at. */
function page(testScriptState, testConnectionState) {
  const dataset = { testScriptState, testConnectionState };
  globalThis.document = { querySelector: () => ({ dataset }) };
}

test("Python is told of what was done until it answers", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => delete globalThis.document);
  page("notRunning", "CONNECTED");
  const { outbox, told } = heard();
  outbox.send("edits", 1);
  outbox.send("places", 2); // does not take the edits' turn
  context.mock.timers.tick(PATIENCE);
  assert.deepEqual(told, [["edits", 1], ["places", 2], ["edits", 1], ["places", 2]]);
  context.mock.timers.tick(2 * PATIENCE);
  assert.equal(told.length, 6);
  outbox.answered();
  context.mock.timers.tick(20 * PATIENCE);
  assert.equal(told.length, 6);
  outbox.remind("edits", 3);
  context.mock.timers.tick(PATIENCE - 1);
  assert.equal(told.length, 6);
  for (let i = 0; i < 200; i++) context.mock.timers.tick(PATIENCE); // and some day it gives up
  assert.equal(told.length, 11);
});

test("Python is told again what it has not answered, unless it is at work on it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => delete globalThis.document);
  const { outbox, told } = heard();
  page("running", "CONNECTED");
  outbox.send("edits", 1);
  context.mock.timers.tick(12 * PATIENCE);
  assert.equal(told.length, 1);
  page("running", "PINGING_SERVER");
  context.mock.timers.tick(PATIENCE);
  assert.equal(told.length, 2);
  page("notRunning", "CONNECTED");
  context.mock.timers.tick(2 * PATIENCE);
  assert.equal(told.length, 3);
  outbox.answered();
  context.mock.timers.tick(100 * PATIENCE);
  assert.equal(told.length, 3);
});

test("a move is told of again until Python has heard of it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => delete globalThis.document);
  page("notRunning", "CONNECTED");
  const { outbox, told } = heard();
  for (const x of [1, 2, 3]) outbox.move({ name: "centers", places: [[x, 0]], moving: false });
  const [first, , third] = told.map(([, { number }]) => number);
  assert.equal(third, first + 2);
  outbox.answered();
  outbox.heardMove(first); // the answer to the first
  assert.equal(outbox.unheard.number, third);
  context.mock.timers.tick(PATIENCE);
  assert.deepEqual(told[3], ["places", { name: "centers", places: [[3, 0]], moving: false, number: third }]);
  outbox.answered();
  outbox.heardMove(third);
  assert.equal(outbox.unheard, null);
  outbox.heardMove(0); // a server that was started again has heard of none, and needs none
  context.mock.timers.tick(20 * PATIENCE);
  assert.equal(told.length, 4);
});
