// The linked views beside the picture. As many views are open as there is room for; the others are
// folded to their titles. One view can swap places with the picture.

// Pixels at the usual size of type.
const LEAST_HEIGHT = 190; // of an open view whose share is 1, with its title
const FOLDED_HEIGHT = 30;

/**
 * Return the indices of the open views: as many of the wanted ones as have room, one at least.
 * @param {number[] | null} chosen those the user opened, the last one last; null: none yet
 * @param {number[]} shares of the column's height that the views take
 * @param {number} height of the column at the usual size of type
 */
export function openViews(chosen, shares, height) {
  const wanted = chosen ? [...chosen].reverse() : [...shares.keys()];
  const open = [];
  let needed = 0; // in shares
  for (const i of wanted.filter((i) => i < shares.length)) {
    needed += shares[i];
    const folded = FOLDED_HEIGHT * (shares.length - open.length - 1);
    if (open.length && needed * LEAST_HEIGHT + folded > height) break;
    open.push(i);
  }
  return chosen ? open.reverse() : open;
}

/** Return the open views after a click on a title. The last open view does not close. */
export function toggled(open, i) {
  if (!open.includes(i)) return [...open, i];
  return open.length > 1 ? open.filter((other) => other !== i) : open;
}

/** Return the index of the view that opens in the big place, or null. @param {{large?: boolean}[]} views */
export function opensLarge(views) {
  const i = views.findIndex(({ large }) => large);
  return i < 0 ? null : i;
}

export class Beside {
  /**
   * @param {HTMLElement} root the stage's
   * @param {object} theme
   * @param {(container: HTMLElement, div: HTMLElement) => import("./panel.js").Panel} makePanel
   */
  constructor(root, theme, makePanel) {
    this.root = root;
    this.theme = theme;
    this.makePanel = makePanel;
    this.panels = [];
    this.figures = [];
    /** @type {number[]} */
    this.shares = []; // of the column's height
    this.place = root.querySelector(".beside");
    this.chosen = null;
    this.large = null; // index of the view in the big place
    this.observer = new ResizeObserver(() => this.arrange());
    this.observer.observe(this.place);
  }

  /** Return what the user has opened and enlarged, so that it can be restored. */
  get arrangement() {
    return { count: this.panels.length, chosen: this.chosen, large: this.large };
  }

  /**
   * @param {import("./protocol.js").View[]} views
   * @param {{count: number, chosen: number[] | null, large: number | null}} [before]
   */
  setViews(views, before) {
    while (this.panels.length > views.length) {
      this.panels.pop().destroy();
      this.figures.pop().remove();
    }
    const { chosen, large } = before?.count === views.length ? before : { chosen: null, large: opensLarge(views) };
    this.chosen = chosen;
    this.large = large;
    this.shares = views.map(({ height }) => height);
    views.forEach(({ title, height }, i) => {
      if (!this.panels[i]) this.add(i);
      const [fold, enlarge] = this.buttons(i);
      fold.textContent = title;
      this.figures[i].setAttribute("aria-label", title);
      enlarge.setAttribute("aria-label", `Enlarge: ${title}`);
      this.figures[i].style.setProperty("--share", height);
      this.figures[i].classList.toggle("only", views.length === 1);
    });
    this.arrange();
  }

  add(i) {
    const figure = this.place.appendChild(document.createElement("figure"));
    figure.innerHTML =
      '<figcaption><button class="fold"></button>' +
      '<button class="table" title="As a table">▦</button>' +
      '<button class="enlarge" title="Enlarge, or shrink again">⤢</button></figcaption>' +
      '<div class="plot-box"><div></div></div>';
    this.figures[i] = figure;
    const [fold, enlarge] = this.buttons(i);
    fold.addEventListener("click", () => this.fold(i));
    enlarge.addEventListener("click", () => this.enlarge(i));
    const box = figure.querySelector(".plot-box");
    this.panels[i] = this.makePanel(box, box.firstChild);
  }

  buttons(i) {
    return [".fold", ".enlarge"].map((name) => this.figures[i].querySelector(name));
  }

  fold(i) {
    if (this.large !== null) this.large = i;
    else this.chosen = toggled(this.open, i);
    this.arrange();
  }

  /** Open a view, if it is folded. @param {number} i */
  unfold(i) {
    if (!this.figures[i].classList.contains("open")) this.fold(i);
  }

  enlarge(i) {
    this.large = this.large === i ? null : i;
    this.arrange();
  }

  // In one column there is room for all views, and none is larger.
  get stacked() {
    return getComputedStyle(this.place).getPropertyValue("--stacked").trim() === "yes";
  }

  get open() {
    return this.stacked ? [...this.shares.keys()] : openViews(this.chosen, this.shares, this.place.clientHeight / this.theme.scale);
  }

  arrange() {
    const swapped = this.large !== null && !this.stacked;
    const open = swapped ? [this.large] : this.open;
    this.root.classList.toggle("swapped", swapped);
    this.figures.forEach((figure, i) => {
      const [fold, enlarge] = this.buttons(i);
      figure.classList.toggle("open", open.includes(i));
      figure.classList.toggle("large", this.large === i);
      fold.setAttribute("aria-expanded", open.includes(i));
      enlarge.setAttribute("aria-pressed", this.large === i);
    });
  }

  destroy() {
    this.observer.disconnect();
    this.root.classList.remove("swapped");
    for (const panel of this.panels) panel.destroy();
    this.place.replaceChildren();
  }
}
