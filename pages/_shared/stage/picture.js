// The picture as a file: one SVG with what Plotly and the stage have drawn, and the handles.

import { svgNode } from "./svg.js";

const COPIED = ["fill", "fill-opacity", "stroke", "stroke-width", "opacity", "paint-order"];
const HALF_A_CAPITAL = "0.34em"; // from the middle of a line down to its foot
// parts that only serve the pointer
const FOR_POINTER = ".draglayer, .hoverlayer, .menulayer, .selectionlayer";

/**
 * Return the picture in the big place as it looks now, alone or with the open linked views.
 * @param {HTMLElement} stage
 * @param {object} how
 * @param {boolean} how.whole with the linked views
 * @param {boolean} [how.clear] without a ground
 * @returns {SVGElement} as large as on the screen
 */
export function pictureOf(stage, { whole, clear = false }) {
  const large = stage.classList.contains("swapped") ? ".beside .large .plot-box" : ".picture";
  const boxes = [...stage.querySelectorAll(whole ? ".picture, .beside .open .plot-box" : large)];
  const shown = boxes.filter((box) => box.clientWidth && box.querySelector(".main-svg"));
  const named = whole ? [...stage.querySelectorAll(".picture .name, .beside .open .fold")] : [];
  const titles = named.filter((title) => title.clientWidth);
  const area = boxAround([...shown, ...titles]);
  const svg = svgNode("svg", { width: area.width, height: area.height,
    viewBox: `0 0 ${area.width} ${area.height}` });
  const paper = getComputedStyle(stage).getPropertyValue("--st-background-color").trim();
  if (!clear) svg.append(svgNode("rect", { width: area.width, height: area.height, fill: paper }));
  for (const box of shown) {
    const { left, top } = box.getBoundingClientRect();
    const place = `translate(${left - area.left},${top - area.top})`;
    const part = svg.appendChild(svgNode("g", { transform: place }));
    for (const drawn of box.querySelectorAll(".main-svg")) part.append(copyDrawn(drawn));
    for (const handle of box.querySelectorAll(".handle:not([hidden])")) part.append(discOf(handle, box));
  }
  for (const title of titles) svg.append(wordsOf(title, area, "start"));
  if (clear) for (const ground of svg.querySelectorAll(".bglayer .bg")) ground.style.fill = "none";
  return svg;
}

/** Return an SVG as text, `width` pixels wide. @param {any} svg @param {number} width */
export function svgText(svg, width) {
  const [wide, high] = ["width", "height"].map((name) => +svg.getAttribute(name));
  svg.setAttribute("width", width);
  svg.setAttribute("height", Math.round((width * high) / wide));
  return new XMLSerializer().serializeToString(svg);
}

/** Return an SVG as an image, `width` pixels wide. @param {any} svg @param {number} width */
export async function imageOf(svg, width) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svgText(svg, width)], { type: "image/svg+xml" }));
  await image.decode();
  URL.revokeObjectURL(image.src);
  return image;
}

/**
 * Return a PNG of an SVG, with `perInch` pixels to an inch on paper.
 * @param {any} svg
 * @param {number} width pixels
 * @param {number} perInch
 */
export async function pngOf(svg, width, perInch) {
  const image = await imageOf(svg, width);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, +svg.getAttribute("height")];
  /** @type {any} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((made) => canvas.toBlob(made, "image/png"));
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return new Blob([withResolution(bytes, perInch)], { type: "image/png" });
}

/** Return a PNG that states its size on paper, in a second chunk after the first. @param {Uint8Array} png @param {number} perInch */
export function withResolution(png, perInch) {
  const first = 33; // bytes of the signature and the first chunk
  const perMetre = Math.round(perInch / 0.0254);
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, 9);
  chunk.set([..."pHYs"].map((letter) => letter.charCodeAt(0)), 4);
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  chunk[16] = 1; // pixels per metre
  view.setUint32(17, pngSum(chunk.subarray(4, 17)));
  const all = new Uint8Array(png.length + chunk.length);
  all.set(png.subarray(0, first));
  all.set(chunk, first);
  all.set(png.subarray(first), first + chunk.length);
  return all;
}

