import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { FrameSupply } from "../../pages/_shared/stage/frame_supply.js";
import framesComponent from "../../pages/_shared/stage/boot/frames.js";
import { frames, opening } from "./made.js";

// Python's side: keeps what is asked for, and answers when it is told to.
class Server {
  constructor() {
    globalThis.window = {};
    this.asked = [];
  }

  mount(data = { scene: "s", asked: 0, frames: null }) {
    const setStateValue = (what, wanted) => this.asked.push(wanted);
    return framesComponent({ data, setStateValue });
  }

  answer(wanted = this.asked.at(-1), scene = wanted.scene) {
    const text = JSON.stringify(frames(wanted.steps));
    return this.mount({ scene, asked: wanted.number, frames: text });
  }

  get last() {
    return this.asked.at(-1).steps;
  }
}

function stage(total = 100, held = [0, 1, 2, 99]) {
  const server = new Server();
  const news = { count: 0 };
  const supply = new FrameSupply((globalThis.window.chalkline ??= {}), () => news.count++);
  supply.open("s", JSON.stringify(opening(total, held)));
  return { server, supply, news };
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

test("frames are asked for, and shown when they come", () => {
  const { server, supply, news } = stage();
  server.mount();
  supply.aim({ at: 37 });
  assert.deepEqual(server.asked, [{ scene: "s", steps: [37], at: 37, number: 1 }]);
  server.answer();
  assert.ok(supply.run.holds(37));
  assert.equal(news.count, 1);
});

test("a short run never asks", () => {
  const { server, supply } = stage(4, [0, 1, 2, 3]);
  server.mount();
  supply.aim({ at: 3, levels: 9, bite: 60 });
  mock.timers.tick(60000);
  assert.deepEqual(server.asked, []);
});

test("one request is on its way; then only what is wanted by then is asked for", () => {
  const { server, supply } = stage();
  server.mount();
  supply.aim({ at: 10 });
  supply.aim({ at: 11 });
  supply.aim({ at: 40 });
  assert.equal(server.asked.length, 1);
  server.answer();
  assert.deepEqual(server.asked.map(({ steps }) => steps), [[10], [40]]);
  assert.equal(server.asked[1].number, 2);
});

test("the two components may come in any order, and anew", () => {
  const { server, supply } = stage();
  supply.aim({ at: 10 }); // frames.js is not there yet
  assert.equal(server.asked.length, 0);
  const unmount = server.mount();
  assert.deepEqual(server.last, [10]);
  unmount(); // a page switch
  mock.timers.tick(5000);
  assert.equal(server.asked.length, 1);
  server.mount();
  assert.equal(server.asked.length, 2);
  server.answer();
  assert.ok(supply.run.holds(10));
});

test("an old component that leaves late does not take the new one away", () => {
  const { server, supply } = stage();
  const leaveOld = server.mount();
  server.mount();
  leaveOld();
  supply.aim({ at: 10 });
  assert.equal(server.asked.length, 1);
});

test("without an answer it is asked again after 5, 10, 20 seconds, for what is wanted then", () => {
  const { server, supply } = stage();
  server.mount();
  supply.aim({ at: 10 });
  mock.timers.tick(4999);
  assert.equal(server.asked.length, 1);
  supply.aim({ at: 20 });
  mock.timers.tick(1);
  assert.deepEqual(server.last, [20]);
  assert.equal(server.asked[1].number, 2); // another number: Streamlit ignores what it knows
  mock.timers.tick(10000);
  mock.timers.tick(20000);
  assert.equal(server.asked.length, 4);
  server.answer(server.asked[0]); // a late answer is as good
  assert.ok(supply.run.holds(10));
  assert.deepEqual(server.last, [20]);
  assert.equal(server.asked.length, 5);
});

test("where Python has run the page and heard of no request, it is asked again at once", () => {
  const { server, supply } = stage();
  server.mount();
  assert.equal(server.asked.length, 0);
  supply.aim({ at: 10 });
  supply.aim({ at: 20 });
  server.mount(); // the connection was broken, and the page asked for itself
  assert.deepEqual(server.asked.map(({ steps }) => steps), [[10], [20]]);
  server.answer();
  assert.ok(supply.run.holds(20));
  mock.timers.tick(60000);
  assert.equal(server.asked.length, 2);
});

test("answers for another scene, or with nothing, are not asked for again at once", () => {
  const { server, supply, news } = stage();
  server.mount();
  supply.aim({ at: 10 });
  server.answer(server.asked[0], "another scene");
  server.mount({ scene: "s", asked: 1, frames: null });
  server.mount({ scene: "s", asked: 1, frames: "{}" });
  assert.ok(!supply.run.holds(10));
  assert.equal(server.asked.length, 1);
  mock.timers.tick(5000);
  assert.equal(server.asked.length, 2);
  server.answer();
  assert.ok(supply.run.holds(10));
  assert.ok(news.count >= 1);
});

test("another scene drops the frames and what was asked for", () => {
  const { server, supply } = stage();
  server.mount();
  supply.aim({ at: 10 });
  assert.equal(supply.open("other", JSON.stringify(opening(100, [0, 99]))), true);
  supply.aim({ at: 30 });
  assert.equal(server.asked[1].scene, "other");
  server.answer(server.asked[0]);
  assert.ok(!supply.run.holds(10));
  server.answer(server.asked[1]);
  assert.ok(supply.run.holds(30));
});

test("the same scene keeps its frames when Python answers anew", () => {
  const { server, supply } = stage();
  server.mount();
  supply.aim({ at: 10 });
  server.answer();
  const { run } = supply;
  assert.equal(supply.open("s", supply.opening), false);
  assert.equal(supply.open("s", JSON.stringify(opening(100, [0, 50]))), false);
  assert.equal(supply.run, run);
  assert.ok(run.holds(10) && run.holds(50));
});

test("a stage that has left hears and asks nothing", () => {
  const { server, supply, news } = stage();
  server.mount();
  supply.aim({ at: 10 });
  supply.close();
  server.answer();
  mock.timers.tick(60000);
  assert.equal(news.count, 0);
  assert.equal(server.asked.length, 1);
});

test("a new stage on the page takes the line over from an old one that leaves late", () => {
  const { server, supply: old } = stage();
  const supply = new FrameSupply(globalThis.window.chalkline, () => {});
  supply.open("s", old.opening);
  old.close();
  server.mount();
  supply.aim({ at: 10 });
  server.answer();
  assert.ok(supply.run.holds(10));
});

test("how long answers take is learnt", () => {
  const { server, supply } = stage();
  server.mount();
  const before = supply.channel.latency;
  for (const at of [10, 20, 30, 40, 50, 60]) {
    supply.aim({ at });
    mock.timers.tick(1000);
    server.answer();
  }
  assert.ok(before < 500 && supply.channel.latency > 800);
});
