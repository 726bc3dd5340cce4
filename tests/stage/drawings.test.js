import assert from "node:assert/strict";
import test from "node:test";

import { said } from "../../pages/_shared/room/screen.js";
import { buttonsOf, standing } from "../../pages/_shared/stage/room/controls.js";
import { drawingsInWords, drawingsOf, inData, inShares, standOut } from "../../pages/_shared/stage/room/drawings.js";
import { ranOn } from "../../pages/_shared/stage/room/drawing.js";
import { Judge } from "../../pages/_shared/stage/room/judge.js";
import { cutOf, handleInWords, moved, onAxis, strokesOf } from "../../pages/_shared/stage/room/shapes.js";
import { pointsOnly } from "../../pages/_shared/stage/secret.js";

const A = [[0, 0], [1, 0]], B = [[0, 0.5], [1, 0.5]], C = [[0, 1], [1, 1]];

test("of every phone the last drawing counts; the best and the median one stand out", () => {
  const drawings = drawingsOf([[A, B, 2], [C, null, 1], [null, null, 4], [A, null, 1]]);
  assert.deepEqual(drawings, [{ places: B, count: 2 }, { places: C, count: 1 }, { places: A, count: 1 }]);
  const found = standOut(drawings, [5, 9, 1]);
  assert.deepEqual([found.best.places, found.median.cost, found.all], [A, 5, 4]);
  assert.equal(standOut(drawings, [5, null, null]).all, 2, "a drawing without a cost is no drawing");
  assert.equal(standOut([], []), null);
  const sheet = { shape: "line", measure: "cost P" };
  assert.match(drawingsInWords(sheet, found), /^Cost P: thick: .* 1; dashed: the median one of 4, 5\.$/);
  assert.match(drawingsInWords(sheet, found, 0.51239), /dotted: the algorithm's, 0\.512\.$/);
  assert.match(drawingsInWords({ ...sheet, shape: "points" }, found, 2), /^Cost P: large dots: .*; small dots: .*; squares: the algorithm's, 2\.$/);
});

test("a sheet's shares are data and back", () => {
  const axes = [-2, 2, 0, 10];
  assert.deepEqual(inData([[0.5, 0.1]], axes), [[0, 1]]);
  assert.deepEqual(inShares(inData(B, axes), axes), B);
});

test("a line goes through its places, an edge is mirrored, and equal places are no line", () => {
  const [{ ends: [[x, y], [u, v]] }] = strokesOf("line", [[0.2, 0.1], [0.4, 0.2]]);
  assert.ok(x < -10 && u > 10 && Math.abs(y / (x) - v / u) < 0.01);
  assert.deepEqual(strokesOf("line", [[0.2, 0.1], [0.2, 0.1]]), []);
  const street = strokesOf("street", [[0, 0.5], [1, 0.5], [0.5, 0.6]]);
  assert.deepEqual(street.map(({ part, ends }) => [part, ends[0][1].toFixed(2)]), [["line", "0.50"], ["edge", "0.60"], ["edge", "0.40"]]);
  assert.equal(strokesOf("points", [[0, 0], [1, 1]]).length, 2);
  assert.equal(onAxis(-0.123456, 6.3), "−0.12");
});

test("drawings are judged once, again without an answer, and only the last request counts", () => {
  const sent = [];
  const exchange = { judge: (wanted) => sent.push(wanted) };
  let told = 0;
  const judge = new Judge(exchange, () => told++);
  assert.equal(judge.on("s", [A], [1]), null);
  assert.equal(judge.on("s", [A], [1]), null);
  assert.equal(sent.length, 1);
  assert.equal(judge.on("s", [B], [1]), null);
  exchange.judged({ asked: 1, costs: [9], best: A, least: 0 });
  assert.equal(told, 0);
  exchange.judged({ asked: 2, costs: [7], best: A, least: 0 });
  assert.deepEqual([told, judge.on("s", [B], [1]).costs], [1, [7]]);
  judge.destroy();
  assert.equal(exchange.judged, null);
});

test("a stump has one cut, and its handle stays beside it on the side of the second class", () => {
  const size = [300, 300], start = [[0.5, 0.5], [0.66, 0.5]];
  const near = (places) => places.map((place) => place.map((share) => +share.toFixed(3)));
  assert.deepEqual(cutOf(...start), { axis: 0, side: 1 });
  assert.deepEqual(near(moved("stump", start, 0, [0.3, 0.9], size)), [[0.3, 0.9], [0.46, 0.9]], "the side comes along");
  assert.deepEqual(near(moved("stump", start, 1, [0.2, 0.55], size)), [[0.5, 0.5], [0.34, 0.5]]);
  assert.deepEqual(near(moved("stump", start, 1, [0.55, 0.1], size)), [[0.5, 0.5], [0.5, 0.34]]);
  assert.deepEqual(near(moved("stump", start, 1, [0.6, 0.65], [900, 300])), [[0.5, 0.5], [0.66, 0.5]], "in pixels");
  assert.deepEqual(near(moved("stump", start, 0, [2, 0.5], size)), [[0.98, 0.5], [1, 0.5]], "the side stays in sight");
  for (const to of [[-1, -1], [0, 0.5], [1, 0], [0.5, 0.5], [5, 5]]) {
    for (const i of [0, 1]) {
      const [cut, beside] = moved("stump", start, i, to, size);
      const { axis } = cutOf(cut, beside);
      assert.ok(Math.abs(cut[axis] - beside[axis]) > 0.01 && cut[1 - axis] === beside[1 - axis]);
    }
  }
  assert.deepEqual(moved("line", A, 1, [2, 0.5], size), [[0, 0], [1, 0.5]]);
  const [side, line, edge] = strokesOf("stump", [[0.2, 0.5], [0.2, 0.34]]);
  assert.deepEqual([side.part, side.ends], ["side", [[0, 0.5], [1, 0.5], [1, 0], [0, 0]]]);
  assert.deepEqual([line.ends, edge.ends], [[[0, 0.5], [1, 0.5]], [[0.2, 0.5], [0.2, 0.34]]]);
  const sheet = { shape: "stump", names: ["Cut", "Side of “b”"], axes: [-2, 2, 0, 10] };
  assert.deepEqual([0, 1].map((i) => handleInWords(sheet, start, i)), ["Cut: upright, at 0.00", "Side of “b”: on the right"]);
  assert.deepEqual([0, 1].map((i) => handleInWords(sheet, [[0.5, 0.2], [0.5, 0.04]], i)), ["Cut: level, at 2.0", "Side of “b”: below"]);
  assert.equal(handleInWords({ ...sheet, shape: "line" }, A, 1), "Side of “b”: 2.00, 0.0");
});

test("a disc is round in data, keeps its width when its centre moves, and says its width", () => {
  const axes = [0, 8, 0, 4], places = [[0.5, 0.5], [0.75, 0.5]];
  const [rim, spoke] = strokesOf("disc", places, axes);
  assert.ok(rim.ends.every(([x, y]) => Math.abs(Math.hypot(8 * (x - 0.5), 4 * (y - 0.5)) - 2) < 1e-9));
  assert.deepEqual([rim.ends[0], spoke.ends], [[0.75, 0.5], places]);
  assert.deepEqual(moved("disc", places, 0, [0.25, 0.75], [300, 300]), [[0.25, 0.75], [0.5, 0.75]]);
  assert.deepEqual(moved("disc", places, 0, [0.875, 0.5], [300, 300]), [[0.875, 0.5], [0.625, 0.5]], "on the other side");
  assert.deepEqual(moved("disc", places, 1, [0.5, 1.5], [300, 300]), [[0.5, 0.5], [0.5, 1]]);
  const sheet = { shape: "disc", names: ["Centre", "Width h"], axes };
  assert.deepEqual([0, 1].map((i) => handleInWords(sheet, places, i)), ["Centre: 4.00, 2.00", "Width h: 2.00"]);
});

test("the lab runs on the drawings at the run's start, with everything else as it is", () => {
  const at = { pathname: "/ada_boost", search: "?data=circles&step=7&stumps=AA&zoom=0,1,0,1" };
  assert.equal(ranOn(at, [["stumps", "BB"], ["simulated", "0"]]), "/ada_boost?data=circles&stumps=BB&simulated=0");
  const told = { question: { way: "draw" }, number: 1, round: 1, results: [] };
  const actions = (phase, shown, runs) => buttonsOf({ ...told, phase, shown }, null, true, runs).map(([action]) => action);
  assert.deepEqual(actions("revealed", false, "Let the class vote"), ["run", "ask", "draw", "rest"]);
  assert.ok(actions("closed", true, "Let the class vote").includes("run"));
  assert.ok(!actions("closed", false, "Let the class vote").includes("run"), "no drawing is shown");
  assert.ok(!actions("asking", false, "Let the class vote").includes("run"));
  assert.ok(!actions("revealed", false, "").includes("run"));
  assert.ok(!buttonsOf({ ...told, phase: "lobby" }, null, true, "Let the class vote").map(([action]) => action).includes("run"));
});

test("while a room draws, the picture is its points, all of them alike", () => {
  const packed = (bytes) => ({ dtype: "u1", bdata: btoa(bytes) });
  const points = { x: packed("a"), y: packed("b"), group: packed("c"), wrong: packed("\u0001"), size: packed("d") };
  const bare = pointsOnly({ data: [{ type: "scatter" }], edges: {}, layout: { xaxis: { range: [0, 1] }, shapes: [{}], annotations: [{}] }, points });
  assert.deepEqual(Object.keys(bare), ["data", "layout", "points"]);
  assert.deepEqual(bare.data, []);
  assert.deepEqual(Object.keys(bare.layout), ["xaxis", "showlegend"]);
  assert.deepEqual([bare.points.wrong.bdata, bare.points.group.bdata, "size" in bare.points], [btoa("\0"), btoa("c"), false]);
  assert.equal(pointsOnly({ data: [], edges: {}, layout: {}, points }, false).points.group.bdata, btoa("\0"), "places alone");
});

test("wall and phone say what a drawing needs in every phase, and the optimum only at the end", () => {
  const told = { question: { way: "draw", measure: "mean squared error" }, number: 1, round: 1, phones: 2, answered: 1, left: null, code: "ABCD", results: [] };
  const names = (phase, shown = false) => buttonsOf({ ...told, phase, shown }, null, true).map(([, text]) => text);
  assert.deepEqual(names("asking"), ["Close drawing", "Show the algorithm's"]);
  assert.deepEqual(names("closed"), ["Show the drawings", "Show the algorithm's", "Draw again"]);
  assert.deepEqual(names("closed", true)[0], "Show the algorithm's");
  assert.deepEqual(names("revealed"), ["Next question", "Draw with the room", "Done"]);
  assert.match(standing({ ...told, phase: "asking" }), /1 of 2 phones drew/);
  const phone = (phase, more = {}, mine = {}) => said({ room: { ...told, phase, ...more }, mine: { votes: [A, null], ...mine } }).text;
  assert.match(phone("asking"), /Your drawing is in/);
  assert.match(phone("closed"), /Watch the wall/);
  assert.equal(phone("revealed"), "Watch the wall.");
  const revealed = { best: A, least: 0.25, room: 0.5 };
  assert.match(phone("revealed", { revealed }, { cost: 0.75 }), /^Mean squared error: Yours: 0\.75\. Best in the room: 0\.5\. .*0\.25\.$/);
});
