"""The modes of the lab; its lesson is similarity_measures.md."""

import numpy as np

from algorithms.clustering.similarity_measures import binary_measures as binary
from algorithms.clustering.similarity_measures import similarity_measures as algorithm
from algorithms.clustering.similarity_measures.similarity_measures import Measure, Name
from algorithms.data.baskets import BASKETS
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.similarity_measures.binary_measures import YesOrNo
from viz.clustering.similarity_measures.rule import OTHERS
from viz.clustering.similarity_measures.similarity_measures import Neighbours

MEASURES: dict[str, Name] = {
    "Minkowski": "minkowski",
    "Chebyshev": "chebyshev",
    "cosine": "cosine",
    "Mahalanobis": "mahalanobis",
}
POWERS = [0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]
UNITS = [0.001, 0.01, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 1000.0]
HALF = Measure("minkowski", 0.5)


def neighbours(lab: Lab) -> Shown:
    """Let the ball of a measure grow around the query."""
    X, measure = lab.plane.X, choose(lab)
    other = OTHERS[lab.choice("against", "Compared with", list(OTHERS), "Euclidean")]
    k = min(lab.slider("k", "Neighbours k", 1, 20, 5), max(1, len(X)))
    unit = lab.log_slider(
        "unit", "y multiplied by", UNITS, 1.0,
        help="The effect of a smaller unit for y. The picture stays the same.",
    )  # fmt: skip
    origin, mean = "the origin", "the mean"
    seen_from = lab.buttons(
        "center", "Angles are seen from", (origin, mean), origin, help="Only the cosine uses this."
    )
    center = X.mean(axis=0) if seen_from == mean and len(X) else np.zeros(2)
    how, query = {"units": np.array([1.0, unit]), "center": center}, picked_point(lab)
    run = lab.run(
        algorithm.nearest_by_measure, X, k=k, measure=measure, against=other, query=query, **how
    )
    rows = tuple(sorted({measure, HALF, *OTHERS.values()}, key=_in_rows))
    ranks = lab.later(algorithm.ranks_by_measures, X, query, rows, **how)
    return lab.scene(Neighbours, run, lab.plane, ranks, code=algorithm)


def _in_rows(measure: Measure) -> tuple[int, float]:
    """Return a measure's place in the view of the rows."""
    return algorithm.NAMES.index(measure.name), measure.p


def yes_or_no(lab: Lab) -> Shown:
    """Compare a shopper with all others; the points on the board are not used."""
    measure = lab.choice("binary", "Measure", binary.MEASURES, binary.MEASURES[0])
    shopper = lab.choice("shopper", "Shopper", BASKETS.shoppers, BASKETS.shoppers[0])
    row = BASKETS.shoppers.index(shopper)
    run = lab.run_apart(binary.compare_binary, BASKETS.bought, row=row, measure=measure)
    return lab.scene(YesOrNo, run, BASKETS, code=binary)


def choose(lab: Lab) -> Measure:
    """Ask for the measure, and for its power if it has one."""
    name = MEASURES[lab.choice("measure", "Measure", list(MEASURES), "Minkowski")]
    if name != "minkowski":
        return Measure(name)
    return Measure(name, lab.log_slider("p", "Power p", POWERS, 1.0))


def picked_point(lab: Lab) -> np.ndarray:
    """Return the query: by default measures disagree there, and the way has two long legs."""
    return picked_place(lab, across=0.86, up=0.84, label="Query")


MODES = {"neighbours": neighbours, "yes or no": yes_or_no}

if __name__ == "__main__":
    open_lab(__file__, data="stretched", n=60).show(MODES)
