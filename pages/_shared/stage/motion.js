// Motion from a step to its neighbour: lines, bars, points and handles travel (motion.css). What
// cannot travel cross-fades: regions, which are images, and lines with other corners than before.

import { svgNode } from "./svg.js";

const IMAGES = ".imagelayer image";
const LINES = ".scatterlayer .lines";
// with more points they jump, because the browser could not move them smoothly
const MOST_MOVING = 1000;
const REST = 5000; // milliseconds without motion, after frames that came too late for it
// beside an image that fades; alone, Chromium draws one of few cells too small
const HARDLY_SEEN = { width: 1, height: 1, "fill-opacity": 0.01 };

export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.timer = 0;
    this.restsUntil = 0;
  }

  /**
   * Draw a step, and let the changed parts move there.
   * @template T
   * @param {number} time milliseconds; 0: it jumps
   * @param {() => T} draw
   * @returns {T}
   */
  during(time, draw) {
    const glides = time > 0 && !this.reduced.matches && performance.now() >= this.restsUntil;
    this.set(glides);
    if (!glides) return draw();
    this.root.style.setProperty("--glide", `${time}ms`);
    this.watch(time);
    const parts = [...this.all(IMAGES, LeavingImage), ...this.all(LINES, LeavingLines)];
    const drawn = draw();
    // 50 ms more, for the last frame of the motion
    this.timer = setTimeout(() => this.set(false), time + 50);
    Promise.resolve(drawn).then(() => parts.forEach((part) => part.fade(time)));
    return drawn;
  }

  /**
   * Let steps jump for a while if frames come too late. A step that comes before the motion of the
   * last one has begun starts it anew, so lines would stay behind for as long as the run is played.
   * @param {number} time milliseconds
   */
  watch(time) {
    const end = performance.now() + time;
    requestAnimationFrame(() => requestAnimationFrame((now) => {
      if (now > end) this.restsUntil = now + REST;
    }));
  }

  /** @param {string} selector @param {new (node: any) => LeavingImage | LeavingLines} Leaving */
  all(selector, Leaving) {
    return Array.from(this.root.querySelectorAll(selector), (node) => new Leaving(node));
  }

  /** @param {boolean} glides */
  set(glides) {
    clearTimeout(this.timer);
    const { classList } = this.root;
    classList.toggle("glides", glides);
    if (!glides) return;
    const points = this.root.querySelectorAll(".stage-points path").length;
    classList.toggle("few-points", points <= MOST_MOVING);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

// Keeps a copy of an image as it was before a step was drawn.
class LeavingImage {
  /** @param {any} image of SVG */
  constructor(image) {
    this.image = image;
    this.copy = image.cloneNode();
  }

  /** Fade the copy out while the new image fades in. @param {number} duration milliseconds */
  fade(duration) {
    const { image, copy } = this;
    const layer = image.closest(".imagelayer");
    if (!layer || image.href.baseVal === copy.href.baseVal) return;
    const old = svgNode("g", { class: "leaving" });
    old.append(copy);
    layer.append(old); // not among Plotly's own groups, which Plotly reorders
    const dots = [old, image.parentNode].map((group) => group.appendChild(svgNode("rect", HARDLY_SEEN)));
    const fades = crossFade(old, image.parentNode, duration, dots);
    fades.forEach((fade) => fade.pause());
    const go = () => fades.forEach((fade) => fade.play());
    Promise.resolve(image.decode?.()).then(go, go);
  }
}

// Keeps a copy of the lines of a trace as they were before a step was drawn.
class LeavingLines {
  /** @param {any} lines a group of SVG */
  constructor(lines) {
    this.lines = lines;
    this.copy = lines.cloneNode(true);
    this.corners = cornersOf(lines);
    lines.classList.remove("others");
  }

  /** Fade the copy out while the new lines fade in. @param {number} duration milliseconds */
  fade(duration) {
    const { lines, copy } = this;
    if (!lines.parentNode || cornersOf(lines) === this.corners) return;
    lines.classList.add("others"); // they do not travel
    copy.setAttribute("class", "leaving");
    lines.parentNode.prepend(copy);
    crossFade(copy, lines, duration);
  }
}

// Return the kinds of the corners of all paths of a group: paths that share them can travel.
function cornersOf(lines) {
  return Array.from(lines.children, (path) => path.getAttribute("d")?.replace(/[^A-Z]/g, "")).join();
}

/**
 * Fade one node out while another fades in, and return both animations.
 * @param {any} old is removed at the end
 * @param {any} fresh
 * @param {number} duration milliseconds
 * @param {any[]} helpers are removed with it
 */
function crossFade(old, fresh, duration, helpers = []) {
  const coming = fresh.animate([{ opacity: 0 }, { opacity: 1 }], duration);
  const going = old.animate([{ opacity: 1 }, { opacity: 0 }], duration);
  going.onfinish = going.oncancel = () => [old, ...helpers].forEach((node) => node.remove());
  return [coming, going];
}
