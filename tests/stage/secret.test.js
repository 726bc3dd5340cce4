import assert from "node:assert/strict";
import test from "node:test";

import { faintAhead, Secret, shareOf, soFar, unanswered } from "../../pages/_shared/stage/secret.js";
import { packed } from "./made.js";
import { Part } from "./page.js";

const VIEWS = [{}, { ahead: "by step" }, { ahead: "hidden" }, { ahead: "to a question" }];
const shares = (asking, closed) => VIEWS.map((view) => shareOf(view, asking, closed, 3));

test("one switch for questions and situations; what the reader works with stays in a situation", () => {
  assert.deepEqual(shares(false, false), ["all", "all", "all", "all"]);
  assert.deepEqual(shares(true, false), ["unanswered", "so far", "nothing", "nothing"]);
  assert.deepEqual(shares(true, true), ["unanswered", "so far", "nothing", "nothing"]);
  assert.deepEqual(shares(false, true), ["unanswered", "so far", "nothing", "unanswered"]);
});

test("a view that is ahead at the start waits there, and only while a question is asked", () => {
  const shown = [0, 1].map((at) => [true, false].map((asking) => shareOf({ ahead: "at the start" }, asking, true, at)));
  assert.deepEqual(shown, [["nothing", "unanswered"], ["unanswered", "unanswered"]]);
});

test("at the last step, and once the answer is open, nothing is kept back", () => {
  const shown = [];
  const panels = VIEWS.map((_, i) => ({ setShare: (share) => (shown[i] = share) }));
  const quiz = { asking: false };
  const lesson = { closed: true, hidesEnd: true };
  const hidden = [];
  const told = [];
  const words = { tell: (open) => told.push(open) };
  const player = { at: 3, root: new Part(), run: { views: VIEWS, end: 4 }, hideEnd: (on) => hidden.push(on) };
  const secret = new Secret(quiz, lesson, player, words, () => panels);
  lesson.onTold();
  assert.deepEqual(shown, ["unanswered", "so far", "nothing", "unanswered"]);
  player.at = 4;
  secret.keep();
  assert.deepEqual(shown, ["all", "all", "all", "all"]);
  player.at = 0;
  quiz.onAsked();
  assert.equal(shown[1], "so far");
  lesson.closed = false;
  lesson.onTold();
  assert.deepEqual(shown, ["all", "all", "all", "all"]);
  assert.deepEqual(told, [false, true, false, true]);
  assert.deepEqual(hidden, [true, false, true, false]);
});

test("curves end at the shown step, and no line is at a step of their whole course", () => {
  const curve = { x: packed("f8", [1, 2, 3]), y: packed("f8", [9, 4, 5]), name: "held out" };
  const ring = { x: [2], y: [4] };
  const upright = { x0: 2, x1: 2 };
  const level = { x0: 0, x1: 1 };
  const { data, layout } = soFar({ data: [curve, ring], layout: { shapes: [upright, level] } }, 2);
  assert.deepEqual(data, [{ x: [1, 2], y: [9, 4], name: "held out" }, ring]);
  assert.deepEqual(layout.shapes, [level]);
  assert.equal(soFar({ data: [curve], layout: {} }, 3).data[0], curve);
});

test("marks that tell an answer are left out, and keep their place among the traces", () => {
  const [curve, star] = [{ x: [1, 2], y: [3, 4] }, { x: [2], y: [3], meta: "answer" }];
  const figure = { data: [curve, star], layout: {} };
  assert.deepEqual(unanswered(figure).data, [curve, { x: [], y: [], meta: "answer" }]);
  assert.equal(unanswered({ data: [curve], layout: {} }).data[0], curve);
  const image = { type: "image", source: "data:", meta: "answer" };
  assert.deepEqual(unanswered({ data: [curve, image], layout: {} }).data, [curve, { ...image, visible: false }]);
  assert.deepEqual(soFar(figure, 2).data[1].x, []);
});

test("lines over the steps are faint after the shown one, and keep their number of points", () => {
  const curve = { x: packed("i4", [0, 1, 2, 3]), y: [5, 4, 2, 1], fill: "tonexty" };
  const others = [{ x: [2], y: [2], mode: "markers" }, { x: [0, 1, 2], y: [1, 1, 1], type: "bar" }, { x: [3, 1, 2], y: [0, 0, 0] }];
  const { data } = faintAhead({ data: [curve, ...others], layout: {} }, 1);
  assert.deepEqual([data[0].x, data[0].y, data[0].fill], [[0, 1, 1, 1], [5, 4, 4, 4], "tonexty"]);
  assert.deepEqual(data.slice(1, 4), others);
  assert.deepEqual(data.slice(4), [{ x: curve.x, y: curve.y, opacity: 0.45, showlegend: false }]);
});
