import assert from "node:assert/strict";
import test from "node:test";

import { Fork } from "../../pages/_shared/stage/fork.js";
import { openPage } from "./page.js";

function made(now) {
  const root = openPage();
  const heard = [];
  const player = { at: 4, pause: () => heard.push("paused"), goByHand: (step) => heard.push(step) };
  const fork = new Fork(root, player, { send: (what, value) => heard.push([what, value]) });
  fork.set(now);
  return { fork, heard, button: root.querySelector("[data-do=fork]") };
}

test("asking pauses the player; each time is another message", () => {
  const { fork, heard, button } = made({ forks: true, fork: 0 });
  fork.ask();
  fork.ask();
  assert.deepEqual(heard, [
    "paused", ["fork", { step: 4, number: 1 }], "paused", ["fork", { step: 4, number: 2 }],
  ]);
  assert.equal(button.hidden, false);
  assert.equal(button.attributes["aria-pressed"], "false");
});

test("where no step can be done differently there is no button, and its key does nothing", () => {
  const { fork, heard, button } = made({ forks: false, fork: 0 });
  fork.ask();
  assert.deepEqual(heard, []);
  assert.ok(button.hidden);
});

test("a point that is dragged before the forked step leads there", () => {
  const before = made({ forks: true, fork: 7 });
  before.fork.carry({ op: "move", index: 2, to: [1, 2] });
  assert.deepEqual(before.heard, [7, ["carried", { index: 2, to: [1, 2], number: 1 }]]);
  const after = made({ forks: true, fork: 3 });
  after.fork.carry({ op: "move", index: 2, to: [1, 2] });
  assert.deepEqual(after.heard, [["carried", { index: 2, to: [1, 2], number: 1 }]]);
});
