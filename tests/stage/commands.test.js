import assert from "node:assert/strict";
import test from "node:test";

import { Commands } from "../../pages/_shared/stage/commands.js";

// Commands to parts that note what they are asked for.
function made({ taken = false, classes = ["a", "b"] } = {}) {
  const heard = [];
  const note = (part, ...names) =>
    Object.fromEntries(names.map((name) => [name, (...what) => heard.push([part, name, ...what])]));
  const commands = new Commands({
    quiz: { ...note("quiz", "answer"), takes: () => taken },
    player: note("player", "do"),
    painting: { ...note("painting", "goBack", "closer", "farther", "choose", "setLabel"), classes },
    fork: note("fork", "ask"),
    help: { ...note("help", "open"), turn: (name) => name === "loop" },
    presenter: note("presenter", "toggle", "fold", "leave"),
    signs: { ...note("signs", "toggle"), classes: ["a"], close: () => false },
    tour: { ...note("tour", "begin"), end: () => false },
    strip: note("strip", "toggle"),
    room: { ...note("room", "toggle"), hideCode: () => false },
    lesson: note("lesson", "turn", "go", "end"),
    predictOffer: note("predictOffer", "offer"),
    words: note("words", "say"),
  });
  return { commands, heard };
}

function button(dataset) {
  return { target: { closest: () => (dataset ? { dataset } : null) } };
}

test("an action goes to the part that does it; all others are the player's", () => {
  const { commands, heard } = made();
  for (const action of ["undo", "closer", "fork", "present", "controls", "help", "step", "last"]) {
    commands.do(action);
  }
  assert.deepEqual(heard, [
    ["painting", "goBack", "undo"], ["painting", "closer"], ["fork", "ask"],
    ["presenter", "toggle"], ["presenter", "fold"], ["help", "open"],
    ["player", "do", "step"], ["player", "do", "last"],
  ]);
});

test("to play is an occasion to offer Predict, and nothing else is", () => {
  const { commands, heard } = made();
  for (const action of ["step", "play"]) commands.do(action);
  assert.deepEqual(heard, [["player", "do", "step"], ["player", "do", "play"], ["predictOffer", "offer"]]);
});

test("the lesson answers, and leads through its week", () => {
  const { commands, heard } = made();
  for (const action of ["answer", "next situation", "previous situation", "end situation"]) commands.do(action);
  assert.deepEqual(heard, [["lesson", "turn"], ["lesson", "go", "next"], ["lesson", "go", "previous"], ["lesson", "end"]]);
  commands.do("tour");
  assert.deepEqual(heard.at(-1), ["tour", "begin", ["a"]]);
});

test("what the quiz takes nobody else does", () => {
  const { commands, heard } = made({ taken: true });
  commands.do("step");
  commands.do("undo");
  assert.deepEqual(heard, []);
});

test("a way of playing is switched, and the page says to what", () => {
  const { commands, heard } = made();
  commands.do("loop");
  commands.do("stop at events");
  assert.deepEqual(heard, [
    ["words", "say", "Playing in a loop: on"], ["words", "say", "Stopping at events: off"],
  ]);
});

test("a key is an action, an answer, a tool or a class", () => {
  const { commands, heard } = made();
  const asked = [{ do: "redo" }, { answer: 0 }, { tool: "brush" }, { tool: "look" }, { label: 0 }];
  assert.deepEqual(asked.map((each) => commands.act(each)), [true, true, true, true, true]);
  assert.deepEqual(heard, [
    ["painting", "goBack", "redo"], ["quiz", "answer", 0], ["painting", "choose", "brush"],
    ["presenter", "leave"], ["painting", "choose", "look"], ["painting", "setLabel", 0],
  ]);
});

test("where points have no class a digit is not for the stage", () => {
  const { commands, heard } = made({ classes: null });
  assert.equal(commands.act({ label: 2 }), false);
  assert.deepEqual(heard, []);
});

test("a button is an action or a tool; a click elsewhere is neither", () => {
  const { commands, heard } = made();
  commands.click(button({ do: "first" }));
  commands.click(button({ tool: "erase" }));
  commands.click(button({}));
  commands.click(button(null));
  assert.deepEqual(heard, [["player", "do", "first"], ["painting", "choose", "erase"]]);
});
