// The caption of the step, and notices of what has just happened.

const ABOUT_THE_PICKED = /(?=\b(?:The picked|Picked|At the (?:ring|cross hair))\b)/;
const POWER = /\^(\([^()]*\)|−?\d+(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|[a-z]\b)/u;

/**
 * Text with its powers raised. The caret before each is not seen, but read and copied.
 * @param {string} text
 */
function withPowers(text) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  for (const [i, part] of text.split(POWER).entries()) {
    if (i % 2 === 0) parts.push(part);
    else {
      const caret = Object.assign(document.createElement("span"), { className: "caret", textContent: "^" });
      parts.push(caret, Object.assign(document.createElement("sup"), { textContent: part }));
    }
  }
  return parts;
}

/** A further line of a caption. The sentence about the picked point begins with a small ring. @param {string} text */
function captionLine(text) {
  const line = document.createElement("span");
  line.className = "line";
  for (const part of text.split(ABOUT_THE_PICKED)) {
    if (ABOUT_THE_PICKED.test(part)) line.append(Object.assign(document.createElement("i"), { className: "of-picked" }));
    line.append(...withPowers(part));
  }
  return line;
}

export class Words {
  /** @param {HTMLElement} root the stage's */
  constructor(root) {
    this.caption = root.querySelector(".caption");
    this.notice = root.querySelector(".notice");
    this.picture = root.querySelector(".picture");
    this.shown = "";
    this.told = document.createElement("span");
  }

  /**
   * Show a step's caption. An unchanged caption is not replaced, so that a selection in it stays.
   * @param {string} text a plain sentence, and on further lines the rule with its numbers
   * @param {string} title of the picture
   * @param {string} answer its end, or ""; see `tell`
   * @returns {string} the plain sentence
   */
  show(text, title, answer = "") {
    const [first, ...rest] = text.replaceAll(" %", "\u00a0%").split("\n");
    this.picture.setAttribute("aria-label", `${title}. ${first}`);
    const both = `${text}\n${answer}`;
    if (both === this.shown) return first;
    this.shown = both;
    const strong = document.createElement("strong");
    strong.textContent = first;
    const below = document.createElement("span");
    below.className = "rest";
    below.id = "step-numbers"; // they describe a picked point, too
    below.append(...rest.map(captionLine));
    this.told.replaceChildren(...(answer ? [` ${answer}`] : []));
    (below.lastElementChild ?? below).append(this.told);
    this.caption.replaceChildren(strong, below);
    return first;
  }

  /** Show the answer in the caption, or keep it back. @param {boolean} open */
  tell(open) {
    this.told.hidden = !open;
  }

  /** Show a short notice. @param {string} what a sentence without its full stop */
  say(what) {
    this.notice.textContent = `${what}.`;
    this.hush();
    void this.notice.offsetWidth; // restarts the animation
    this.notice.classList.add("shown");
  }

  /** Forget the notice, so that it is not read where it does not belong. */
  forget() {
    this.hush();
    this.notice.textContent = "";
  }

  /** Show no notice any more. */
  hush() {
    this.notice.classList.remove("shown");
  }
}
