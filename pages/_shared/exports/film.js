// A run as an animated GIF of the size of a slide: the picture, and its step's headline beside or below it.

import { imageOf, pictureOf } from "../stage/picture.js";
import { smoothRegions } from "./regions.js";

const SLIDE = { width: 1280, height: 720 };
const EDGE = 24; // pixels around all that is shown
const TYPE = 34; // pixels
const LINE = 1.3; // of the type
const FILM_CELLS = 500; // about as many has a region, across and down
const ASIDE = 1.3; // a picture that is not this much wider than high has its headline beside it

/**
 * Film the run that the stage shows.
 * @param {HTMLElement} stage
 * @param {any} film see stage/film.js
 * @param {object} how
 * @param {boolean} how.whole with the linked views
 * @param {AbortSignal} how.signal cancels it
 * @param {(done: number, all: number) => void} how.progress
 * @returns {Promise<Blob | null>} null: cancelled, or another run is shown
 */
export async function filmOf(stage, film, { whole, signal, progress }) {
  const worker = new Worker(URL.createObjectURL(new Blob([FILM_WORKER], { type: "text/javascript" })));
  const failed = new Promise((_, fail) => (worker.onerror = () => fail(new Error("no film was written"))));
  const back = film.player.at;
  const { steps } = film;
  let written = Promise.resolve(null); // one picture is drawn while the one before is written
  try {
    for (const [i, { step, wait }] of steps.entries()) {
      progress(i, steps.length);
      if (!(await film.show(step)) || signal.aborted) return null;
      const { data } = await slide(stage, whole);
      await Promise.race([written, failed]);
      written = new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
      const last = i === steps.length - 1;
      worker.postMessage({ pixels: data.buffer, ...SLIDE, wait, last }, [data.buffer]);
    }
    return new Blob([await Promise.race([written, failed])], { type: "image/gif" });
  } finally {
    worker.terminate();
    film.player.go(back, null);
  }
}

// The pixels of a slide with what is shown now.
async function slide(stage, whole) {
  const canvas = Object.assign(document.createElement("canvas"), SLIDE);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const style = getComputedStyle(stage);
  const [paper, ink] = ["--st-background-color", "--st-text-color"].map((name) => style.getPropertyValue(name));
  pen.fillStyle = paper;
  pen.fillRect(0, 0, SLIDE.width, SLIDE.height);
  const svg = pictureOf(stage, { whole });
  await smoothRegions(svg, FILM_CELLS);
  const [wide, high] = ["width", "height"].map((name) => +svg.getAttribute(name));
  const aside = wide / high < ASIDE;
  const band = aside ? 0 : 2.4 * LINE * TYPE; // below the picture
  const room = { width: SLIDE.width - 2 * EDGE, height: SLIDE.height - 2 * EDGE - band };
  const scale = Math.min(room.width / wide, room.height / high);
  const [width, height] = [wide * scale, high * scale];
  const start = aside ? EDGE : (SLIDE.width - width) / 2;
  pen.drawImage(await imageOf(svg, width), start, EDGE, width, height);
  pen.fillStyle = ink;
  const left = aside ? width + 2 * EDGE : EDGE;
  const top = aside ? 2 * EDGE : SLIDE.height - EDGE - band + 0.2 * TYPE;
  const family = style.fontFamily;
  pen.font = `600 ${TYPE}px ${family}`;
  const headline = stage.querySelector(".caption strong")?.textContent ?? "";
  const lines = wrapped(pen, headline, SLIDE.width - EDGE - left);
  lines.forEach((line, i) => pen.fillText(line, left, top + (i + 0.8) * LINE * TYPE));
  pen.font = `${0.75 * TYPE}px ${family}`;
  pen.textAlign = "right";
  pen.fillText(stage.querySelector(".where span").textContent, SLIDE.width - EDGE, SLIDE.height - EDGE);
  return pen.getImageData(0, 0, SLIDE.width, SLIDE.height);
}

// A text in lines that are no wider than the room.
function wrapped(pen, text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
