"""What pictures of soft clusterings share: points that belong to several groups, and ellipses."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.theme import PALETTE, RGB, SYMBOLS

PIES = 60  # points at most that are drawn as small pies; more of them are blends
ELLIPSES = (1.0, 2.0)  # standard deviations; of many groups only the first: they overlap
MANY = 6  # groups
QUIET = "#7A7F87"

_GAP = np.full((1, 2), np.nan)


@lru_cache(maxsize=len(PALETTE))
def _mixtures(k: int) -> tuple[ndarray, ndarray]:
    """Give all ways to share a point out in equal parts among k groups, at most 256, by number.

    Returns the (m, k) parts and, for parts read as the digits of a number, which of them it is.
    """
    parts = max(p for p in range(1, 256) if comb(p + k - 1, k - 1) <= 256)
    bars = np.array(list(combinations(range(parts + k - 1), k - 1)), int)
    ends = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, parts + k - 1)))
    shares = np.diff(ends, axis=1) - 1
    number = np.zeros((parts + 1) ** k, np.uint8)
    number[shares @ (parts + 1) ** np.arange(k)] = np.arange(len(shares))
    return shares, number


def blends(responsibilities: ndarray) -> ndarray:
    """Number every point's mixture of colours, as `looks` does."""
    k = responsibilities.shape[1]
    shares, number = _mixtures(k)
    parts = int(shares[0].sum())
    found = np.floor(parts * responsibilities)
    missing = parts - found.sum(axis=1, keepdims=True)  # go to those that lost most by rounding
    lost = found - parts * responsibilities
    found += lost.argsort(axis=1).argsort(axis=1) < missing
    return number[found.astype(int) @ (parts + 1) ** np.arange(k)]


@lru_cache(maxsize=len(PALETTE))
def looks(k: int) -> dict:
    """Give the fill and the symbol of every mixture, by its number."""
    shares, _ = _mixtures(k)
    colors = np.rint(shares @ np.array(RGB)[:k] / shares[0].sum()).astype(int)
    return {
        "fills": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in colors],
        "symbols": [SYMBOLS[j] for j in shares.argmax(axis=1)],
    }


def points(X: ndarray, responsibilities: ndarray) -> dict:
    """Draw the data in the blend of their groups' colours; few of them also as pies.

    The stage takes a blend's fill and symbol from the figure's `meta`, and the slices, of 255 each,
    from the trace's `customdata`.
    """
    trace = plane.points(X, blends(responsibilities))
    slices = np.zeros(0, np.uint8)
    if len(X) <= PIES:
        slices = np.rint(255 * responsibilities).astype(np.uint8).ravel()
    return trace | {"customdata": plane.packed(slices)}


def figure(traces: Sequence[dict], k: int, box: plane.Bounds, names: tuple[str, str]) -> dict:
    """Put traces with such points, of k groups, on the plane."""
    made = plane.figure(traces, box, names)
    made["layout"]["meta"] = looks(k)
    return made


def ellipses(means: ndarray, covariances: ndarray) -> list[dict]:
    """Draw each group's ellipses, in its colour."""
    radii = ELLIPSES[:1] if len(means) >= MANY else ELLIPSES
    return _colored(outlines(means, covariances, radii, 11 if len(means) >= MANY else 13))


def circles(centers: ndarray, radius: float) -> list[dict]:
    """Draw a circle around each group's centre, in its colour."""
    round_ = np.stack([np.eye(2)] * len(centers))
    return _colored(outlines(centers, round_, (radius,), 9 if len(centers) >= MANY else 13))


def _colored(paths: list[ndarray]) -> list[dict]:
    return [curve(path[:-1], width=2.5, color=PALETTE[j]) for j, path in enumerate(paths)]


def outlines(
    means: ndarray, covariances: ndarray, radii: Sequence[float], corners: int
) -> list[ndarray]:
    """Give an (m, 2) path for each group, with a gap after every ellipse.

    Few corners are enough, for `curve` is smooth; every frame of a run holds all of them.
    """
    values, vectors = np.linalg.eigh(covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    turn = np.linspace(0, 2 * np.pi, corners)
    turn[-1] = 0.0  # the very same place: Plotly then rounds that corner too
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return [
        np.concatenate([part for r in radii for part in (mean + r * circle @ spread.T, _GAP)])
        for mean, spread in zip(means, axes, strict=True)
    ]


def centers(places: ndarray, box: plane.Bounds) -> dict:
    """Draw numbered means, in digits that the eye can see."""
    digits = 5 - int(np.floor(np.log10(min(box[1] - box[0], box[3] - box[2]))))
    return plane.centers(np.round(places, digits))


def curve(path: ndarray, **style) -> dict:
    """Draw a smooth line through (m, 2) places."""
    return plane.line(path, line={"shape": "spline", "smoothing": 1.0} | style)
