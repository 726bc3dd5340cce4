// Motion from a step to its neighbour: lines, bars, points and handles travel (motion.css), and
// regions, which are images, fade into each other.

const IMAGES = ".imagelayer image";
const MOST_MOVING = 1000; // more of them jump: the browser could not move them smoothly

export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.timer = 0;
  }

  /**
   * Draw a step, and let what it changes take a moment.
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
    this.timer = setTimeout(() => this.set(false), time + 50); // the last frame of the motion, too
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

// An image as it was before a step was drawn.
class Leaving {
  /** @param {any} image of SVG */
  constructor(image) {
    this.image = image;
    this.copy = image.cloneNode();
  }

  /** Let the copy go while its successor comes. @param {number} duration milliseconds */
  fade(duration) {
    const { image, copy } = this;
    const layer = image.closest(".imagelayer");
    if (!layer || image.href.baseVal === copy.href.baseVal) return;
    layer.append(copy); // beside Plotly's own groups, which it keeps in order itself
    image.animate([{ opacity: 0 }, { opacity: 1 }], duration);
    const going = copy.animate([{ opacity: 1 }, { opacity: 0 }], duration);
    going.onfinish = going.oncancel = () => copy.remove();
  }
}
