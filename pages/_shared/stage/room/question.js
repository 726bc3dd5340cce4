// The open question of Predict as a room is asked it: with its picture, and without its answer.

import { imageOf, pictureOf } from "../picture.js";

const ON_A_PHONE = 720; // pixels of the picture on a phone
const LARGEST = 660_000; // characters of it as base64; the server takes no more
const WIDER = 0.5; // of the options' range: room for other numbers on both sides

/** @typedef {"buttons" | "tap" | "number"} Way */

/** Return the numbers that the options are, or null. @param {import("../protocol.js").Question} question */
function numbersOf({ options }) {
  const found = options.map(({ text }) => (/^[-−]?\d+(\.\d+)?$/.test(text.trim()) ? +text.replace("−", "-") : NaN));
  return found.every(Number.isFinite) && Math.min(...found) < Math.max(...found) ? found : null;
}

/** Return the ways in which a question can be answered. @param {import("../protocol.js").Question} question @returns {Way[]} */
export function waysOf(question) {
  const places = question.options.every(({ place }) => place && place[0] === 0);
  return ["buttons", ...(places ? [/** @type {Way} */ ("tap")] : []), ...(numbersOf(question) ? [/** @type {Way} */ ("number")] : [])];
}

/** Return the ends and the step of a slider around the options, and each option's number on it. @param {number[]} numbers */
export function sliderFor(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const digits = Math.max(...numbers.map((value) => (String(value).split(".")[1] ?? "").length));
  const step = +(10 ** -digits).toFixed(digits);
  const by = Math.max(step, Math.ceil((WIDER * (high - low)) / step) * step);
  const least = low >= 0 ? Math.max(0, low - by) : low - by;
  return [least, high + by, step].map((value) => +value.toFixed(digits));
}

/**
 * Write the question for the server.
 * @param {HTMLElement} stage
 * @param {import("../panel.js").Panel} panel of the picture
 * @param {import("../protocol.js").Question} question
 * @param {Way} wanted
 */
export async function writtenFor(stage, panel, question, wanted) {
  const way = waysOf(question).includes(wanted) ? wanted : "buttons";
  const { text, options, right, reason } = question;
  const said = { text, way, options: options.map((option) => option.text), right, reason };
  const shown = !stage.classList.contains("swapped") && panel.plot.ready;
  const drawn = shown ? await pictureFor(stage, panel, way) : {};
  if (way === "number") {
    const spots = /** @type {number[]} */ (numbersOf(question));
    return { ...said, ...drawn, bounds: sliderFor(spots), spots };
  }
  if (way !== "tap") return { ...said, ...drawn };
  const spots = options.map(({ place }) => {
    const { u, v } = panel.plot.toShare(/** @type {number[]} */ (place).slice(1));
    return [u, v];
  });
  return { ...said, ...drawn, spots };
}

// The pins of the options would be the only places that anybody taps on.
/** @param {HTMLElement} stage @param {import("../panel.js").Panel} panel @param {Way | "draw"} way */
export async function pictureFor(stage, panel, way) {
  const kept = { tap: ".pin.answer", draw: ".handle, .pin" }[/** @type {"tap" | "draw"} */ (way)];
  const pins = kept ? [...stage.querySelector(".picture").querySelectorAll(kept)] : [];
  const hidden = pins.filter((pin) => !pin.hidden);
  for (const pin of hidden) pin.hidden = true;
  const svg = pictureOf(stage, { whole: false });
  for (const pin of hidden) pin.hidden = false;
  const [wide, high] = ["width", "height"].map((name) => +(svg.getAttribute(name) ?? 0));
  const { left, top, width, height } = panel.plot.area();
  const box = panel.container.getBoundingClientRect();
  const area = [(left - box.left) / wide, (top - box.top) / high, width / wide, height / high];
  const image = await imageOf(svg, ON_A_PHONE);
  const canvas = Object.assign(document.createElement("canvas"), { width: ON_A_PHONE, height: Math.round((ON_A_PHONE * high) / wide) });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const [, picture] = canvas.toDataURL("image/webp", 0.85).split(",");
  const alt = (stage.querySelector(".picture")?.getAttribute("aria-label") ?? "").slice(0, 2000);
  return { area, alt, ...(picture.length <= LARGEST ? { picture } : {}) };
}
