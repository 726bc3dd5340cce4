import assert from "node:assert/strict";
import test from "node:test";

import { fromShares, toShares, withLook } from "../../pages/_shared/stage/address.js";

const NOTHING = { at: 0, zoom: null, present: false, layers: [] };
const WHOLE = { x: [-2, 6], y: [100, 300] };

test("the look goes into the query beside the parameters, and out again", () => {
  const zoom = [0.25, 0.5, 0, 1];
  const query = withLook("?k=5&view=100+seeds", { at: 7, zoom, present: true, layers: ["this tree", "mistakes"] });
  const fields = Object.fromEntries(new URLSearchParams(query));
  const look = { step: "7", zoom: "0.25,0.5,0,1", present: "1", layers: "this tree,mistakes" };
  assert.deepEqual(fields, { k: "5", view: "100 seeds", ...look });
  assert.equal(withLook(query, NOTHING), "?k=5&view=100+seeds");
});

test("where all is as it opens the address stays as it is", () => {
  assert.equal(withLook("", NOTHING), "");
  assert.equal(withLook("?step=3", NOTHING), "");
  assert.equal(withLook("?k=5", NOTHING), "?k=5");
});

test("the start of a run that opens later has an address of its own", () => {
  assert.equal(withLook("", { ...NOTHING, opens: 5 }), "?step=0");
  assert.equal(withLook("?step=0", { ...NOTHING, at: 5, opens: 5 }), "?step=5");
  assert.equal(withLook("?step=0", NOTHING), "");
});

test("an address that was written once is not written again", () => {
  const look = { at: 3, zoom: [0.1, 0.2, 0.3, 0.4], present: false, layers: ["a b"] };
  const once = withLook("?a=b%20c&points=x_y-z", look);
  assert.equal(withLook(once, look), once);
});

test("a zoom is shares of the whole, whatever its units", () => {
  const zoom = { x: [0, 4], y: [150, 300] };
  assert.deepEqual(toShares(zoom, WHOLE), [0.25, 0.75, 0.25, 1]);
  assert.deepEqual(fromShares([0.25, 0.75, 0.25, 1], WHOLE), zoom);
  assert.equal(toShares(null, WHOLE), null);
  assert.equal(fromShares(null, WHOLE), null);
});

test("a zoom that is too close for its digits is left out", () => {
  assert.equal(toShares({ x: [1, 1 + 1e-9], y: [100, 300] }, WHOLE), null);
});

test("a zoom comes back to a millionth, and never reaches beyond the whole", () => {
  for (let i = 0; i < 200; i++) {
    const [a, b] = [Math.random() * 7.9 - 2, Math.random() * 190 + 100];
    const zoom = { x: [a, a + 0.1], y: [b, b + 10] };
    const shares = toShares(zoom, WHOLE);
    assert.ok(shares.every((share) => share >= 0 && share <= 1));
    const again = fromShares(shares, WHOLE);
    zoom.x.forEach((x, j) => assert.ok(Math.abs(x - again.x[j]) < 8e-6));
    zoom.y.forEach((y, j) => assert.ok(Math.abs(y - again.y[j]) < 2e-4));
  }
});
