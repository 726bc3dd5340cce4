import assert from "node:assert/strict";
import test from "node:test";

import { Follow, followedInWords, isSameRun, lookIn } from "../../pages/_shared/stage/room/follow.js";
import { Lead, ledTo, missedInWords } from "../../pages/_shared/stage/room/lead.js";
import { openPage } from "./page.js";

const HERE = "http://a.org/class/k_means?k=5&step=2";

/** Open a page in a tab that follows a room; no socket is opened. */
function following(kept) {
  const root = openPage();
  globalThis.location = new URL(HERE);
  globalThis.sessionStorage = { kept: JSON.stringify(kept), getItem: () => sessionStorage.kept, setItem: (_, text) => (sessionStorage.kept = text), removeItem: () => (sessionStorage.kept = null) };
  const went = [];
  globalThis.history = { state: null, replaceState: (...[, , to]) => (globalThis.location = new URL(to, location)) };
  globalThis.PopStateEvent = Event;
  globalThis.dispatchEvent = () => went.push(location.href);
  const shown = [];
  const follow = new Follow(root, (look) => shown.push(look));
  const hear = (address) => {
    follow.told = { address, absent: 0 };
    follow.keepUp();
  };
  return { follow, shown, went, hear };
}

test("a class is led to a lab with its parameters, without what is about the teacher's screen", () => {
  const at = (pathname, search) => ledTo({ pathname, search });
  assert.deepEqual(at("/k_means", "?k=5&step=3"), { address: "k_means?k=5&step=3", absent: 0 });
  assert.deepEqual(at("/class/k_means", "?present=1&embed=true&k=5"), { address: "k_means?k=5&step=0", absent: 0 });
  assert.deepEqual(at("/k_means", "?points=too-many-5000&k=5"), { address: "k_means?k=5&step=0", absent: 5000 });
  assert.match(missedInWords(true, 5000), /your 5000 are too many for a link/);
  assert.equal(missedInWords(true, 0) + missedInWords(false, 5000), "");
});

test("the wall sends its address when it changes, and null when it leads no more", () => {
  const root = openPage();
  globalThis.location = new URL(HERE);
  const sent = [];
  const lead = new Lead(root.appendChild(document.createElement("div")), (said) => sent.push(said));
  lead.turn();
  lead.heard({ leads: true, followers: 3 });
  assert.equal(lead.button.textContent, "Follow me (3)");
  lead.lead();
  globalThis.location = new URL("http://a.org/dbscan?step=1");
  lead.lead();
  lead.turn();
  lead.heard({ leads: true, followers: 3 }); // the room had not heard yet
  assert.equal(lead.on, false);
  assert.deepEqual(sent.map(({ address }) => address), ["k_means?k=5&step=2", "dbscan?step=1", null]);
  lead.end();
  assert.equal(lead.button.getAttribute("aria-pressed"), "false");
});

test("another step is shown without a new run, and other parameters are opened as a link", () => {
  const url = (search) => new URL(search, HERE);
  assert.ok(isSameRun(url("?step=7&k=5&zoom=0,1,0,1"), url(HERE)));
  assert.ok(!isSameRun(url("?k=6&step=2"), url(HERE)) && !isSameRun(url("dbscan?k=5"), url(HERE)));
  assert.deepEqual(lookIn(url("?step=7&zoom=0,0.5,0.2,1&layers=a,b").searchParams), { at: 7, zoom: [0, 0.5, 0.2, 1], layers: ["a", "b"] });
  assert.deepEqual(lookIn(url("?step=x&zoom=1,0,<b>,1").searchParams), { at: 0, zoom: null, layers: [] });
  const { follow, shown, went, hear } = following({ code: "ABCD", on: true });
  hear("k_means?k=5&step=4");
  assert.deepEqual([shown.length, shown[0].at, went], [1, 4, []]);
  hear("k_means?k=6&step=4");
  hear("k_means?k=7&step=0");
  assert.deepEqual(went, ["http://a.org/class/k_means?k=6&step=4"], "one run at a time");
  follow.wire = { close() {} };
  follow.answered(true);
  assert.equal(went[1], "http://a.org/class/k_means?k=7&step=0", "and then the newest");
  for (const address of ["https://evil.example/?k=1", "//evil.example?k=1", "javascript:alert(1)"]) {
    follow.answered(true);
    hear(address);
  }
  assert.equal(went.length, 2);
  follow.destroy();
});

test("a page that has let go stays, also after a reload, and comes back when asked to", () => {
  const { follow, shown, hear } = following({ code: "ABCD", on: true, at: "k_means?k=5&step=2" });
  hear("k_means?k=5&step=2");
  assert.equal(shown.length, 0, "where the page has been led before, the visitor may have gone on");
  follow.turn();
  hear("k_means?k=5&step=9");
  assert.deepEqual([shown.length, follow.close.hidden, JSON.parse(sessionStorage.kept).on], [0, false, false]);
  follow.turn();
  assert.deepEqual([shown[0].at, follow.button.textContent], [9, "Let go"]);
  follow.gone("is over");
  assert.deepEqual([sessionStorage.kept, follow.button.hidden, follow.close.hidden], [null, true, false]);
});

test("what the tab remembers is a code, or nothing", () => {
  for (const kept of [null, { code: "abcd", on: true }, { code: "AB/../CD" }, 3, "ABCD"]) assert.equal(following(kept).follow.kept, null);
});

test("the bar says whom the page follows, and what it cannot show", () => {
  const said = (on, told, connected = true) => followedInWords({ code: "ABCD", on }, told, connected);
  assert.equal(said(true, { address: "k_means?", absent: 0 }), "Following room ABCD.");
  assert.match(said(true, { address: "k_means?", absent: 5000 }), /5000 points are too many for a link, so this page shows others/);
  assert.match(said(false, { address: "k_means?", absent: 0 }), /let go/);
  assert.match(said(true, { address: "", absent: 0 }), /leads nobody now/);
  assert.match(said(true, null, false), /no connection/);
});
