// The list of keys, with the two ways of playing that have no button of their own.

import { KEYS } from "./keys.js";

export class Help {
  /**
   * @param {HTMLElement} root
   * @param {{loop: boolean, stops: boolean}} playing how to play, shared by all labs
   */
  constructor(root, playing) {
    Object.assign(this, { playing });
    this.dialog = root.querySelector(".help");
    const rows = KEYS.map(([keys, what]) => {
      const row = document.createElement("tr");
      row.append(cell("th", keys), cell("td", what));
      return row;
    });
    this.dialog.querySelector("tbody").replaceChildren(...rows);
    this.boxes = this.dialog.querySelectorAll("input");
    for (const box of this.boxes) {
      box.onchange = () => (playing[box.name] = box.checked);
    }
    this.dialog.querySelector("button").onclick = () => this.dialog.close();
    this.dialog.addEventListener("click", ({ target }) => {
      if (target === this.dialog) this.dialog.close(); // beside the list
    });
  }

  open() {
    this.show();
    this.dialog.showModal();
  }

  show() {
    for (const box of this.boxes) box.checked = this.playing[box.name];
  }
}

function cell(kind, text) {
  const node = document.createElement(kind);
  node.textContent = text;
  return node;
}
