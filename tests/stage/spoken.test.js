import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { Spoken } from "../../pages/_shared/stage/spoken.js";

function made() {
  const said = [];
  const node = { set textContent(text) { said.push(text); }, get textContent() { return said.at(-1); } };
  return { spoken: new Spoken(node), said };
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

test("while a run plays, two announcements are two seconds apart, and the last step is said", () => {
  const { spoken, said } = made();
  for (let step = 1; step <= 40; step++) {
    spoken.step("The loss falls.", `step ${step} of 40`, null, true);
    mock.timers.tick(100);
  }
  assert.deepEqual(said.map((text) => +text.match(/step (\d+)/)[1]), [1, 21]);
  mock.timers.tick(2000);
  assert.equal(said.at(-1), "step 40 of 40. The loss falls.");
  assert.equal(said.length, 3);
});

test("an event is not overtaken by the steps after it", () => {
  const { spoken, said } = made();
  spoken.step("One.", "step 1 of 9", null, true);
  mock.timers.tick(100);
  spoken.step("Two.", "step 2 of 9", "a mistake", true);
  mock.timers.tick(100);
  spoken.step("Three.", "step 3 of 9", null, true);
  mock.timers.tick(2000);
  assert.deepEqual(said, ["step 1 of 9. One.", "step 2 of 9, a mistake. Two."]);
});

test("events that come faster than they can be said are said together", () => {
  const { spoken, said } = made();
  spoken.step("One.", "step 1 of 9", null, true);
  mock.timers.tick(100);
  for (const step of [2, 3, 4, 5]) {
    spoken.step(`Headline ${step}.`, `step ${step} of 9`, step === 4 ? null : "a mistake", true);
    mock.timers.tick(100);
    spoken.step(`Headline ${step}.`, `step ${step} of 9`, step === 4 ? null : "a mistake", true); // drawn again
  }
  mock.timers.tick(2000);
  const three = "step 2 of 9, a mistake; step 3 of 9, a mistake; step 5 of 9, a mistake. Headline 5.";
  assert.deepEqual(said, ["step 1 of 9. One.", three]);
  for (const step of [6, 7, 8, 9]) spoken.step("Later.", `step ${step} of 9`, "a mistake", true);
  mock.timers.tick(2000);
  assert.equal(said.at(-1), "step 7 of 9, a mistake; step 8 of 9, a mistake; step 9 of 9, a mistake. Later.");
});

test("steps by hand are said once the hand rests, and the same step only once", () => {
  const { spoken, said } = made();
  spoken.step("One.", "step 1 of 9", null, false);
  spoken.step("Two.", "step 2 of 9", null, false);
  mock.timers.tick(300);
  spoken.step("Two.", "step 2 of 9", null, false);
  mock.timers.tick(300);
  assert.deepEqual(said, ["step 2 of 9. Two."]);
});