// Return the CRC of the PNG standard.
/** @param {Uint8Array} bytes */
function pngSum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

// Return the smallest box around some elements.
/** @param {any[]} elements */
function boxAround(elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top;
  return { left, top, width, height };
}

// Return a copy that looks the same without the page's style sheets, which only our layer uses.
/** @param {any} drawn */
function copyDrawn(drawn) {
  const copy = drawn.cloneNode(true);
  const ours = (/** @type {any} */ root) => root.querySelectorAll(".stage-layer, .stage-layer *");
  const copies = ours(copy);
  ours(drawn).forEach((/** @type {any} */ node, /** @type {number} */ i) => {
    const style = getComputedStyle(node);
    for (const name of COPIED) copies[i].style.setProperty(name, plainColor(style.getPropertyValue(name)));
  });
  for (const node of copy.querySelectorAll(FOR_POINTER)) node.remove();
  // Plotly's lines would stay as thin as on the screen, however large the picture is.
  for (const node of copy.querySelectorAll("[style*=vector-effect]")) {
    node.style.removeProperty("vector-effect");
  }
  return copy;
}

// Draw a handle, which is an element of the page: its disc, ring or bar, cross hair, and number.
/** @param {any} handle @param {any} box */
function discOf(handle, box) {
  const group = svgNode("g");
  const style = getComputedStyle(handle);
  const [outer, own] = [box, handle].map((element) => element.getBoundingClientRect());
  const edge = parseFloat(style.borderTopWidth);
  const [width, height] = [own.width - edge, own.height - edge];
  const [x, y] = [own.left - outer.left + edge / 2, own.top - outer.top + edge / 2];
  const round = style.borderTopLeftRadius.endsWith("%") ? Math.min(width, height) / 2
    : parseFloat(style.borderTopLeftRadius);
  group.append(svgNode("rect", { x, y, width, height, rx: round, "stroke-width": edge,
    fill: plainColor(style.backgroundColor), stroke: plainColor(style.borderTopColor) }));
  if (handle.classList.contains("query")) {
    const [cx, cy, tick] = [x + width / 2, y + height / 2, 10];
    const d = `M${x},${cy}h${tick}M${x + width},${cy}h${-tick}M${cx},${y}v${tick}` +
      `M${cx},${y + height}v${-tick}`;
    group.append(svgNode("path", { d, fill: "none", stroke: plainColor(style.borderTopColor), "stroke-width": 2 }));
  }
  if (handle.classList.contains("pin")) {
    const [cx, foot] = [x + width / 2, y + height];
    const d = `M${cx - width / 4},${foot - height / 6}L${cx},${foot + height / 8}L${cx + width / 4},${foot - height / 6}Z`;
    group.prepend(svgNode("path", { d, fill: plainColor(style.backgroundColor) })); // the tip, which is at the place
  }
  if (handle.textContent) group.append(wordsOf(handle, outer, "middle"));
  return group;
}

// Draw the text of an element at its place in an area.
/** @param {any} element @param {any} area @param {string} anchor */
function wordsOf(element, area, anchor) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const x = (anchor === "middle" ? box.left + box.width / 2 : box.left) - area.left;
  const text = svgNode("text", { x, y: box.top + box.height / 2 - area.top, "text-anchor": anchor,
    dy: HALF_A_CAPITAL, "font-size": style.fontSize, "font-weight": style.fontWeight,
    "font-family": style.fontFamily, fill: plainColor(style.color) });
  text.textContent = element.textContent;
  return text;
}

// Write a mixed colour, as browsers return it, in a form that every program reads.
/** @param {string} value */
function plainColor(value) {
  const mixed = value.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.]+))?\)$/);
  if (!mixed) return value;
  const parts = mixed.slice(1, 4).map((part) => Math.round(255 * +part));
  return mixed[4] ? `rgba(${parts},${mixed[4]})` : `rgb(${parts})`;
}
