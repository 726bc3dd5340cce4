// The menu of exports. Pictures are made here; other files are requested from Python.

import { filmOf } from "./film.js";
import { embedFonts } from "./fonts.js";
import { outlineWords } from "./outlines.js";
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
    this.arrived = null; // takes that file
    this.glyphs = null; // outlines of letters, by weight
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
    if (data.file && data.file.number === this.asked) this.arrived(data.file);
  }

  async ask(what) {
    this.say("Writing the file …");
    const { name, type, packed, error } = await this.request(what);
    if (error) return this.say(error);
    this.save(name, new Blob([await unpacked(packed)], { type }));
  }

  // Return what Python answers; only the newest request gets a file.
  request(what) {
    this.arrived?.({ error: "This file is not saved, as another one was chosen." });
    this.asked = Date.now();
    this.setTriggerValue("asked", { what, number: this.asked, link: location.href });
    return new Promise((resolve) => {
      this.arrived = (file) => {
        this.asked = this.arrived = null;
        resolve(file);
      };
    });
  }

  // Put outlines in place of words. They are large, so they come when they are needed.
  async outline(svg) {
    if (!this.glyphs) {
      const { packed, error } = await this.request("glyphs");
      if (error) throw new Error(error);
      this.glyphs = JSON.parse(new TextDecoder().decode(await unpacked(packed)));
    }
    outlineWords(svg, this.glyphs);
  }

  async picture(kind) {
    const stage = document.querySelector(".stage");
    const step = stage.querySelector(".scrub").value;
    const svg = pictureOf(stage, { whole: this.chosen("whole"), clear: this.chosen("clear") });
    const name = `${this.data.name}-step-${step}`;
    if (kind === "svg") {
      try {
        await this.outline(svg);
      } catch ({ message }) {
        return this.say(message);
      }
    }
    await Promise.all([smoothRegions(svg, CELLS), embedFonts(svg)]);
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

async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).arrayBuffer();
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

export default function (component) {
  const root = component.parentElement.querySelector(".exports");
  if (!menus.has(root)) menus.set(root, new Menu(root));
  menus.get(root).update(component);
}
