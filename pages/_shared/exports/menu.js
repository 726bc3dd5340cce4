// The menu of exports. Pictures are made here; other files are requested from Python.

import { filmOf } from "./film.js";
import { embedFonts } from "./fonts.js";
import { pictureOf, pngOf, svgText } from "../stage/picture.js";
import { smoothRegions } from "./regions.js";

const PROJECTOR = { width: 1920, perInch: 96 };
const CELLS = 900; // about as many has a region, across and down
const PAPER = { width: 2480, perInch: 300 }; // the width of A5, 210 mm

const menus = new WeakMap();

class Menu {
  constructor(root) {
    this.root = root;
    this.asked = null; // number of the file that is requested
    this.failed = null; // the reason if there is nothing to write
    this.filming = null; // ends the film that is being made
    root.addEventListener("click", ({ target }) => {
      const { picture, file, film } = target.closest("button")?.dataset ?? {};
      if (picture) this.picture(picture);
      if (film) this.film();
      if (file) this.ask(file);
    });
  }

  /** Take Python's answer. */
  update({ data, setTriggerValue }) {
    Object.assign(this, { data, setTriggerValue });
    for (const name of ["animation", "steps"]) {
      this.root.querySelector(`.${name}-note`).textContent = data.notes[name];
    }
    this.root.querySelector("[data-film]").disabled = Boolean(data.failed);
    for (const button of this.root.querySelectorAll("[data-file]")) {
      button.disabled = Boolean(data.failed) && button.dataset.file !== "data";
    }
    if (data.failed !== this.failed) this.say(data.failed ? `Nothing has run. ${data.failed}` : "");
    this.failed = data.failed;
    if (data.file && data.file.number === this.asked) this.receive(data.file);
  }

  ask(what) {
    this.asked = Date.now();
    this.say("Writing the file …");
    this.setTriggerValue("asked", { what, number: this.asked, link: location.href });
  }

  async receive({ name, type, packed, error }) {
    this.asked = null;
    if (error) return this.say(error);
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    this.save(name, new Blob([await new Response(unpacked).arrayBuffer()], { type }));
  }

  async picture(kind) {
    const stage = document.querySelector(".stage");
    const step = stage.querySelector(".scrub").value;
    const svg = pictureOf(stage, { whole: this.chosen("whole"), clear: this.chosen("clear") });
    await Promise.all([smoothRegions(svg, CELLS), embedFonts(svg)]);
    const name = `${this.data.name}-step-${step}`;
    if (kind === "svg") {
      const text = svgText(svg, PROJECTOR.width);
      return this.save(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
    }
    const { width, perInch } = kind === "paper" ? PAPER : PROJECTOR;
    this.save(`${name}-${width}.png`, await pngOf(svg, width, perInch));
  }

  chosen(name) {
    return this.root.querySelector(`[name=${name}]`).checked;
  }

  // The button makes a film, and cancels it.
  async film() {
    if (this.filming) return this.filming.abort();
    const [bar, button] = ["progress", "[data-film]"].map((part) => this.root.querySelector(part));
    const words = button.textContent;
    this.filming = new AbortController();
    this.say("Filming the steps …");
    button.textContent = "Cancel";
    bar.hidden = false;
    const progress = (done, all) => {
      Object.assign(bar, { max: all, value: done });
      if (!this.root.isConnected) this.filming.abort(); // the menu was closed
    };
    try {
      const { signal } = this.filming;
      const whole = this.chosen("whole");
      const gif = await filmOf(document.querySelector(".stage"), window.chalkline.film, { whole, signal, progress });
      if (gif) this.save(`${this.data.name}.gif`, gif);
      else this.say("No film was saved.");
    } catch (error) {
      this.say(`No film was saved: ${error.message}.`);
    }
    this.filming = null;
    button.textContent = words;
    bar.hidden = true;
  }

  save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.say(`Saved ${name} (${size(blob.size)}).`);
  }

  say(what) {
    this.root.querySelector(".status").textContent = what;
  }
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

export default function (component) {
  const root = component.parentElement.querySelector(".exports");
  if (!menus.has(root)) menus.set(root, new Menu(root));
  menus.get(root).update(component);
}
