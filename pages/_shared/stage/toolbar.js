// The row of tools: the chosen tool, the class to draw, undo and redo, and the number of points.

import { symbolPath } from "./symbols.js";

export class Toolbar {
  /**
   * @param {HTMLElement} root
   * @param {import("./theme.js").Theme} theme
   * @param {import("./settings.js").Settings} settings
   * @param {(label: number) => void} choose called with the class whose chip was pressed
   */
  constructor(root, theme, settings, choose) {
    this.root = root;
    this.theme = theme;
    this.choose = choose;
    this.tools = root.querySelectorAll("button[data-tool]");
    this.chips = root.querySelector(".classes");
    this.bind(root.querySelectorAll(".width select"), settings);
  }

  // Connect the fields for the width and density of brush and spray.
  bind(selects, settings) {
    ["width", "density"].forEach((name, i) => {
      selects[i].value = settings[name];
      selects[i].onchange = () => (settings[name] = +selects[i].value);
    });
  }

  /**
   * @param {object} now
   * @param {boolean} now.paintable
   * @param {string} now.tool
   * @param {number} now.label the class that is drawn
   * @param {string[] | null} now.classes
   * @param {boolean} now.undo
   * @param {boolean} now.redo
   * @param {number} now.count
   */
  show({ paintable, tool, label, classes, undo, redo, count }) {
    this.root.querySelector(".tools").hidden = !paintable;
    for (const button of this.tools) {
      button.setAttribute("aria-pressed", button.dataset.tool === tool);
      if (button.dataset.tool === "relabel") button.hidden = !classes;
    }
    this.root.querySelector(".width").hidden = tool !== "brush" && tool !== "spray";
    this.showClasses(classes, label);
    this.root.querySelector('[data-do="undo"]').disabled = !undo;
    this.root.querySelector('[data-do="redo"]').disabled = !redo;
    this.root.querySelector(".count").textContent = `${count} point${count === 1 ? "" : "s"}`;
  }

  showClasses(classes, label) {
    this.chips.hidden = !classes;
    const shown = JSON.stringify([classes, label, this.theme.name]);
    if (this.shown === shown) return;
    this.shown = shown;
    const { palette } = this.theme;
    const chips = (classes ? palette : []).map((_, i) => {
      return this.chip(classes[i] ?? `new class ${i + 1}`, i, i === label, i in classes);
    });
    const focused = this.chips.contains(document.activeElement);
    this.chips.replaceChildren(...chips);
    if (focused) this.chips.children[label]?.focus();
  }

  chip(name, i, chosen, used) {
    const { palette, symbols } = this.theme;
    const chip = document.createElement("button");
    chip.setAttribute("role", "radio");
    chip.setAttribute("aria-checked", chosen);
    chip.setAttribute("aria-label", `Class ${i + 1}: ${name}`);
    chip.title = `${name} (${i + 1})`;
    chip.classList.add(used ? "used" : "unused");
    const path = symbolPath(symbols[i], 5);
    chip.innerHTML = `<svg viewBox="-9 -9 18 18" aria-hidden="true"><path d="${path}" fill="${palette[i]}"/></svg>`;
    if (used) chip.appendChild(document.createElement("span")).textContent = name;
    chip.addEventListener("click", () => this.choose(i));
    return chip;
  }
}
