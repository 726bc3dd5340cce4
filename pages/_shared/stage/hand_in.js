// The end of a quiz: its result as a text to copy and as a file, and as a message to a page around it.

import { checkCode, facts, resultText } from "./result.js";

const HONEST = "The check code shows slips and casual edits, and not a determined fraud.";
const KEPT_FOR = 20_000; // milliseconds until the file's address is given back

export class HandIn {
  /** @param {() => void} again begins the quiz again */
  constructor(again) {
    this.again = again;
    this.name = "";
    /** @type {import("./result.js").Result} */
    this.result; // from the first quiz that is over
    /** @type {HTMLElement} */
    this.said; // what has become of the text
    this.sent = ""; // the result that the page around has
  }

  /**
   * What is shown of a result.
   * @param {import("./result.js").Result} result
   * @returns {any} an element
   */
  show(result) {
    this.result = result;
    this.tell();
    const place = document.createElement("p");
    place.className = "hand-in";
    const name = document.createElement("input");
    Object.assign(name, { placeholder: "Your name", ariaLabel: "Your name, for the result", value: this.name });
    name.oninput = () => (this.name = name.value);
    this.said = document.createElement("span");
    this.said.setAttribute("role", "status");
    const copy = button("Copy the result", () => this.copy());
    place.append(
      name, " ", copy, button("Save as text", () => this.save()), button("Again", this.again),
      this.said, ` ${HONEST}`,
    );
    return place;
  }

  get text() {
    return resultText({ ...this.result, name: this.name });
  }

  // Browsers give pages the clipboard over https, or on their own machine; others have the old way.
  async copy() {
    const field = document.createElement("textarea");
    field.value = this.text;
    this.said.after(field);
    field.select();
    const old = () => document.execCommand("copy");
    const copied = await (navigator.clipboard?.writeText(field.value).then(() => true, old) ?? old());
    if (copied) field.remove();
    this.said.textContent = copied ? " Copied." : " Press Ctrl+C.";
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.text], { type: "text/plain" }));
    link.download = `chalkline-quiz-${this.name.replace(/[^\p{L}\d]+/gu, "-") || "result"}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR);
    this.said.textContent = ` Saved ${link.download}.`;
  }

  // A page that frames the quiz is told once.
  tell() {
    const told = facts(this.result);
    const sent = JSON.stringify(told);
    if (window.parent === window || sent === this.sent) return;
    this.sent = sent;
    window.parent.postMessage({ chalkline: { ...told, code: checkCode(sent) } }, "*");
  }
}

/** @param {string} text @param {() => void} press */
function button(text, press) {
  const node = document.createElement("button");
  node.textContent = text;
  node.onclick = press;
  return node;
}
