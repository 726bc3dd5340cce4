import assert from "node:assert/strict";
import test from "node:test";

import { Printing } from "../../pages/_shared/stage/print.js";
import { Part, openPage } from "./page.js";

function styled(part) {
  const set = {};
  part.style = { setProperty: (name, value) => (set[name] = value), removeProperty: (name) => delete set[name] };
  return set;
}

test("on paper the stage is light, keeps its sizes and is shrunk as a whole", async () => {
  openPage();
  globalThis.getComputedStyle = () => ({ fontSize: "17px" });
  const [root, box] = [new Part(), new Part()];
  box.appendChild(root);
  root.parentElement = box;
  box.clientWidth = 1090;
  root.found[".picture"] = Object.assign(new Part(), { clientHeight: 540 });
  root.found[".tools"] = Object.assign(new Part(), { offsetWidth: 90 });
  const [of_root, of_box] = [styled(root), styled(box)];
  let drawn = 0;
  const heard = [];
  const legend = { prepare: () => heard.push("listed"), restore: () => heard.push("as before") };
  const printing = new Printing(root, () => drawn++, legend);
  printing.prepare();
  assert.deepEqual(of_box, { width: "1090px", zoom: "0.7" });
  assert.equal(of_root["--st-background-color"], "#ffffff");
  assert.deepEqual([of_root["--picture"], of_root["--type"], drawn], ["540px", "17px", 1]);
  await Promise.resolve(); // the marks have got their colours
  printing.restore();
  await Promise.resolve();
  assert.deepEqual([of_root, of_box, drawn], [{}, {}, 2]);
  assert.deepEqual(heard, ["listed", "listed", "as before"]);
});
