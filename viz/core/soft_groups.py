"""Parts of the pictures of soft clusterings: points of several groups, and ellipses."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.theme import RGB, color, symbol

PIES = 120  # points at most of which the undecided are small pies; if there are more, colours blend
UNDECIDED = 0.9  # a point without a share above it
LARGE = 1.4  # times the usual size: a pie whose slices are seen from afar
PALE = 0.6  # of white in the colour of a point that all groups share alike
BLENDS = 256  # blends that a byte can number: the more groups, the coarser the shares
ELLIPSES = (1.0, 2.0)  # standard deviations; many groups only have the first, as they overlap
MANY = 6  # groups
FAINT = 0.4  # opacity of an outer ellipse
SIGNS = {
    "points": "point, in the blend of its components' colours; "
    f"faint: undecided, no share above {UNDECIDED:g}",
    "size": "",  # the stage itself has a sign for pies
}
_CORNERS = 25  # of an ellipse


def points(X: ndarray, responsibilities: ndarray) -> dict:
    """Return the points in the blend of their groups' colours; of a few, the undecided as pies."""
    look = looks(responsibilities.shape[1])
    if len(X) > PIES:
        return plane.points(X, blends(responsibilities)) | look
    clear = responsibilities.max(axis=1) >= UNDECIDED
    whole = np.eye(responsibilities.shape[1])[responsibilities.argmax(axis=1)]
    slices = 255 * np.where(clear[:, None], whole, responsibilities)
    drawn = plane.points(X, blends(responsibilities), size=np.where(clear, 1.0, LARGE)) | look
    return drawn | {"slices": plane.packed(np.rint(slices).astype(np.uint8).ravel())}


def points_of_classes(X: ndarray, labels: ndarray, responsibilities: ndarray, classes: int) -> dict:
    """Return the points in the blend of their groups' colours; their symbols show their classes."""
    most = BLENDS // classes
    fills = looks(responsibilities.shape[1], most)["fills"]
    drawn = plane.points(X, labels * len(fills) + blends(responsibilities, most))
    symbols = [symbol(c) for c in range(classes) for _ in fills]
    return drawn | {"fills": fills * classes, "symbols": symbols}


def blends(responsibilities: ndarray, most: int = BLENDS) -> ndarray:
    """Return the number of every point's mixture of colours, as `looks` numbers them.

    most : how many mixtures there may be.
    """
    k = responsibilities.shape[1]
    parts = _parts(k, most)
    found = np.floor(parts * responsibilities)
    missing = parts - found.sum(axis=1, keepdims=True)  # go to those that lost most by rounding
    lost = found - parts * responsibilities
    found += lost.argsort(axis=1).argsort(axis=1) < missing
    return _number(found.astype(int), parts)


@lru_cache(maxsize=16)
def looks(k: int, most: int = BLENDS) -> dict:
    """Return the fill and the symbol of every mixture of k groups, by its number."""
    parts = _parts(k, most)
    # A mixture is a row of `parts` stars with k - 1 bars between them.
    bars = np.array(list(combinations(range(parts + k - 1), k - 1)), int)
    ends = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, parts + k - 1)))
    shares = np.diff(ends, axis=1) - 1
    shares = shares[_number(shares, parts).argsort()]
    fills = np.rint(_colors(shares / parts)).astype(int)
    return {
        "fills": [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in fills],
        "symbols": [symbol(int(j)) for j in shares.argmax(axis=1)],
    }


def _colors(shares: ndarray) -> ndarray:
    """Return the groups' mean colours weighted by the shares, fainter if undecided. (m, 3)"""
    k = shares.shape[1]
    palette = np.array([RGB[j % len(RGB)] for j in range(k)])
    white = PALE * (1 - plane.certainty(shares.max(axis=1), k))[:, None] if k > 1 else 0.0
    return (1 - white) * (shares @ palette) + white * 255.0


@lru_cache(maxsize=16)
def _parts(k: int, most: int) -> int:
    """Return into how many equal parts a point is divided among k groups."""
    few = (p for p in range(1, most) if comb(p + k - 1, k - 1) <= most)
    return max(few, default=1)


def _number(shares: ndarray, parts: int) -> ndarray:
    """Return the numbers of (m, k) ways to divide the parts.

    A way is given by the places of bars between the groups' parts, numbered after Lehmer (1964).
    """
    k = shares.shape[1]
    before = shares[:, :-1].cumsum(axis=1)  # parts that stand before each bar
    table = [[comb(some + j, j + 1) for j in range(k - 1)] for some in range(parts + 1)]
    return np.array(table, int)[before, np.arange(k - 1)].sum(axis=1)


def deviations(k: int) -> str:
    """Write at how many standard deviations the ellipses of k groups are drawn."""
    return "1 standard deviation" if k >= MANY else "1 and 2 standard deviations"


def ellipses(means: ndarray, covariances: ndarray) -> list[dict]:
    """Draw each group's ellipses, in its colour: a faint outer one, and the inner one."""
    near, far = ELLIPSES[:1], () if len(means) >= MANY else ELLIPSES[1:]
    outer = _colored(
        outlines(means, covariances, far), f"its ellipse at {ELLIPSES[1]:g} standard deviations"
    )
    inner = _colored(
        outlines(means, covariances, near), f"its ellipse at {ELLIPSES[0]:g} standard deviation"
    )
    faint = [trace | {"opacity": FAINT} for trace in outer]
    return [trace for both in zip(faint, inner, strict=True) for trace in both]


def circles(centers: ndarray, radius: float) -> list[dict]:
    """Draw a circle around each group's centre, in its colour."""
    round_ = np.stack([np.eye(2)] * len(centers))
    return _colored(outlines(centers, round_, (radius,)), "circle at 1 standard deviation")


def _colored(paths: list[ndarray], what: str) -> list[dict]:
    return [
        curve(path[:-1], width=2.5, color=color(j)) | {"name": f"component {j + 1}: {what}"}
        for j, path in enumerate(paths)
    ]


def outlines(
    means: ndarray, covariances: ndarray, radii: Sequence[float], corners: int = _CORNERS
) -> list[ndarray]:
    """Return an (m, 2) path for each group, with a gap after every ellipse.

    A few corners are enough for a `curve`, which is smooth, and every frame holds all of them.
    """
    values, vectors = np.linalg.eigh(covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    turn = np.linspace(0, 2 * np.pi, corners)
    turn[-1] = 0.0  # the very same place: Plotly then rounds that corner too
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return [
        plane.joined([mean + r * circle @ spread.T for r in radii])
        for mean, spread in zip(means, axes, strict=True)
    ]


def centers(places: ndarray, box: plane.Bounds) -> dict:
    """Draw numbered means, with no more digits than the eye can see."""
    digits = 5 - int(np.floor(np.log10(min(box[1] - box[0], box[3] - box[2]))))
    drawn = plane.centers(np.round(places, digits))
    drawn["marker"]["size"], drawn["textfont"]["size"] = 23, 15  # points are seen around them
    return drawn


def curve(path: ndarray, **style) -> dict:
    """Draw a smooth line through (m, 2) places."""
    return plane.line(path, line={"shape": "spline", "smoothing": 1.05} | style)
