import assert from "node:assert/strict";
import test from "node:test";

import { Post } from "../../pages/_shared/stage/post.js";

function heard() {
  const told = [];
  const post = new Post();
  post.setStateValue = (what, value) => told.push([what, value]);
  return { post, told };
}

test("what moves is told as often as there is an answer, and never late", () => {
  const { post, told } = heard();
  for (const value of [1, 2, 3]) post.sendLatest("live", value);
  assert.deepEqual(told, [["live", 1]]);
  post.answered();
  assert.deepEqual(told, [["live", 1], ["live", 3]]);
  post.answered();
  assert.equal(told.length, 2);
  post.answered();
});

test("what has come to rest is not told of any more", () => {
  const { post, told } = heard();
  post.sendLatest("live", 1);
  post.sendLatest("live", 2);
  post.forgetLatest();
  post.answered();
  assert.deepEqual(told, [["live", 1]]);
});
