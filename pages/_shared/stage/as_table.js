// A view for who cannot see it: a sentence about what it shows, and a button that opens its numbers
// as a table. Both come from the figure, so that no lab can forget them.

import { inWords } from "./in_words.js";
import { written } from "./readings.js";
import { tables } from "./tables.js";

const RESTING = 400; // milliseconds: while a run plays, nothing is put into words
const HIDDEN = "Hidden until the answer is given or opened, because it shows later steps.";

let made = 0; // sentences, for their names in the page

export class AsTable {
  /**
   * @param {HTMLElement} div that the plot is drawn in
   * @param {any} button that opens the table
   * @param {any} dialog shared by all views
   */
  constructor(div, button, dialog) {
    this.button = button;
    this.dialog = dialog;
    this.title = "";
    /** @type {import("./protocol.js").Figure | null} */
    this.figure = null;
    /** @type {string[] | null} */
    this.classes = null;
    this.veiled = false;
    this.timer = 0;
    this.sentence = document.createElement("p");
    this.sentence.className = "in-words";
    this.sentence.hidden = true; // what describes something else need not be seen
    this.sentence.id = `in-words-${++made}`;
    div.parentNode?.append(this.sentence);
    div.setAttribute("aria-describedby", this.sentence.id);
    button.onclick = () => this.open();
  }

  /**
   * A step is shown.
   * @param {string} title of the view
   * @param {import("./protocol.js").Figure} figure
   * @param {string[] | null} classes the names of the points' groups, if they are classes
   */
  show(title, figure, classes) {
    this.title = title;
    this.figure = figure;
    this.classes = classes;
    this.button.setAttribute("aria-label", `As a table: ${title}`);
    this.later();
  }

  /** Tell nothing while a question waits. @param {boolean} veiled */
  setVeiled(veiled) {
    this.veiled = veiled;
    this.button.disabled = veiled;
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), RESTING);
  }

  write() {
    if (!this.figure) return;
    this.sentence.textContent = this.veiled ? HIDDEN : inWords(this.figure, this.classes);
  }

  open() {
    if (!this.figure || this.veiled) return;
    const { dialog, title, figure, classes } = this;
    dialog.querySelector("h2").textContent = title;
    dialog.querySelector("p").textContent = inWords(figure, classes);
    dialog.querySelector("div").replaceChildren(...tables(figure, classes).map(tableOf));
    dialog.querySelector("button").onclick = () => dialog.close();
    dialog.onclick = (/** @type {Event} */ { target }) => target === dialog && dialog.close();
    dialog.showModal(); // the focus goes back to the button when it closes
  }

  destroy() {
    clearTimeout(this.timer);
    this.sentence.remove();
  }
}

/** @param {import("./tables.js").Table} table */
function tableOf({ caption, columns, rows }) {
  const node = document.createElement("table");
  node.createCaption().textContent = caption;
  const head = node.createTHead().insertRow();
  for (const column of columns) head.append(headingOf(column, "col"));
  const body = node.createTBody();
  for (const [first, ...others] of rows) {
    const row = body.insertRow();
    row.append(headingOf(written(first), "row"));
    for (const other of others) row.insertCell().textContent = written(other);
  }
  return node;
}

/** @param {string} text @param {string} scope */
function headingOf(text, scope) {
  const node = document.createElement("th");
  node.scope = scope;
  node.textContent = text;
  return node;
}
