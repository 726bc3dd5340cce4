// The list of keys, and the settings of the player that have no button of their own.

import { KEYS } from "./keys.js";

export class Help {
  /**
   * @param {HTMLElement} root
   * @param {import("./settings.js").Settings} settings
   */
  constructor(root, settings) {
    this.root = root;
    this.settings = settings;
    this.dialog = root.querySelector(".help");
    const rows = KEYS.map(([keys, what]) => {
      const row = document.createElement("tr");
      row.append(cell("th", keys), cell("td", what));
      return row;
    });
    this.dialog.querySelector("tbody").replaceChildren(...rows);
    this.boxes = this.dialog.querySelectorAll("input");
    for (const box of this.boxes) {
      box.onchange = () => {
        settings[box.name] = box.checked;
        settings.keep();
        this.show();
      };
    }
    this.dialog.querySelector("button").onclick = () => this.dialog.close();
    this.dialog.addEventListener("click", ({ target }) => {
      // these settings have checkboxes beside the list
      if (target === this.dialog) this.dialog.close();
    });
    this.show();
  }

  open() {
    this.show();
    this.dialog.showModal();
  }

  /** Switch a setting of the player on or off. @returns {boolean} whether it is on now */
  turn(name) {
    this.settings[name] = !this.settings[name];
    this.show();
    return this.settings[name];
  }

  show() {
    for (const box of this.boxes) box.checked = this.settings[box.name];
    this.root.classList.toggle("large-step", this.settings.large);
  }
}

/** @param {string} kind @param {string} text */
function cell(kind, text) {
  const node = document.createElement(kind);
  node.textContent = text;
  return node;
}
