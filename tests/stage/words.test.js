import assert from "node:assert/strict";
import test from "node:test";

import { Words } from "../../pages/_shared/stage/words.js";
import { openPage } from "./page.js";

test("the first line is the sentence, the others stand below; a percent sign keeps its number", () => {
  const root = openPage();
  const words = new Words(root);
  words.show("Half, 50 % of them.\na = 1\nb = 2", "The points");
  const caption = root.querySelector(".caption");
  assert.equal(caption.children[0].textContent, "Half, 50\u00a0% of them.");
  const lines = caption.children[1].children.filter((child) => child.className === "line");
  assert.deepEqual(lines.map((line) => line.children[0]), ["a = 1", "b = 2"]);
  const label = root.querySelector(".picture").attributes["aria-label"];
  assert.equal(label, "The points. Half, 50\u00a0% of them.");
});

test("the sentence about the picked point begins with a small ring, wherever it stands in its line", () => {
  const root = openPage();
  new Words(root).show("One.\nA leaf. The picked point: 3.\nPicked: point 7.\nNear the picked point.", "The points");
  const said = root.querySelector(".caption").children[1].children.filter((child) => child.className === "line");
  const partsOf = (line) => line.children.map((part) => part.className ?? part);
  const parts = said.map((line) => partsOf(line).filter(Boolean)); // the last one has room for the answer, too
  assert.deepEqual(parts, [
    ["A leaf. ", "of-picked", "The picked point: 3."], ["of-picked", "Picked: point 7."], ["Near the picked point."],
  ]);
});

test("powers are raised, and the caret before each stays in the text", () => {
  const root = openPage();
  new Words(root).show("One.\n2^0.3 + a^p, e^−1.2×10³. And (a + b)^(1/p), 3^n.", "The points");
  const said = root.querySelector(".caption").children[1].children.filter((child) => child.className === "line");
  const raised = said[0].children.filter((part) => part.tag === "sup").map((part) => part.textContent);
  assert.deepEqual(raised, ["0.3", "p", "−1.2×10³", "(1/p)", "n"]);
  assert.equal(said[0].children.filter((part) => part.className === "caret").length, 5);
});

test("the same words are left alone, and the picture's name is not", () => {
  const root = openPage();
  const words = new Words(root);
  words.show("Same.", "One");
  const [before] = root.querySelector(".caption").children;
  words.show("Same.", "Two");
  assert.equal(root.querySelector(".caption").children[0], before);
  assert.equal(root.querySelector(".picture").attributes["aria-label"], "Two. Same.");
});

test("a notice is a sentence", () => {
  const root = openPage();
  new Words(root).say("Ran again: k 3 → 4");
  assert.equal(root.querySelector(".notice").textContent, "Ran again: k 3 → 4.");
  assert.ok(root.querySelector(".notice").classList.contains("shown"));
});
