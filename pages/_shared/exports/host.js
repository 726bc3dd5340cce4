// The host of a recorded run: it gives the stage, once, the data that Streamlit would give. All
// frames are there, and no message has to be sent.

import { mountStage } from "../stage/stage.js";

// Keys that need the app, because they paint, zoom, open its controls or a room.
const OF_THE_APP = ["A B S", "M E L", "1 … 8", "Ctrl+Z Ctrl+Y", "+ −", "C", "G"];

history.replaceState = () => {}; // the address of a file does not hold the look

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

// The address may end with #step=7 or #step=7&theme=dark, for slides that show the file. By default it
// opens at the exported step.
const asked = () => new URLSearchParams(location.hash.slice(1));

function follow() {
  const step = asked().get("step") ?? "";
  if (!/^\d+$/.test(step)) return;
  const at = JSON.parse(recorded.opening).numbers.findLastIndex((number) => number <= +step);
  recorded.look = { ...recorded.look, at: Math.max(0, at) };
  recorded.links++; // as if a link had been followed, so that the stage goes to the step
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
