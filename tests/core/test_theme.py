from itertools import combinations, pairwise

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy import ndarray

from algorithms.data.presets import MAX_CLASSES
from tests.core.colors import contrast, linear
from viz.core.theme import (
    GREY,
    INKS,
    PALETTE,
    RGB,
    SYMBOLS,
    TEMPLATES,
    color,
    dash,
    figure_on,
    symbol,
)

# How the colour-blind see linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.
BLINDNESS = {
    "none": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def test_every_class_has_a_colour_and_a_symbol_of_its_own() -> None:
    assert len(PALETTE) == len(set(PALETTE)) == MAX_CLASSES
    assert len(SYMBOLS) == len(set(SYMBOLS)) == MAX_CLASSES
    assert [f"#{r:02X}{g:02X}{b:02X}" for r, g, b in RGB] == list(PALETTE)


def test_no_two_of_the_first_64_groups_look_alike() -> None:
    assert len({(color(group), symbol(group)) for group in range(64)}) == 64
    assert len({(color(group), dash(group)) for group in range(64)}) == 64
    assert [symbol(group) for group in range(8)] == list(SYMBOLS)


IN_DARK = tuple(INKS["dark"]["lines"].get(color, color) for color in PALETTE)


@pytest.mark.parametrize("colors", [PALETTE, IN_DARK], ids=["points", "lines in the dark"])
@pytest.mark.parametrize("sight", BLINDNESS)
def test_colours_can_be_told_apart(sight: str, colors: tuple[str, ...]) -> None:
    """CIE76 differences, where 2.3 is just noticeable; regions are faint and have no symbols."""
    seen = [lab((BLINDNESS[sight] @ linear(color)).clip(0, 1)) for color in colors]
    nearest = min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))
    assert nearest > (25 if sight == "none" else 10)


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("color", PALETTE)
def test_markers_stand_out_from_the_paper(name: str, color: str) -> None:
    """WCAG asks 3 of graphics that stand alone, but eight colours that differ cannot all be dark.

    The palest, orange, has 2.25 on white; below 2.2 a point would fade on a projector.
    """
    assert contrast(color, TEMPLATES[name]["layout"]["plot_bgcolor"]) >= 2.2


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("color", [*PALETTE, GREY])
def test_words_and_lines_in_a_groups_colour_are_seen_on_both_papers(name: str, color: str) -> None:
    paper, inks = TEMPLATES[name]["layout"]["plot_bgcolor"], INKS[name]
    assert contrast(inks["words"].get(color, color), paper) >= 4.5
    assert contrast(inks["lines"].get(color, color), paper) >= 3
    assert contrast(figure_on(color), color) >= 4.5


@pytest.mark.parametrize("name", TEMPLATES)
def test_text_can_be_read(name: str) -> None:
    layout = TEMPLATES[name]["layout"]
    inks = {layout["font"]["color"], *layout["colorway"]}
    for axis in (layout["xaxis"], layout["yaxis"]):
        inks |= {axis["tickfont"]["color"], axis["title"]["font"]["color"]}
    assert all(contrast(ink, layout["plot_bgcolor"]) >= 4.5 for ink in inks)


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_plotly_templates(name: str) -> None:
    go.layout.Template(TEMPLATES[name])


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    grays = [contrast(f"#{v:02x}{v:02x}{v:02x}", "#ffffff") for v in range(0, 256, 15)]
    assert all(a > b for a, b in pairwise(grays))


def lab(rgb: ndarray) -> ndarray:
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ratio = np.array(matrix) @ rgb / [0.9505, 1, 1.089]
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
