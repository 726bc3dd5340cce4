// Motion from a step to its neighbour: lines, bars, points and handles travel (motion.css), and
// regions, which are images, cross-fade.

import { svgNode } from "./svg.js";

const IMAGES = ".imagelayer image";
// with more points they jump, because the browser could not move them smoothly
const MOST_MOVING = 1000;
// beside an image that fades; alone, Chromium draws one of few cells too small
const HARDLY_SEEN = { width: 1, height: 1, "fill-opacity": 0.01 };

export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.timer = 0;
  }

  /**
   * Draw a step, and let the changed parts move there.
   * @template T
   * @param {number} time milliseconds; 0: it jumps
   * @param {() => T} draw
   * @returns {T}
   */
  during(time, draw) {
    const glides = time > 0 && !this.reduced.matches;
    this.set(glides);
    if (!glides) return draw();
    this.root.style.setProperty("--glide", `${time}ms`);
    const images = [...this.root.querySelectorAll(IMAGES)].map((image) => new Leaving(image));
    const drawn = draw();
    // 50 ms more, for the last frame of the motion
    this.timer = setTimeout(() => this.set(false), time + 50);
    Promise.resolve(drawn).then(() => images.forEach((image) => image.fade(time)));
    return drawn;
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
class Leaving {
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
    const old = svgNode("g");
    old.append(copy);
    layer.append(old); // not among Plotly's own groups, which Plotly reorders
    const dots = [old, image.parentNode].map((group) => group.appendChild(svgNode("rect", HARDLY_SEEN)));
    image.parentNode.animate([{ opacity: 0 }, { opacity: 1 }], duration);
    const going = old.animate([{ opacity: 1 }, { opacity: 0 }], duration);
    going.onfinish = going.oncancel = () => [old, ...dots].forEach((node) => node.remove());
  }
}
