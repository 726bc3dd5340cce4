import assert from "node:assert/strict";
import test from "node:test";

import { cardPlace } from "../../pages/_shared/stage/callout.js";
import { greets, ofPicked } from "../../pages/_shared/stage/first_visit.js";

test("only the first visit to a plain page is greeted", () => {
  const page = { query: "", alone: false, busy: false, stored: null };
  assert.ok(greets(page));
  for (const other of [{ query: "?step=3" }, { query: "?k=5" }, { alone: true }, { busy: true }, { stored: "over" }]) {
    assert.ok(!greets({ ...page, ...other }), JSON.stringify(other));
  }
});

test("the picked place has the name that its lab gives it", () => {
  assert.match(ofPicked("Picked x at 0.3, class 1: drag, or use the arrow keys"), /^Picked x: drag/);
  assert.match(ofPicked("Query: drag, or use the arrow keys"), /^Query: drag/);
});

test("a card is below its target, or above where there is no room, and always on the page", () => {
  const card = { width: 300, height: 100 };
  const page = { width: 400, height: 600 };
  const below = cardPlace({ left: 0, right: 20, top: 50, bottom: 70 }, card, page);
  assert.deepEqual([below.above, below.left, below.top > 70], [false, 8, true]);
  const above = cardPlace({ left: 380, right: 400, top: 540, bottom: 560 }, card, page);
  assert.equal(above.above, true);
  assert.ok(above.left + card.width <= page.width && above.top + card.height < 540);
  assert.ok(above.arrow <= card.width);
});
