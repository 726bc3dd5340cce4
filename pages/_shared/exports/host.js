// The host of a recorded run: gives the stage what Streamlit would, once. All frames are there, and
// nobody has to be told of anything.

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
  mountStage({ parentElement: document.body, data: recorded, setStateValue: () => {} });
}

show(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
for (const row of document.querySelectorAll(".help tr")) {
  row.hidden = OF_THE_APP.includes(row.cells[0].textContent);
}
