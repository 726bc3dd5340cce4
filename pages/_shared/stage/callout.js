// A card that points at something on the page, which lights up, with a sentence and buttons. It takes
// neither the focus nor the keys, and stays beside what it points at when that moves.

const GAP = 14; // pixels between the card and what it points at
const EDGE = 8; // ... and the edge of the window
const MOVED_EVERY = 150; // milliseconds: handles move with the steps
const LIT = "pointed-at"; // the class of what a card points at
const COLORS = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"];

/**
 * Return where a card stands: below what it points at, or above if there is no room below.
 * @param {{left: number, right: number, top: number, bottom: number}} target
 * @param {{width: number, height: number}} card
 * @param {{width: number, height: number}} page
 */
export function cardPlace(target, card, page) {
  const middle = (target.left + target.right) / 2;
  const left = Math.max(EDGE, Math.min(middle - card.width / 2, page.width - card.width - EDGE));
  const above = target.bottom + GAP + card.height + EDGE > page.height;
  const top = above ? Math.max(EDGE, target.top - GAP - card.height) : target.bottom + GAP;
  const arrow = Math.max(12, Math.min(middle - left, card.width - 12));
  return { left, top, above, arrow };
}

export class Callout {
  /** @param {HTMLElement} root the stage's, for its colours */
  constructor(root) {
    this.root = root;
    /** @type {HTMLElement | null} */
    this.target = null;
    this.node = document.createElement("div");
    this.node.className = "callout";
    this.node.setAttribute("role", "group");
    this.words = document.createElement("p");
    this.words.setAttribute("role", "status");
    this.buttons = document.createElement("div");
    this.node.append(this.words, this.buttons);
    this.timer = 0;
  }

  /**
   * Point at an element.
   * @param {HTMLElement} target
   * @param {string} name of the card, such as "First visit, 1 of 3"
   * @param {string} text
   * @param {[string, () => void][]} buttons their words, and what they do
   */
  show(target, name, text, buttons) {
    this.leave();
    target.classList.add(LIT);
    const style = getComputedStyle(this.root);
    for (const color of COLORS) this.node.style.setProperty(color, style.getPropertyValue(color));
    this.target = target;
    this.node.setAttribute("aria-label", name);
    this.buttons.replaceChildren(
      ...buttons.map(([words, act]) => {
        const button = document.createElement("button");
        button.textContent = words;
        button.onclick = act;
        return button;
      }),
    );
    document.body.append(this.node);
    this.words.textContent = text;
    this.place();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.place(), MOVED_EVERY);
  }

  place() {
    if (!this.target) return;
    const { offsetWidth: width, offsetHeight: height, style } = this.node;
    const page = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const { left, top, above, arrow } = cardPlace(this.target.getBoundingClientRect(), { width, height }, page);
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.setProperty("--arrow", `${arrow}px`);
    this.node.classList.toggle("above", above);
  }

  leave() {
    this.target?.classList.remove(LIT);
    this.target = null;
  }

  hide() {
    clearInterval(this.timer);
    this.leave();
    this.node.remove();
  }
}
