// The stage's theme: its colours, and how large type and strokes are.

const LARGER = 1.5; // factor of type and strokes in presenter mode, as in stage.css
const USUAL = 16; // pixels of the type of a stage of the usual size

/** One object, shared by all parts that draw. */
export class Theme {
  constructor() {
    this.scale = 1; // scale of type, strokes and margins: larger on a larger stage
    this.grown = 1; // scale of points and marks in presenter mode
    this.name = ""; // "light" or "dark"
    /** @type {object} Plotly's template: the same object until the look is another */
    this.template = null;
    /** @type {string[]} */
    this.palette = [];
    /** @type {import("./protocol.js").Ink} replaced colours: the same object until the look is another */
    this.inks = { words: {}, lines: {} };
    /** @type {number[]} */
    this.symbols = [];
    this.rim = 0; // the share of a point's colour in its outline
    this.labelled = false; // whether points have classes
    this.ink = "";
    this.paper = "";
    this.muted = "";
  }

  /**
   * @param {CSSStyleDeclaration} style of the stage
   * @param {boolean} presenting
   */
  measure(style, presenting) {
    const type = parseFloat(style.fontSize) / USUAL;
    const drawn = +style.getPropertyValue("--drawn");
    this.scale = drawn * Math.max(1, Math.round(20 * type) / 20);
    this.grown = presenting ? LARGER : 1;
  }

  /**
   * @param {import("./protocol.js").Colors} colors
   * @param {CSSStyleDeclaration} style of the stage: the page's ground and typeface
   * @param {boolean} labelled
   */
  setColors(colors, style, labelled) {
    const name = isLight(style.getPropertyValue("--st-background-color")) ? "light" : "dark";
    if (name !== this.name) {
      this.template = typeset(colors.templates[name], style.fontFamily);
      this.inks = colors.inks[name];
    }
    this.name = name;
    this.palette = colors.palette;
    this.symbols = colors.symbols;
    this.rim = colors.rim;
    this.labelled = labelled;
    const { font, plot_bgcolor: paper, xaxis } = this.template.layout;
    this.ink = font.color;
    this.paper = paper;
    this.muted = xaxis.tickfont.color;
  }
}

/** Return a template in another typeface. @param {any} template @param {string} family */
const typeset = ({ layout, ...others }, family) => ({ ...others, layout: { ...layout, font: { ...layout.font, family } } });

/** Return whether a CSS colour is light. A canvas converts every notation of it. */
function isLight(color) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = color.trim();
  const hex = parseInt(String(pen.fillStyle).slice(1), 16);
  const [r, g, b] = [hex >> 16, (hex >> 8) & 255, hex & 255];
  return 0.3 * r + 0.6 * g + 0.1 * b > 128;
}
