// The host of a recorded run: it gives the stage the data that Streamlit would give, once. All
// frames are there, and no message has to be sent.

import { mountStage } from "../stage/stage.js";

// Keys that need the app: they paint, zoom, or open its controls.
const OF_THE_APP = ["A B S", "M E L", "1 … 8", "Ctrl+Z Ctrl+Y", "+ −", "C"];

history.replaceState = () => {}; // the address of a file does not say what is looked at

const recorded = JSON.parse(document.getElementById("recording").textContent);
const root = document.documentElement;
const button = document.getElementById("look");

function show(look) {
  const other = look === "dark" ? "light" : "dark";
  root.dataset.look = look;
  button.textContent = other === "dark" ? "Dark" : "Light";
  button.onclick = () => show(other);
  mountStage({ parentElement: document.body, data: { ...recorded }, setStateValue: () => {} });
}

// The address may end with #step=7 or #step=7&theme=dark: slides open the file so. Without it, it opens
// where it was exported.
const asked = () => new URLSearchParams(location.hash.slice(1));

function follow() {
  const step = asked().get("step") ?? "";
  if (!/^\d+$/.test(step)) return;
  const at = JSON.parse(recorded.opening).numbers.findLastIndex((number) => number <= +step);
  recorded.look = { ...recorded.look, at: Math.max(0, at) };
  recorded.links++; // as if a link had been followed
}

follow();
addEventListener("hashchange", () => {
  follow();
  show(root.dataset.look);
});
const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
show(["light", "dark"].find((look) => look === asked().get("theme")) ?? system);
for (const row of document.querySelectorAll(".help tr")) {
  row.hidden = OF_THE_APP.includes(row.cells[0].textContent);
}
