"""Words can be read and lines can be seen on their ground, in both looks, in every view."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pages._shared.lab.catalogue import LabFile
from tests.core.colors import contrast
from tests.core.figures import unpacked
from tests.house.all_views import drawn, said_by
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import Seen, seen  # noqa: F401
from viz.core.theme import INKS, TEMPLATES

COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
WORDS, LINES = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
PALEST = (
    2.2  # of points: eight colours that differ cannot all be dark; see tests/core/test_theme.py
)


def colors(value: Any) -> list[str]:
    """Return the colours of an attribute; those with an opacity are context, and not judged."""
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and COLOR.fullmatch(each)]


def words(figure: dict, ink: str, paper: str) -> Iterator[tuple[str, str, str]]:
    """Return every text with its colour and the colour that is behind it."""
    for trace in figure["data"]:
        if trace.get("visible") is False or trace.get("type", "scatter") != "scatter":
            continue
        texts = trace.get("text") or []
        texts = texts if isinstance(texts, list) else [texts]
        shown = "text" in trace.get("mode", "") and any(str(text).strip() for text in texts)
        if not shown:
            continue
        on_mark = "markers" in trace["mode"] and "textposition" not in trace
        inks = colors(trace.get("textfont", {}).get("color")) or [ink]
        grounds = colors(trace.get("marker", {}).get("color")) if on_mark else []
        grounds = grounds if len(grounds) == len(inks) else (grounds or [paper]) * len(inks)
        yield from ((str(texts[0]), a, b) for a, b in zip(inks, grounds, strict=False))
        yield from ((str(text), a, paper) for text in texts for a in COLOR.findall(str(text)))
    for note in figure["layout"].get("annotations", []):
        ground = (colors(note.get("bgcolor")) or [paper])[0]
        yield note["text"], (colors(note.get("font", {}).get("color")) or [ink])[0], ground
        yield from ((note["text"], color, ground) for color in COLOR.findall(note["text"]))


def bare_on_points(figure: dict) -> Iterator[str]:
    """Return the words on the stage's points that have no halo: their ground is no paper."""
    if "points" not in figure:
        return
    points = np.column_stack([unpacked(figure["points"][axis]).astype(float) for axis in "xy"])
    for trace in figure["data"]:
        beside = "textposition" in trace or "shadow" in trace.get("textfont", {})
        if "text" not in trace.get("mode", "") or beside or not len(points):
            continue
        texts = [str(text).strip() for text in trace.get("text") or []]
        places = np.column_stack([unpacked(trace[axis]).astype(float) for axis in "xy"])
        for text, place in zip(texts, places, strict=False):
            if text and np.abs(points - place).max(axis=1).min() < 1e-6:
                yield text


def strokes(figure: dict) -> Iterator[str]:
    """Return the colours of lines that are drawn without transparency."""
    for trace in figure["data"]:
        hidden = trace.get("visible") is False or trace.get("opacity", 1) < 1
        if not hidden and "lines" in trace.get("mode", ""):
            yield from colors(trace.get("line", {}).get("color"))
    for shape in figure["layout"].get("shapes", []):
        yield from colors(shape.get("line", {}).get("color"))


@pytest.mark.parametrize("look", ["light", "dark"])
@EVERY_LAB
def test_words_and_lines_have_enough_contrast(lab: LabFile, look: str, seen: Seen) -> None:  # noqa: F811
    layout = TEMPLATES[look]["layout"]
    ink, paper = layout["font"]["color"], layout["plot_bgcolor"]
    views = list(drawn(lab, seen))
    lit = said_by("lit.js", {"figures": [view.figure for view in views], "inks": INKS[look]})
    for view, figure in zip(views, lit, strict=True):
        for text, color, ground in words(figure, ink, paper):
            found = contrast(color, ground)
            assert found >= WORDS, f"{view.name}: {text!r} in {color} on {ground}: {found:.2f}"
        assert list(bare_on_points(figure)) == [], view.name
        for color in strokes(figure):
            found = contrast(color, paper)
            assert found >= LINES, f"{view.name}: a line in {color} on {paper}: {found:.2f}"
