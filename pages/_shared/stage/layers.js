// Layers: marks of a view that are switched on and off together, by switches above the legend. A lab
// opens with its usual layers; a link names those that were switched since.

/** @typedef {import("./protocol.js").Layer} Layer */
/** @typedef {import("./protocol.js").Figure} Figure */

export class Layers {
  /**
   * @param {HTMLElement} root the stage's
   * @param {() => void} switched shows the step again
   */
  constructor(root, switched) {
    this.root = root;
    /** @type {Layer[]} */
    this.all = [];
    /** @type {Set<string>} */
    this.turned = new Set(); // the names of those that are not as the lab opens
    /** @type {any} */
    this.box = root.querySelector(".signs .layers");
    /** @type {any} */
    this.button = root.querySelector('[data-do="signs"]');
    this.box.addEventListener("change", (/** @type {any} */ { target }) => {
      this.turn(target.name);
      switched();
    });
  }

  /**
   * Offer the layers of some views.
   * @param {import("./protocol.js").View[]} views
   * @param {string[] | null} turned those that a link asks to switch; null: leave them as they are
   */
  offer(views, turned) {
    const all = views.flatMap(({ layers }) => layers ?? []);
    this.all = all.filter(({ name }, i) => all.findIndex((each) => each.name === name) === i);
    if (turned) this.turned = new Set(turned);
    const there = this.all.length > 0;
    this.box.hidden = !there;
    this.button.setAttribute("aria-label", there ? "Legend and layers" : "Legend");
    this.box.replaceChildren(this.box.querySelector("legend"), ...this.all.map((layer) => this.entry(layer)));
  }

  /** @param {Layer} layer */
  entry(layer) {
    const [label, box] = [document.createElement("label"), document.createElement("input")];
    Object.assign(box, { type: "checkbox", name: layer.name, checked: this.isOn(layer) });
    label.append(box, layer.name);
    return label;
  }

  /** @param {Layer} layer */
  isOn({ name, on }) {
    return on !== this.turned.has(name);
  }

  /** @param {string} name */
  turn(name) {
    if (!this.turned.delete(name)) this.turned.add(name);
  }

  /** The names for the address: of layers that this lab has. */
  get named() {
    return this.all.flatMap(({ name }) => (this.turned.has(name) ? [name] : []));
  }

  /**
   * Return a figure of a view without the layers that are off.
   * @param {import("./protocol.js").View} view
   * @param {Figure} figure
   */
  seen({ layers = [] }, figure) {
    const off = layers.filter((layer) => !this.isOn(layer)).flatMap(({ marks }) => marks);
    return off.length ? without(figure, off) : figure;
  }
}

/** @type {WeakMap<Figure, {off: string, made: Figure}>} */
const lessened = new WeakMap(); // the same figure without the same marks is one object: it is drawn once

/**
 * Return a figure without the marks that the legend calls by these names.
 * @param {Figure} figure
 * @param {string[]} off
 * @returns {Figure}
 */
export function without(figure, off) {
  const key = off.join("\n");
  const known = lessened.get(figure);
  if (known?.off === key) return known.made;
  const less = { ...figure, ...ownMarks(figure, off), data: figure.data.map((trace) => (off.includes(trace.name) ? { ...trace, visible: false } : trace)) };
  lessened.set(figure, { off: key, made: less });
  return less;
}

// What the stage draws itself.
/** @param {Figure} figure @param {string[]} off @returns {Partial<Figure>} */
function ownMarks({ points, marks, edges, signs = {} }, off) {
  const isOff = (/** @type {string | undefined} */ name) => name !== undefined && off.includes(name);
  const left = { ...signs };
  const bare = points && { ...points };
  for (const state of /** @type {const} */ (["size", "strength"])) {
    if (!isOff(signs[state])) continue;
    delete left[state];
    delete bare?.[state];
  }
  const sizes = marks?.sizes.map((size, kind) => (isOff(signs.marks?.[kind]) ? 0 : size));
  return {
    ...(points && { points: bare }),
    ...(marks && { marks: { ...marks, sizes } }),
    ...(edges && isOff(signs.edges) && { edges: undefined }),
    signs: left,
  };
}
