// The legend on demand: every mark of the picture by its name. Pointing at an entry, or going to it
// by the keyboard, lights up the mark in the picture; a press keeps the light on.

import { light, sample, signsOf } from "./signs.js";

const AFTER_A_STEP = 60; // milliseconds after a step has been drawn

export class SignsPanel {
  /**
   * @param {HTMLElement} root the stage's
   * @param {() => import("./panel.js").Panel[]} panels those whose marks are named
   */
  constructor(root, panels) {
    this.root = root;
    this.panels = panels;
    this.box = root.querySelector(".signs");
    this.button = root.querySelector('[data-do="signs"]');
    /** @type {string[] | null} */
    this.classes = null;
    /** @type {string | null} */
    this.kept = null; // the entry that was pressed
    /** @type {string | null} */
    this.lit = null;
    this.unlisted = false; // it is open for a print only
    this.listed = "";
    this.timer = 0;
    /** @type {(import("./signs.js").Sign & {panel: import("./panel.js").Panel})[]} */
    this.signs = [];
    const [list, close] = [this.box.querySelector("ul"), this.box.querySelector(".close")];
    this.list = list;
    close.onclick = () => this.close();
    /** @type {Record<string, (event: any) => void>} */
    const heard = {
      pointerover: (event) => this.light(nameAt(event) ?? this.kept),
      pointerleave: () => this.light(this.kept),
      focusin: (event) => this.light(nameAt(event)),
      focusout: () => this.light(this.kept),
      click: (event) => this.keep(nameAt(event)),
    };
    for (const [event, hear] of Object.entries(heard)) list.addEventListener(event, hear);
  }

  get open() {
    return !this.box.hidden;
  }

  toggle() {
    if (this.open) return this.close();
    this.box.hidden = false;
    this.button.setAttribute("aria-pressed", "true");
    this.refresh();
    this.box.querySelector(".layers input, ul button")?.focus({ preventScroll: true });
    this.box.scrollIntoView({ block: "nearest" }); // it may be below the picture
  }

  /** Close the legend. @returns {boolean} whether it was open */
  close() {
    if (!this.open) return false;
    const inside = this.box.contains(document.activeElement);
    this.kept = null;
    this.light(null);
    this.box.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    if (inside) this.button.focus({ preventScroll: true });
    return true;
  }

  /** List all marks on paper, where none is lit up. */
  prepare() {
    this.unlisted ||= !this.open;
    this.box.hidden = false;
    this.lit = null;
    this.listed = "";
    this.refresh();
  }

  restore() {
    if (this.unlisted) this.box.hidden = true;
    this.unlisted = false;
    this.light(this.kept);
  }

  /** A step has been drawn. @param {string[] | null} classes the names of the points' groups */
  shown(classes) {
    this.classes = classes;
    clearTimeout(this.timer);
    if (this.open) this.timer = setTimeout(() => this.refresh(), AFTER_A_STEP);
  }

  // The list is made again only if it holds other marks, so that the focus stays where it is.
  refresh() {
    this.signs = this.panels().filter(({ plot }) => plot.ready).flatMap((panel) =>
      signsOf(panel, this.classes).map((sign) => ({ ...sign, panel })),
    );
    const names = [...new Set(this.signs.map(({ name }) => name))];
    const listed = JSON.stringify([names, this.root.dataset.theme]);
    if (listed !== this.listed) {
      for (const panel of this.panels()) light(panel, null); // samples have the usual look
      const focused = nameAt({ target: document.activeElement });
      this.list.replaceChildren(...names.map((name) => this.entry(name)));
      if (focused !== null) this.entries.find((node) => node.dataset.name === focused)?.focus();
    }
    this.listed = listed;
    if (this.kept && !names.includes(this.kept)) this.kept = null;
    this.light(this.lit);
  }

  get entries() {
    return [...this.list.querySelectorAll("button")];
  }

  /** @param {string} name */
  entry(name) {
    const item = document.createElement("li");
    const button = item.appendChild(document.createElement("button"));
    button.dataset.name = name;
    button.setAttribute("aria-pressed", "false");
    const words = document.createElement("span");
    words.textContent = name;
    const samples = this.signs.filter((each) => each.name === name).slice(0, 1).map(sample);
    button.append(...samples, words);
    return item;
  }

  /** @param {string | null} name */
  keep(name) {
    if (name === null) return;
    this.kept = this.kept === name ? null : name;
    this.light(this.kept);
  }

  /** Light up the marks with a name. @param {string | null} name */
  light(name) {
    this.lit = name;
    for (const panel of this.panels()) {
      const sign = name === null ? null : this.signs.find((each) => each.name === name && each.panel === panel);
      light(panel, sign ?? (name === null ? null : { name, nodes: [] }));
    }
    for (const node of this.entries) node.setAttribute("aria-pressed", `${node.dataset.name === this.kept}`);
  }

  destroy() {
    clearTimeout(this.timer);
    this.close();
  }
}

/** Return the name of the entry that an event is about. @param {{target: any}} event @returns {string | null} */
const nameAt = ({ target }) => target?.closest?.(".signs li button")?.dataset.name ?? null;
