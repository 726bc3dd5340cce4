// Words of a picture as outlines: programs for slides replace a typeface that they do not have.

import { svgNode } from "../stage/svg.js";

const SEMIBOLD = 600; // from here on the bold outlines are nearer
const UNITS = 1000; // of an outline, to the font size
const HALO = 3; // pixels: the width of the stroke in place of a shadow
const UNSEEN = /[\s\u200b]/;

/**
 * Replace words by the outlines of their letters. A sign that the typeface lacks stays a letter.
 * @param {SVGElement} svg
 * @param {Record<string, Record<string, string>>} glyphs the outlines by weight and letter
 */
export function outlineWords(svg, glyphs) {
  const place = document.body.appendChild(document.createElement("div"));
  place.style.cssText = "position: fixed; top: 0; left: 0; opacity: 0; pointer-events: none"; // letters have a place only on a page
  place.append(svg);
  for (const text of [...svg.querySelectorAll("text")]) {
    const seen = getComputedStyle(text).visibility !== "hidden" && text.textContent.trim();
    const outlines = seen && outlinesOf(text, glyphs);
    if (outlines) text.replaceWith(outlines);
    else if (!seen) text.remove();
  }
  place.remove();
  svg.remove();
}

/** Return a group with the outlines; null for slanting words. @param {any} text @param {any} glyphs */
function outlinesOf(text, glyphs) {
  if (text.getNumberOfChars() !== text.textContent.length) return null;
  const group = svgNode("g", { role: "img", "aria-label": text.textContent });
  for (const name of ["transform", "opacity"]) {
    if (text.hasAttribute(name)) group.setAttribute(name, text.getAttribute(name));
  }
  if (text.style.opacity) group.style.opacity = text.style.opacity;
  const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0; // counts the letters
  while (words.nextNode()) {
    const style = getComputedStyle(words.currentNode.parentElement);
    if (style.fontStyle !== "normal") return null;
    const outlines = glyphs[+style.fontWeight >= SEMIBOLD ? 700 : 400];
    const scale = parseFloat(style.fontSize) / UNITS;
    const run = svgNode("g", { fill: style.fill, "fill-opacity": style.fillOpacity });
    for (const letter of words.currentNode.data) {
      if (!UNSEEN.test(letter)) {
        const { x, y } = text.getStartPositionOfChar(at);
        const place = `translate(${x.toFixed(2)},${y.toFixed(2)})`;
        run.append(outlines[letter]
          ? svgNode("path", { d: outlines[letter], transform: `${place} scale(${scale},${-scale})` })
          : letterOf(letter, { transform: place, "font-size": style.fontSize }));
      }
      at += letter.length;
    }
    const [shadow] = style.textShadow.match(/rgba?\([^)]*\)/) ?? [];
    if (shadow) group.append(haloOf(run, shadow, scale));
    group.append(run);
  }
  return group;
}

/** @param {string} letter @param {Record<string, string>} look */
function letterOf(letter, look) {
  const text = svgNode("text", { "font-family": "sans-serif", ...look });
  text.textContent = letter;
  return text;
}

/** Return the same outlines as a wide stroke. @param {any} run @param {string} stroke @param {number} scale */
function haloOf(run, stroke, scale) {
  const halo = run.cloneNode(true);
  for (const [name, value] of Object.entries({ stroke, "stroke-width": HALO / scale, "stroke-linejoin": "round" })) {
    halo.setAttribute(name, value);
  }
  return halo;
}
