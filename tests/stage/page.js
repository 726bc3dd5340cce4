// A page for the tests: as much of a browser's as the stage's parts ask for.

/** An element. What a selector finds is the same part every time, made when it is asked for. */
export class Part {
  constructor(tag = "") {
    this.tag = tag;
    this.children = [];
    this.parentNode = null;
    this.attributes = {};
    this.dataset = {};
    this.heard = {};
    this.found = {};
    this.hidden = false;
    this.textContent = "";
    this.classes = new Set();
    this.style = { setProperty: (name, value) => (this.style[name] = value) };
    this.box = { left: 0, top: 0, width: 100, height: 100 };
    const { classes } = this;
    this.classList = {
      add: (...names) => names.forEach((name) => classes.add(name)),
      remove: (...names) => names.forEach((name) => classes.delete(name)),
      contains: (name) => classes.has(name),
      toggle: (name, on = !classes.has(name)) => (on ? classes.add(name) : classes.delete(name)),
    };
  }

  get className() {
    return [...this.classes].join(" ");
  }
  set className(text) {
    this.classes.clear();
    text.split(" ").forEach((name) => this.classes.add(name));
  }
  get firstChild() {
    return this.children[0] ?? null;
  }
  get lastChild() {
    return this.children.at(-1) ?? null;
  }
  get lastElementChild() {
    return this.children.findLast((child) => child instanceof Part) ?? null;
  }
  get previousSibling() {
    const all = this.parentNode?.children ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }
  set innerHTML(_) {
    this.replaceChildren(new Part());
  }

  querySelector(selector) {
    return (this.found[selector] ??= new Part());
  }
  querySelectorAll(selector) {
    return (this.found[`all ${selector}`] ??= []);
  }
  closest() {
    return null;
  }
  contains(other) {
    return other === this || this.children.some((child) => child.contains?.(other));
  }
  appendChild(child) {
    this.append(child);
    return child;
  }
  append(...children) {
    for (const child of children) this.take(child, this.children.length);
  }
  prepend(child) {
    this.take(child, 0);
  }
  after(...others) {
    const all = this.parentNode.children;
    for (const other of others.reverse()) this.parentNode.take(other, all.indexOf(this) + 1);
  }
  before(other) {
    this.parentNode?.take(other, this.parentNode.children.indexOf(this));
  }
  take(child, place) {
    if (child instanceof Part) {
      child.remove();
      child.parentNode = this;
    }
    this.children.splice(place, 0, child);
  }
  replaceChildren(...children) {
    for (const child of [...this.children]) child.remove?.();
    this.children = [];
    this.append(...children);
  }
  remove() {
    const all = this.parentNode?.children;
    if (all?.includes(this)) all.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  addEventListener(type, listener) {
    this.heard[type] = listener;
  }
  getBoundingClientRect() {
    return this.box;
  }
  getComputedTextLength() {
    return 8 * this.textContent.length;
  }
  setPointerCapture() {}
  focus() {
    globalThis.document.activeElement = this;
  }

  /** All that it says, with what is in it. */
  get words() {
    return this.textContent + this.children.map((child) => child.words ?? child).join("");
  }
}

/** Give the global names of a browser to what is tested. */
export function openPage() {
  globalThis.window = new Part("window");
  globalThis.window.parent = globalThis.window; // in no frame
  globalThis.location = new URL("http://a.org/k_means?quiz=2&quiz_seed=1");
  globalThis.document = Object.assign(new Part("document"), {
    activeElement: null,
    documentElement: new Part("html"),
    createElement: (tag) => new Part(tag),
    createElementNS: (_, tag) => new Part(tag),
  });
  globalThis.getComputedStyle = () => ({ fontFamily: "Inter", getPropertyValue: () => "" });
  globalThis.ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  return new Part("section");
}

/** A plot of 100 by 100 pixels whose axes go from 0 to 10, without Plotly. */
export function flatPlot(figure = { data: [], layout: {} }) {
  const axis = { type: "linear", range: [0, 10], _offset: 0, _length: 100 };
  const div = Object.assign(new Part("div"), {
    _fullLayout: { xaxis: axis, yaxis: axis, _infolayer: { node: () => div.querySelector("info") } },
  });
  div.parentNode = new Part();
  return {
    div, figure, ready: true, zoom: null, axes: { x: axis, y: axis }, layer: { freeSide: () => "below" },
    area: () => ({ left: 0, top: 0, width: 100, height: 100 }),
    axesNow: () => "0 100",
    share: ({ clientX, clientY }) => ({ u: clientX / 100, v: 1 - clientY / 100 }),
    toData: ({ u, v }) => [10 * u, 10 * v],
    toShare: ([x, y]) => ({ u: x / 10, v: y / 10 }),
    toPixel: ([x, y]) => [10 * x, 100 - 10 * y],
    get drawnByStage() {
      return Boolean(this.figure.points || this.figure.marks || this.figure.edges);
    },
  };
}

export const THEME = {
  inks: { words: {}, lines: {} },
  scale: 1, grown: 1, name: "light", palette: ["#111111", "#222222", "#333333"],
  symbols: [0, 1, 2, 3], rim: 0.5, labelled: true, ink: "black", paper: "white", muted: "grey",
};
