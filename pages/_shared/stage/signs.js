// What is drawn in a view, mark by mark: its meaning, what it looks like, and the elements that are
// it. The meaning of a trace is its name; a view declares that of the stage's own marks in `signs`.

import { unpack } from "./packing.js";
import { svgNode } from "./svg.js";
import { nameOf } from "./legend.js";

const TRACES = ".trace, .im, .hm, .contour"; // Plotly's groups of a scatter or bar trace, an image, ...
const SAMPLE_WIDE = 34; // pixels of a sample
const SAMPLE_HIGH = 22;

/** Styles that a copy of a mark needs, since the rules of the page do not reach it. */
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "paint-order"];

/**
 * A mark of the picture.
 * @typedef {object} Sign
 * @property {string} name
 * @property {Element[]} nodes that draw it
 * @property {boolean} [ofClass] it is the points of one class
 * @property {string} [handle] the name of what is dragged
 */

/** @param {Element} root @param {string} what @returns {any[]} */
const allIn = (root, what) => [...root.querySelectorAll(what)];

/** Return whether an element draws anything. @param {any} node */
function isSeen(node) {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 || height > 0;
}

/** The traces, by their names. @param {any} div that Plotly has drawn in @returns {Sign[]} */
function signsOfTraces(div) {
  return allIn(div, TRACES).map((node) => {
    const { trace } = node.__data__?.[0] ?? {};
    const name = trace?._input?.name; // Plotly calls a trace without a name "trace 2"
    return { name: name && trace.visible === true ? name : "", nodes: [node] };
  });
}

/** The points that are in some state. @param {any[]} nodes @param {(i: number) => any} is @param {string | undefined} name @returns {Sign} */
const having = (nodes, is, name = "") => ({ name, nodes: nodes.filter((_, i) => is(i)) });

/**
 * The points by their states and, where these are classes, by them.
 * @param {any} div
 * @param {import("./protocol.js").Figure} figure
 * @param {string[] | null} classes
 * @returns {Sign[]}
 */
function signsOfPoints(div, { points: drawn, signs }, classes) {
  const nodes = allIn(div, ".stage-points path");
  if (!drawn || nodes.length === 0) return [];
  const [group, wrong, strength] = [drawn.group, drawn.wrong, drawn.strength].map(unpack);
  const used = classes && !signs?.points ? [...new Set(group)].sort((a, b) => a - b) : [];
  const named = used.map((label) => ({ ...having(nodes, (i) => group[i] === label, `point of ${nameOf(label, classes).replace(/^(?!class )/, "class ")}`), ofClass: true }));
  const plain = used.length ? [] : [having(nodes, (i) => !wrong[i], signs?.points ?? "data point")];
  return [
    ...named,
    ...plain,
    having(nodes, (i) => wrong[i], signs?.wrong ?? "thick outline: put into the wrong class"),
    having(nodes, () => true, signs?.size),
    having(nodes, (i) => strength.length > 0 && strength[i] < 255, signs?.strength),
    { name: "pale dot in the middle: held out, nothing is learned from this point", nodes: allIn(div, ".stage-held path") },
    { name: "pie: belongs to several groups, by these shares", nodes: allIn(div, ".stage-pies > g") },
  ];
}

/** Marks over points, and connections. @param {any} div @param {import("./protocol.js").Figure} figure @returns {Sign[]} */
function signsOfMarks(div, { marks: drawn, signs }) {
  const kinds = [...unpack(drawn?.kind)].filter((kind) => (drawn?.sizes[kind] ?? 0) > 0);
  const nodes = allIn(div, ".stage-marks path");
  const by = (signs?.marks ?? []).map((name, kind) => having(nodes, (i) => kinds[i] === kind, name));
  return [...by, { name: signs?.edges ?? "", nodes: allIn(div, ".stage-edges path") }];
}

/** What is dragged. @param {Element} container @returns {Sign[]} */
const signsOfHandles = (container) =>
  allIn(container, ".handle:not([hidden], .pin, .choice)").map((node) => {
    const handle = node.getAttribute("aria-label").replace(/ at .*|:.*/, "").replace(/ \d+$/, "");
    return node.inert ? { name: handle, nodes: [node] } : { name: `drag: ${handle}`, nodes: [node], handle };
  });

/**
 * Return the signs of a view that are seen now, each name once.
 * @param {import("./panel.js").Panel} panel
 * @param {string[] | null} classes the names of the points' groups, if they are classes
 * @returns {Sign[]}
 */
