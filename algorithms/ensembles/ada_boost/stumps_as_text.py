"""Stumps as text, two characters each, so that a link holds the stumps of a whole class.

The characters are a number with 64 digits: the feature, the side, and the threshold in thousandths
of the picture. So a stump stays in the picture whatever the points are.
"""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.ada_boost.stumps import Stumps, stumps

Box = tuple[float, float, float, float]  # left, right, bottom and top of the picture

MOST_STUMPS = 1000  # of a link
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_PARTS = 1000  # of the picture, in which thresholds are written


def read_stumps(text: str, box: Box) -> Stumps:
    """Return the stumps of a link, in a picture with these bounds.

    Raises ValueError unless there are two letters or digits for each of at most `MOST_STUMPS`.
    """
    check_text(text)
    codes = np.array([_LETTERS.index(letter) for letter in text], int).reshape(-1, 2) @ [64, 1]
    kind, part = np.divmod(codes, _PARTS)
    low, span = origin(box)
    feature = kind // 2
    return stumps(feature, low[feature] + part / _PARTS * span[feature], 2 * (kind % 2) - 1)


def check_text(text: str) -> str:
    """Return the text of stumps; raise ValueError unless it can be read."""
    if len(text) % 2 or not set(text) <= set(_LETTERS):
        raise ValueError("a stump is written with two of the characters A-Z, a-z, 0-9, - and _")
    if len(text) > 2 * MOST_STUMPS:
        raise ValueError(f"there can be at most {MOST_STUMPS} stumps, got {len(text) // 2}")
    highest = max((text[i : i + 2] for i in range(0, len(text), 2)), key=_code, default="AA")
    if _code(highest) >= 4 * _PARTS:
        raise ValueError(f"“{highest}” stands for no stump")
    return text


def _code(pair: str) -> int:
    return 64 * _LETTERS.index(pair[0]) + _LETTERS.index(pair[1])


def written(placed: Stumps, box: Box) -> str:
    """Return stumps as they stand in a link; thresholds beyond the picture move to its edge."""
    low, span = origin(box)
    feature = placed.feature
    share = (placed.threshold - low[feature]) / span[feature]
    part = np.clip(np.round(_PARTS * share), 0, _PARTS - 1).astype(int)
    codes = (2 * feature + (placed.side > 0)) * _PARTS + part
    return "".join(_LETTERS[code // 64] + _LETTERS[code % 64] for code in codes.tolist())


def origin(box: Box) -> tuple[ndarray, ndarray]:
    """Return the lower left corner of a picture, and its width and height."""
    left, right, bottom, top = box
    return np.array([left, bottom]), np.array([right - left, top - bottom])
