// The page's own fonts inside a picture: a file, or an image on a canvas, has no other way to them.

/**
 * Put the fonts that a picture's words use into it, as far as the page has loaded them itself.
 * @param {SVGElement} svg
 */
export async function embedFonts(svg) {
  const words = [...svg.querySelectorAll("text, tspan")];
  const used = words.map((node) => node.getAttribute("font-family") ?? node.style.fontFamily).join();
  const rules = [...document.styleSheets].flatMap(readable).filter((rule) =>
    rule instanceof CSSFontFaceRule && rule.style.fontStyle !== "italic" && used.includes(familyOf(rule)));
  const faces = await Promise.all(rules.map(face));
  if (!faces.length) return;
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = faces.join("\n");
  svg.prepend(style);
}

const familyOf = ({ style }) => style.fontFamily.replace(/["']/g, "");

// A style sheet of another origin does not show its rules.
function readable(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

async function face(rule) {
  const [, file] = rule.style.src.match(/url\(["']?([^"')]+)/);
  const found = await fetch(new URL(file, rule.parentStyleSheet.href ?? document.baseURI));
  const bytes = new Uint8Array(await found.arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const weight = rule.style.fontWeight || "normal";
  return `@font-face { font-family: "${familyOf(rule)}"; font-weight: ${weight}; src: url(data:font/woff2;base64,${text}); }`;
}
