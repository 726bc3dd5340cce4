"""Writes glyphs.json from the typeface of the page: `python -m tests.exports.write_glyphs`."""

import json
from pathlib import Path

import streamlit
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from pages._shared.exports.menu import GLYPHS

MEDIA = Path(streamlit.__file__).parent / "static" / "static" / "media"
WEIGHTS = (400, 700)  # all others are drawn with the nearer one
LETTERS = (
    *((0x21, 0x7F), (0xA1, 0x180)),  # Latin
    *((0x370, 0x400), (0x2010, 0x2040), (0x2070, 0x20A0)),  # Greek, punctuation, small figures
    *((0x2190, 0x2200), (0x2200, 0x2300)),  # arrows, mathematics
)  # code points: from, up to


def text() -> str:
    """Return the outlines of all letters by weight, y upwards, 1,000 units to the font size."""
    (file,) = MEDIA.glob("SourceSansVF-Upright*.woff2")
    outlines = {str(weight): _outlines(file, weight) for weight in WEIGHTS}
    return json.dumps(outlines, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


def _outlines(file: Path, weight: int) -> dict[str, str]:
    font = instantiateVariableFont(TTFont(file), {"wght": weight})
    assert font["head"].unitsPerEm == 1000
    names, glyphs, found = font.getBestCmap(), font.getGlyphSet(), {}
    for low, high in LETTERS:
        for code in range(low, high):
            if code in names:
                pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
                glyphs[names[code]].draw(pen)
                found[chr(code)] = pen.getCommands()
    return found


if __name__ == "__main__":
    GLYPHS.write_text(text(), encoding="utf-8")
