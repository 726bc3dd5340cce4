import assert from "node:assert/strict";
import test from "node:test";

import { Theme } from "../../pages/_shared/stage/theme.js";

const template = (ink) => ({
  layout: { font: { color: ink }, plot_bgcolor: "paper", xaxis: { tickfont: { color: "muted" } } },
});
const colors = () => ({
  templates: { light: template("black"), dark: template("white") },
  palette: ["#000000"], inks: { light: { words: {}, lines: {} }, dark: { words: { "#000000": "#777777" }, lines: {} } }, symbols: [0], rim: 0.4,
});

function page(background) {
  globalThis.document = { createElement: () => ({ getContext: () => ({ fillStyle: "" }) }) };
  return { fontFamily: "Page Sans", getPropertyValue: () => background };
}

test("the background says whether the look is light or dark", () => {
  const theme = new Theme();
  for (const [background, name] of [["#ffffff", "light"], ["#0e1117", "dark"], ["#ffff00", "light"]]) {
    theme.setColors(colors(), page(background), true);
    assert.equal(theme.name, name, background);
    assert.equal(theme.template.layout.font.family, "Page Sans");
    assert.equal(theme.ink, name === "light" ? "black" : "white");
    assert.equal("#000000" in theme.inks.words, name === "dark");
  }
});

test("the template is the same object until the look is another", () => {
  const theme = new Theme();
  theme.setColors(colors(), page("#ffffff"), true);
  const { template: before } = theme;
  theme.setColors(colors(), page("#fafafa"), true);
  assert.equal(theme.template, before);
  theme.setColors(colors(), page("#000000"), true);
  assert.notEqual(theme.template, before);
});

test("type grows with the stage and never shrinks; presenter mode enlarges the points", () => {
  const theme = new Theme();
  const style = (fontSize, drawn) => ({ fontSize, getPropertyValue: () => drawn });
  theme.measure(style("24px", " 1"), false);
  assert.deepEqual([theme.scale, theme.grown], [1.5, 1]);
  theme.measure(style("12px", " 0.9"), true);
  assert.deepEqual([theme.scale, theme.grown], [0.9, 1.5]);
});
