import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { Player } from "../../pages/_shared/stage/player.js";
import { Run } from "../../pages/_shared/stage/run.js";
import { frames, opening } from "./made.js";

// As much of a page as the player needs.
class Part {
  constructor() {
    Object.assign(this, { children: [], style: {}, heard: {}, textContent: "", value: "1" });
    this.attributes = {};
    this.classes = new Set();
    this.classList = {
      toggle: (name, on) => (on ? this.classes.add(name) : this.classes.delete(name)),
    };
    this.found = {};
  }
  querySelector(selector) {
    return (this.found[selector] ??= new Part());
  }
  appendChild(child) {
    this.children.push(child);
    return Object.assign(child, { parentNode: this });
  }
  replaceChildren(...children) {
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  addEventListener(type, listener) {
    this.heard[type] = listener;
  }
}

// A player of a run, with what it asked for and what it showed.
function made(total, held, events) {
  globalThis.window = new Part();
  globalThis.document = { createElement: () => new Part() };
  const root = new Part();
  const supply = {
    run: new Run(opening(total, held, events)),
    channel: { latency: 100 },
    aim: (intent) => (supply.intent = intent),
  };
  const [shown, times] = [[], []];
  const how = { loop: false, stops: false, speed: "1" };
  const player = new Player(root, supply, (step, at, time) => {
    shown.push([step, at]);
    times.push(time);
  }, how);
  player.setRun(0);
  const arrive = (...steps) => {
    supply.run.add(frames(steps), 1, player.at);
    player.arrived();
  };
  const where = () => player.where.textContent + player.waiting.textContent;
  return { player, supply, root, shown, times, arrive, where, how };
}

// The clock goes on, and what waits for a picture to be drawn.
async function wait(milliseconds) {
  for (let i = 0; i < milliseconds; i += 10) {
    mock.timers.tick(10);
    await Promise.resolve();
    await Promise.resolve();
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

test("a held step is shown at once", () => {
  const { player, shown, where, root } = made(10, [0, 1, 2, 9]);
  player.do("step");
  assert.deepEqual(shown.at(-1), [1, 1]);
  assert.equal(where(), "step 1 of 9");
  player.do("last");
  assert.equal(where(), "step 9 of 9");
  assert.ok(!root.classes.has("waiting"));
});

test("of a missing step the nearest is shown, under its own number, until it comes", () => {
  const { player, shown, where, root, arrive, supply } = made(500, [0, 1, 2, 100, 499]);
  player.goByHand(237);
  assert.deepEqual(shown.at(-1), [100, 237]);
  assert.equal(where(), "step 100 of 499 … 237");
  assert.ok(root.classes.has("waiting"));
  assert.equal(supply.intent.at, 237);
  arrive(200);
  assert.equal(where(), "step 200 of 499 … 237");
  arrive(237);
  assert.deepEqual(shown.at(-1), [237, 237]);
  assert.equal(where(), "step 237 of 499");
  assert.ok(!root.classes.has("waiting"));
});

test("who has moved on is not taken back", () => {
  const { player, shown, where, arrive } = made(500, [0, 1, 2, 499]);
  player.goByHand(237);
  player.do("first");
  const before = shown.length;
  arrive(237);
  assert.equal(shown.length, before);
  assert.equal(where(), "step 0 of 499");
});

test("a key that is held down recolours a picture six times a second at most, and its last step is shown", async () => {
  const { player, supply, shown, where } = made(100, Array.from({ length: 100 }, (_, i) => i));
  supply.run.recolours = true;
  const before = shown.length;
  for (let i = 0; i < 30; i++) {
    player.do("step");
    await wait(30);
    assert.equal(player.at, i + 1);
  }
  assert.ok(shown.length - before <= 7, `${shown.length - before} pictures`); // in 0.9 s
  await wait(170);
  assert.equal(where(), "step 30 of 99");
  player.hold("scrubbing");
  const since = shown.length;
  for (let at = 40; at < 50; at++) player.go(at);
  assert.equal(shown.length, since + 10); // a pointer sets its own pace
});

test("a picture without regions shows every step of a key that is held down", () => {
  const { player, shown } = made(100, Array.from({ length: 100 }, (_, i) => i));
  const before = shown.length;
  for (let i = 0; i < 30; i++) player.do("step");
  assert.equal(shown.length - before, 30);
});

test("steps are counted from where the user is, not from what is shown", () => {
  const { player, where, arrive } = made(500, [0, 1, 2, 499]);
  for (let i = 0; i < 7; i++) player.do("step");
  assert.equal(where(), "step 2 of 499 … 7");
  arrive(3, 4, 5, 6, 7);
  assert.equal(where(), "step 7 of 499");
});

test("what comes next is wanted in the direction of the user", () => {
  const { player, supply } = made(500, [0, 1, 2, 499], { 50: "e", 90: "e" });
  const next = () => supply.intent.next(supply.intent.at);
  player.do("step");
  assert.equal(next(), 2);
  player.goByHand(237);
  assert.equal(supply.intent.next, undefined);
  player.do("back");
  assert.equal(next(), 235);
  player.goByHand(237); // by a key on the scrubber
  assert.equal(next(), 238);
  player.do("previous event");
  assert.equal(supply.intent.at, 90);
  assert.equal(next(), 50);
  player.do("last");
  assert.equal(supply.intent.next, undefined);
});

test("all of a run is wanted as long as it is scrubbed or dragged", () => {
  const { player, supply } = made(500, [0, 1, 2, 499]);
  player.scrub.heard.pointerdown();
  assert.equal(supply.intent.levels, 5);
  player.scrub.value = "300";
  player.scrub.heard.input();
  assert.deepEqual([supply.intent.at, supply.intent.levels], [300, 5]);
  globalThis.window.heard.pointerup();
  assert.deepEqual([supply.intent.at, supply.intent.levels], [300, undefined]);
  player.hold("dragging");
  assert.equal(supply.intent.levels, Infinity);
  globalThis.window.heard.pointerup(); // is not the scrubber's
  assert.equal(supply.intent.levels, Infinity);
  player.hold(null);
  assert.equal(supply.intent.levels, undefined);
});

test("playing goes on to the end and stops there", async () => {
  const { player, shown, root } = made(4, [0, 1, 2, 3]);
  player.toggle();
  assert.ok(root.found['[data-do="play"]'].classes.has("playing"));
  await wait(11000);
  assert.deepEqual(shown.map(([step]) => step), [0, 0, 1, 2, 3]);
  assert.equal(player.playing, false);
  player.toggle(); // from the start again
  assert.equal(player.at, 0);
});

test("a run that nobody has stepped through is played from its start, also from the middle", () => {
  const { player } = made(4, [0, 1, 2, 3]);
  player.go(2);
  player.untouched = () => true;
  player.toggle();
  assert.equal(player.at, 0);
  player.pause();
  player.go(2);
  player.untouched = () => false;
  player.toggle();
  assert.equal(player.at, 2);
});

test("the clock waits for a missing frame and skips none", async () => {
  const { player, shown, arrive, where, root } = made(6, [0, 1, 2, 5]);
  player.toggle();
  await wait(7000);
  assert.equal(where(), "step 2 of 5 … 3");
  assert.ok(root.classes.has("waiting"));
  assert.deepEqual(player.supply.intent.next(2), 3);
  arrive(4);
  await wait(7000);
  assert.equal(player.at, 2);
  arrive(3);
  assert.equal(where(), "step 3 of 5");
  await wait(7000);
  assert.deepEqual(shown.map(([step]) => step), [0, 0, 1, 2, 3, 4, 5]);
});

test("a pause ends the waiting, and what comes later does not play on", async () => {
  const { player, where, arrive, root } = made(6, [0, 1, 2, 5]);
  player.toggle();
  await wait(7000);
  player.toggle();
  assert.equal(where(), "step 2 of 5");
  assert.ok(!root.classes.has("waiting"));
  arrive(3, 4);
  await wait(7000);
  assert.equal(player.at, 2);
});

test("a long run is played in strides, by way of its events", async () => {
  const all = Array.from({ length: 1000 }, (_, i) => i);
  const { player, shown } = made(1000, all, { 501: "turn" });
  player.toggle();
  await wait(14000);
  const steps = shown.map(([step]) => step).slice(1);
  assert.equal(player.at, 999);
  assert.ok(steps.includes(501));
  assert.ok(steps.length > 200 && steps.length < 280);
});

test("buttons that lead nowhere are off", () => {
  const { player, root } = made(10, [0, 1, 2, 9], { 9: "end" });
  const off = (action) => root.found[`[data-do="${action}"]`].disabled;
  assert.deepEqual(["first", "back", "step", "last", "previous event", "next event"].map(off), [
    true, true, false, false, true, false,
  ]);
  player.do("last");
  assert.deepEqual(["first", "back", "step", "last", "next event"].map(off), [
    false, false, true, true, true,
  ]);
});

test("another run that is shown while the clock waits is played on", async () => {
  const { player, supply } = made(6, [0, 1, 2, 5]);
  player.toggle();
  await wait(7000);
  supply.run = new Run(opening(6, [0, 1, 2, 3, 4, 5]));
  player.setRun(2);
  await wait(7000);
  assert.equal(player.at, 5);
});

test("in a loop the run begins again after a while at its end", async () => {
  const { player, shown, how } = made(3, [0, 1, 2]);
  how.loop = true;
  player.toggle();
  await wait(1500 * 2 + 1500 + 1500 * 2);
  assert.deepEqual(shown.map(([step]) => step).slice(0, 6), [0, 0, 1, 2, 0, 1]);
  assert.equal(player.playing, true);
  how.loop = false;
  await wait(10000);
  assert.equal(player.playing, false);
  assert.equal(player.at, 2);
});

test("a run of one step does not begin again and again", async () => {
  const { player, how } = made(1, [0]);
  how.loop = true;
  player.toggle();
  await wait(2000);
  assert.equal(player.playing, false);
});

test("playing stops at events if it is told to", async () => {
  const { player, how } = made(6, [0, 1, 2, 3, 4, 5], { 3: "halved" });
  how.stops = true;
  player.toggle();
  await wait(20000);
  assert.equal(player.at, 3);
  assert.equal(player.playing, false);
  player.toggle();
  await wait(20000);
  assert.equal(player.at, 5);
});

test("where there is a question the player waits, and goes back without one", () => {
  const { player } = made(20, [...Array(20).keys()]);
  const put = [];
  player.asks = (at) => at % 3 === 1 && Boolean(put.push(at));
  player.do("step");
  assert.equal(player.at, 1);
  player.do("step");
  assert.equal(player.at, 1);
  player.do("play");
  assert.equal(player.playing, false);
  assert.deepEqual(put, [1, 1]);
  player.go(7);
  player.do("back");
  player.do("last");
  player.goByHand(4);
  assert.equal(player.at, 4);
  assert.deepEqual(put, [1, 1]);
});

test("playing stops at a question, and skips no step that may have one", async () => {
  const { player, how, shown } = made(30000, [...Array(200).keys(), 29999]);
  how.predict = true;
  player.asks = (at) => at === 3;
  player.do("play");
  await wait(1000);
  assert.equal(player.playing, false);
  assert.equal(player.at, 3);
  assert.deepEqual(shown.map(([step]) => step), [0, 0, 1, 2, 3]);
});

test("only the way to a neighbour of the same run takes a time", () => {
  const { player, times } = made(10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  player.do("step");
  player.do("back");
  assert.deepEqual(times, [0, 250, 250]);
  player.goByHand(1);
  player.do("last");
  player.setRun(8); // beside the last step, but of another run
  player.hold("scrubbing");
  player.goByHand(7);
  assert.deepEqual(times.slice(3), [250, 0, 0, 0]);
});

test("a run that is played glides, if not too fast", async () => {
  const { player, times, how } = made(10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  player.do("play");
  await wait(3500);
  assert.deepEqual([...new Set(times.slice(2))], [250]);
  player.speed.value = how.speed = "4";
  const before = times.length;
  await wait(1000);
  assert.deepEqual([...new Set(times.slice(before + 1))], [0]);
});