export function signsOf({ plot, container }, classes) {
  const { div, figure } = plot;
  const found = [...signsOfPoints(div, figure, classes), ...signsOfMarks(div, figure), ...signsOfTraces(div), ...signsOfHandles(container)];
  /** @type {Map<string, Sign>} */
  const byName = new Map();
  for (const sign of found) {
    const seen = sign.name ? sign.nodes.filter(isSeen) : [];
    const known = byName.get(sign.name);
    if (known) known.nodes.push(...seen);
    else if (seen.length) byName.set(sign.name, { ...sign, nodes: seen });
  }
  return [...byName.values()];
}

/**
 * Light up a sign of a view; null: none.
 * @param {import("./panel.js").Panel} panel
 * @param {Sign | null} sign
 */
export function light({ container }, sign) {
  for (const node of allIn(container, ".lit")) node.classList.remove("lit");
  container.classList.toggle("lighting", Boolean(sign));
  for (const node of sign?.nodes ?? []) node.classList.add("lit");
}

/** Return what a sign looks like. @param {Sign} sign @returns {Element} */
export function sample({ name, nodes: [node] }) {
  if (node.matches(".handle")) return handleSample(/** @type {HTMLElement} */ (node));
  const viewBox = `${-SAMPLE_WIDE / 2} ${-SAMPLE_HIGH / 2} ${SAMPLE_WIDE} ${SAMPLE_HIGH}`;
  const svg = svgNode("svg", { viewBox, "aria-hidden": "true" });
  svg.append(...shapesOf(node), ...(name.startsWith("hatched") ? STRIPES.map(stripe) : []));
  return svg;
}

/** @param {any} node @returns {Element[]} */
function shapesOf(node) {
  if (node.matches(".im, .hm")) return [patchOf({ fill: "currentColor", "fill-opacity": "0.25" })];
  const line = node.matches(".stage-edges path") ? node : node.querySelector(".js-line");
  const area = node.querySelector(".js-fill");
  if (node.matches(".stage-held path")) return [patchOf({ fill: "currentColor", rx: "8", x: "-8", y: "-8", width: "16", height: "16" }), dressed(svgNode("circle", { r: "4" }), node)];
  const bar = node.querySelector(".point > path");
  const mark = node.matches(".stage-layer *") ? node : node.querySelector(".points path");
  const text = node.querySelector("text");
  const made = [
    bar && !mark ? dressed(patchOf({}), bar) : null,
    area ? dressed(patchOf({}), area) : null,
    line ? dressed(svgNode("path", { d: `M${3 - SAMPLE_WIDE / 2},0H${SAMPLE_WIDE / 2 - 3}` }), line) : null,
    mark && mark !== line ? copyOf(mark) : null,
  ].filter(Boolean);
  if (made.length || !text) return /** @type {Element[]} */ (made);
  const word = dressed(svgNode("text", { "text-anchor": "middle", dy: "0.35em", "font-size": "13" }), text);
  word.textContent = text.textContent.slice(0, 5);
  return [word];
}

/** @param {Record<string, string>} how */
const patchOf = (how) => svgNode("rect", { x: `${4 - SAMPLE_WIDE / 2}`, y: `${3 - SAMPLE_HIGH / 2}`, width: `${SAMPLE_WIDE - 8}`, height: `${SAMPLE_HIGH - 6}`, ...how });

// Where the stripes of a hatched region's sample are, across.
const STRIPES = [-8, 0, 8];

/** @param {number} x */
const stripe = (x) => svgNode("path", { d: `M${x - 4},${SAMPLE_HIGH / 2 - 4}L${x + 4},${4 - SAMPLE_HIGH / 2}`, stroke: "currentColor", "stroke-width": "2" });

/** Give a node the look of another. @param {any} node @param {Element} like */
function dressed(node, like) {
  const style = getComputedStyle(like);
  for (const name of LOOKS) node.style.setProperty(name, style.getPropertyValue(name));
  return node;
}

// A copy in the middle, and no larger than the sample.
/** @param {any} mark */
function copyOf(mark) {
  const copy = mark.cloneNode(true);
  [copy, ...copy.children].forEach((node, i) => dressed(node, i ? mark.children[i - 1] : mark));
  const { x, y, width, height } = mark.getBBox();
  const size = Math.min(1, (SAMPLE_HIGH - 4) / Math.max(width, height, 1));
  copy.setAttribute("transform", `scale(${size}) translate(${-x - width / 2},${-y - height / 2})`);
  copy.classList.remove("lit");
  return copy;
}

/** @param {HTMLElement} handle */
function handleSample(handle) {
  const copy = document.createElement("span");
  copy.className = `${handle.className} sample`;
  copy.classList.remove("lit");
  copy.textContent = handle.textContent;
  copy.style.cssText = handle.style.cssText;
  copy.style.left = copy.style.top = copy.style.translate = "";
  copy.dataset.along = handle.dataset.along;
  return copy;
}
