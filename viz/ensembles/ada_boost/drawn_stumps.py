"""Stumps as a class places them on its phones.

The first of a stump's two places is on the cut, and the second one is beside it on the side of the
second class.
"""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.ada_boost.stumps import Stumps, best_cut, stumps
from algorithms.ensembles.ada_boost.stumps_as_text import MOST_STUMPS, origin, written
from viz.core.drawing import Drawing
from viz.core.scene import Bounds, Plane

_BESIDE = 0.16  # of the picture: from a cut to its second place


def of_places(places: ndarray, box: Bounds) -> Stumps:
    """Return the stumps that (m, 2, 2) places stand for.

    Raises ValueError if the two places of one are the same.
    """
    _, span = origin(box)
    way = (places[:, 1] - places[:, 0]) / span
    if not way.any(axis=1).all():
        raise ValueError("the second place of a stump must be beside its cut")
    feature = (np.abs(way[:, 1]) > np.abs(way[:, 0])).astype(int)
    rows = np.arange(len(places))
    return stumps(feature, places[rows, 0, feature], np.where(way[rows, feature] > 0, 1, -1))


def places_of(placed: Stumps, box: Bounds) -> ndarray:
    """Return the (m, 2, 2) places that stand for stumps."""
    low, span = origin(box)
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
