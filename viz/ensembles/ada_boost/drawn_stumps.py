"""Stumps as a class places them on its phones, and as they stand in a link.

On a phone, the first of two places is on the cut, and the second one is beside it on the side of
the second class. In a link, a stump has two characters: its feature, its side, and its threshold in
thousandths of the picture. So a link holds the stumps of a whole class, and a stump in it stays in
the picture whatever the points are.
"""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.ada_boost.stumps import Stumps, best_cut, stumps
from viz.core.drawing import Drawing
from viz.core.scene import Bounds, Plane

MOST_STUMPS = 1000  # of a link
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_PARTS = 1000  # of the picture, in which thresholds are written
_BESIDE = 0.16  # of the picture: from a cut to its second place


def read_stumps(text: str, box: Bounds) -> Stumps:
    """Return the stumps of a link, in a picture with these bounds.

    Raises ValueError unless there are two letters or digits for each of at most `MOST_STUMPS`.
    """
    check_text(text)
    codes = np.array([_LETTERS.index(letter) for letter in text], int).reshape(-1, 2) @ [64, 1]
    kind, part = np.divmod(codes, _PARTS)
    low, span = _origin(box)
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


def written(placed: Stumps, box: Bounds) -> str:
    """Return stumps as they stand in a link; thresholds beyond the picture move to its edge."""
    low, span = _origin(box)
    feature = placed.feature
    share = (placed.threshold - low[feature]) / span[feature]
    part = np.clip(np.round(_PARTS * share), 0, _PARTS - 1).astype(int)
    codes = (2 * feature + (placed.side > 0)) * _PARTS + part
    return "".join(_LETTERS[code // 64] + _LETTERS[code % 64] for code in codes.tolist())


def of_places(places: ndarray, box: Bounds) -> Stumps:
    """Return the stumps that (m, 2, 2) places stand for.

    Raises ValueError if the two places of one are the same.
    """
    _, span = _origin(box)
    way = (places[:, 1] - places[:, 0]) / span
    if not way.any(axis=1).all():
        raise ValueError("the second place of a stump must be beside its cut")
    feature = (np.abs(way[:, 1]) > np.abs(way[:, 0])).astype(int)
    rows = np.arange(len(places))
    return stumps(feature, places[rows, 0, feature], np.where(way[rows, feature] > 0, 1, -1))


def places_of(placed: Stumps, box: Bounds) -> ndarray:
    """Return the (m, 2, 2) places that stand for stumps."""
    low, span = _origin(box)
    rows = np.arange(len(placed))
    places = np.tile(low + span / 2, (len(placed), 2, 1))
    places[rows, :, placed.feature] = placed.threshold[:, None]
    places[rows, 1, placed.feature] += placed.side * _BESIDE * span[placed.feature]
    return places


def by_hand(data: Plane, X: ndarray, signs: ndarray, second: str) -> Drawing:
    """Return the stump as a class places it, judged by the training points that it gets wrong.

    X, signs : the training points, and -1 or +1. second : the name of the second class.
    """
    box = data.bounds

    def wrong(placed: Stumps) -> ndarray:
        return np.count_nonzero(placed.predict(X) != signs, axis=1)

    def run(places: ndarray) -> dict[str, str]:
        placed = of_places(places[:MOST_STUMPS], box)
        return {"stumps": written(placed, box), "simulated": "0"}

    cuts = [(j, *best_cut(X[:, j], signs)) for j in range(2)]
    each = stumps(*([cut[k] for cut in cuts] for k in range(3)))
    best = int(wrong(each).argmin())
    middle = places_of(stumps([0], [(box[0] + box[1]) / 2], [1]), box)[0]
    return Drawing(
        task=f"Place one stump: a cut, and beside it the side on which you say “{second}”.",
        shape="stump",
        names=("Cut", f"Side of “{second}”"),
        start=middle,
        measure="training points wrong",
        cost=lambda places: float(wrong(of_places(places[None], box))[0]),
        best=places_of(each, box)[best],
        run=run,
        runs="Let the class vote",
    )


def _origin(box: Bounds) -> tuple[ndarray, ndarray]:
    left, right, bottom, top = box
    return np.array([left, bottom]), np.array([right - left, top - bottom])
