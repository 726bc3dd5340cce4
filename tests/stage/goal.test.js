import assert from "node:assert/strict";
import test from "node:test";

import { Goal } from "../../pages/_shared/stage/goal.js";
import { Part, openPage } from "./page.js";

const ASKED = { name: "goal_k_means_a", text: "Find four.", hint: "Look.", reached: false };

// A stage with a goal, in a browser that remembers some.
function made(kept = [], storage = {}) {
  const root = openPage();
  const said = [];
  document.head = new Part("head");
  globalThis.CSS = { escape: (name) => name };
  globalThis.localStorage = { getItem: () => JSON.stringify(kept), setItem: (_, text) => kept.splice(0, Infinity, ...JSON.parse(text)), ...storage };
  const goal = new Goal(root, { say: (what) => said.push(what) });
  return { goal, said, kept };
}

test("a goal that is reached is told once, remembered, and ticked in the list", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { goal, said, kept } = made();
  goal.show(ASKED);
  assert.deepEqual([goal.mark.textContent, goal.text.textContent, said], ["☐ Goal:", "Find four.", []]);
  goal.show({ ...ASKED, reached: true });
  goal.show({ ...ASKED, reached: true }); // a rerun
  assert.deepEqual(said, ["Goal reached: Find four"]);
  assert.deepEqual(kept, [ASKED.name]);
  assert.match(goal.style.textContent, /\.st-key-goal_k_means_a strong::before/);
  goal.show(ASKED);
  assert.equal(goal.mark.textContent, "✓ Goal, reached before:");
});

test("the hint is offered after a while, and not where the goal is reached", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { goal } = made();
  goal.show(ASKED);
  assert.equal(goal.button.hidden, true);
  t.mock.timers.tick(60_000);
  assert.equal(goal.button.hidden, false);
  goal.hint();
  assert.deepEqual([goal.button.hidden, goal.help.textContent], [true, "Hint: Look."]);
  goal.show({ ...ASKED, name: "another", reached: true });
  t.mock.timers.tick(60_000);
  assert.deepEqual([goal.button.hidden, goal.help.textContent], [true, ""]);
  goal.show(null);
  assert.equal(goal.line.hidden, true);
});

test("a browser that keeps nothing, or something else, shows goals all the same", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  for (const storage of [{ getItem: refuse, setItem: refuse }, { getItem: () => "{1" }, { getItem: () => '{"a":1}' }]) {
    const { goal, said } = made([], storage);
    goal.show({ ...ASKED, reached: true });
    assert.equal(said.length, 1);
    goal.destroy();
  }
});
