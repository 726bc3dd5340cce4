"""Points are distinguishable from every region they may be on, in both themes."""

import numpy as np
import pytest

from viz.core.plane import _STRONG
from viz.core.theme import PALETTE, RIM, TEMPLATES, figure_on, rgb

LEAST = 3.0  # WCAG 2.2, 1.4.11: graphical objects


def luminance(color: np.ndarray) -> float:
    share = color / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: np.ndarray, b: np.ndarray) -> float:
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def mixed(a: str, b: str, share: float) -> np.ndarray:
    return share * np.array(rgb(a)) + (1 - share) * np.array(rgb(b))


@pytest.mark.parametrize("theme", TEMPLATES)
def test_the_outline_of_a_point_shows_on_every_region(theme: str) -> None:
    layout = TEMPLATES[theme]["layout"]
    ink, paper = layout["font"]["color"], layout["plot_bgcolor"]
    for point in PALETTE:
        for region in PALETTE:
            below = mixed(region, paper, _STRONG / 255)
            assert contrast(mixed(point, ink, RIM), below) >= LEAST, (point, region)


@pytest.mark.parametrize("fill", PALETTE)
def test_the_figure_of_a_centre_shows_on_its_colour(fill: str) -> None:
    assert contrast(np.array(rgb(figure_on(fill))), np.array(rgb(fill))) >= LEAST


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast(np.zeros(3), np.full(3, 255.0)) == pytest.approx(21)
    assert contrast(np.array(rgb("#777777")), np.full(3, 255.0)) == pytest.approx(4.48, abs=0.01)
