import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { Motion } from "../../pages/_shared/stage/motion.js";
import { glide } from "../../pages/_shared/stage/pace.js";
import { Part } from "./page.js";

const IMAGES = "all .imagelayer image";
const LINES = "all .scatterlayer .lines";

/** @type {((now: number) => void)[]} */
const frames = []; // that the browser is to draw
globalThis.requestAnimationFrame = (drawn) => frames.push(drawn);

function fading() {
  const animation = { state: "plays", pause: () => (animation.state = "waits"), play: () => (animation.state = "plays") };
  return animation;
}

// A part of a picture; how it is faded is kept.
function part() {
  const node = new Part("g");
  node.animate = (frames, time) => ((node.faded = [frames[0].opacity, time]), (node.fading = fading()));
  return node;
}

// An image in its group and its layer.
function image(address) {
  const node = new Part("image");
  node.href = { baseVal: address };
  node.cloneNode = () => image(node.href.baseVal);
  node.parentNode = part();
  node.layer = new Part("g");
  node.closest = () => node.layer;
  node.decode = () => new Promise((decoded) => (node.decoded = decoded));
  return node;
}

// The lines of a trace: a group of paths.
function lines(...paths) {
  const node = part();
  for (const d of paths) node.append(new Part("path"));
  node.children.forEach((path, i) => path.setAttribute("d", paths[i]));
  node.cloneNode = () => lines(...node.children.map((path) => path.getAttribute("d")));
  new Part("g").append(node);
  return node;
}

function made({ reduced = false, points = 0, images = [], groups = [] } = {}) {
  globalThis.matchMedia = () => ({ matches: reduced });
  const root = new Part();
  root.found["all .stage-points path"] = Array.from({ length: points });
  root.found[IMAGES] = images;
  root.found[LINES] = groups;
  return { root, motion: new Motion(root) };
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  frames.length = 0;
});

test("what is drawn glides for its time, and no longer", () => {
  const { root, motion } = made({ points: 100 });
  const during = motion.during(250, () => [...root.classes]);
  assert.deepEqual(during, ["glides", "few-points"]);
  assert.equal(root.style["--glide"], "250ms");
  mock.timers.tick(299);
  assert.ok(root.classes.has("glides"));
  mock.timers.tick(1);
  assert.ok(!root.classes.has("glides"));
});

test("a jump ends a motion, and many points jump", () => {
  const { root, motion } = made({ points: 1001 });
  motion.during(250, () => {});
  assert.ok(root.classes.has("glides") && !root.classes.has("few-points"));
  motion.during(0, () => assert.ok(!root.classes.has("glides")));
});

test("where frames come too late for a motion, the next steps jump for a while", () => {
  for (const [late, glides] of [[100, true], [300, false]]) {
    const { root, motion } = made();
    const start = performance.now();
    frames.length = 0;
    motion.during(250, () => {});
    frames.shift()(start + 16);
    frames.shift()(start + late);
    motion.during(250, () => assert.equal(root.classes.has("glides"), glides));
    motion.restsUntil = Math.max(0, motion.restsUntil - 5300);
    motion.during(250, () => assert.ok(root.classes.has("glides")));
  }
});

test("who wants less motion sees none", () => {
  const { root, motion } = made({ reduced: true });
  motion.during(250, () => assert.ok(!root.classes.has("glides")));
});

test("an image that changes fades into the next one; another stays", async () => {
  const [region, still] = [image("old"), image("same")];
  const { motion } = made({ images: [region, still] });
  globalThis.document = { createElementNS: part };
  await motion.during(250, async () => (region.href.baseVal = "new"));
  await Promise.resolve();
  assert.deepEqual(region.parentNode.faded, [0, 250]);
  const [old] = region.layer.children;
  assert.equal(old.children[0].href.baseVal, "old");
  assert.deepEqual(old.faded, [1, 250]);
  assert.equal(still.parentNode.faded, undefined);
  assert.ok(region.parentNode.children.length === 1 && old.children.length === 2, "a dot beside each");
  assert.equal(old.fading.state, "waits", "until the new image can be drawn");
  region.decoded();
  await new Promise(setImmediate);
  assert.deepEqual([old, region.parentNode].map(({ fading }) => fading.state), ["plays", "plays"]);
  const gone = [];
  for (const node of [old, ...region.parentNode.children]) node.remove = () => gone.push(node);
  old.fading.onfinish();
  assert.equal(gone.length, 2);
});

test("lines with other corners fade into the next ones; those with the same travel", async () => {
  const [travels, border, parts] = [lines("M0,0L1,1"), lines("M0,0L1,1"), lines("M0,0L1,1")];
  const { motion } = made({ groups: [travels, border, parts] });
  await motion.during(250, async () => {
    travels.children[0].setAttribute("d", "M5,0L7e-3,1");
    border.children[0].setAttribute("d", "M0,0L1,1L2,2");
    parts.append(new Part("path"));
  });
  await Promise.resolve();
  for (const fades of [border, parts]) {
    const [old, fresh] = fades.parentNode.children;
    assert.deepEqual([old.getAttribute("class"), old.faded, fresh.faded], ["leaving", [1, 250], [0, 250]]);
    assert.equal(old.children[0].getAttribute("d"), "M0,0L1,1");
    assert.ok(fresh === fades && fades.classes.has("others"), "does not travel");
    let gone = false;
    old.remove = () => (gone = true);
    old.fading.onfinish();
    assert.ok(gone);
  }
  assert.equal(travels.faded, undefined);
  await motion.during(250, async () => {});
  assert.ok(!border.classes.has("others"), "until the next step");
});

test("the way to the next step is shorter than the wait for the one after, or there is none", () => {
  assert.equal(glide(1500, 1), 250);
  assert.equal(glide(200, 2), 160);
  assert.equal(glide(90, 1), 0);
  assert.equal(glide(1500, 4), 0);
});
