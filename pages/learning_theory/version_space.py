"""The modes of the lab; its lesson is version_space.md."""

from dataclasses import replace

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.version_space import (
    candidate_elimination,
    conjunctions,
    half_planes,
    tightest_box,
)
from algorithms.learning_theory.version_space.boxes_on_a_grid import CELLS, boxes_left
from algorithms.learning_theory.version_space.candidate_elimination import holds
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.learning_theory.version_space.candidate_elimination import Elimination
from viz.learning_theory.version_space.conjunctions import ClassList, Conjunctions
from viz.learning_theory.version_space.half_planes import WEIGHTS, HalfPlanes
from viz.learning_theory.version_space.marks import SQUARE
from viz.learning_theory.version_space.tightest_box import TightestBox

CHOSEN = np.array(  # before any is dragged
    [
        [-0.75, 0.25], [0.25, 0.75], [-2.25, 0.75], [2.25, -0.25], [0.25, -2.25],
        [-0.25, 2.25], [1.75, -1.75], [-1.75, -2.25], [2.25, 1.75], [-2.75, 2.25],
    ]
)  # fmt: skip
CORNERS = np.array([[-1.5, -1.0], [1.0, 1.5]])
PICKED = np.array([[-0.75, -0.25]])
LINE = np.array([0.6, 0.3])  # slope and intercept of the true one
SNAP = np.array([0.0, 0.06])  # below a handle, the place whose cell is meant: see `teaching`
DRAGGED = 28  # pixels of a sample: larger than its handle, smaller than its cell
CELL = (SQUARE[1] - SQUARE[0]) / CELLS
TABLE = ClassList(  # of the course notes
    names=("D1", "D2", "D3", "D4"),
    attributes=("F1", "F2", "F3"),
    values=(("Y", "N"), ("Y", "N"), ("Y", "N")),
    rows=((0, 0, 1), (1, 1, 1), (0, 0, 0), (0, 1, 0)),
    positive=(True, True, True, False),
)
SIZES = [1, 5, 10, 20, 30, 45, 60, 80, 100, 130, 160, 200, 250, 300, 400]


def elimination(lab: Lab) -> Shown:
    """Rule out boxes, sample by sample."""
    shown = lab.toggle("show", "Show the true box", False)
    n = lab.slider("n", "Samples", 5, 80, 20)
    noise = lab.slider("noise", "Wrong labels, share", 0.0, 0.3, 0.0, 0.05)
    seed = lab.number("seed", "Seed", 0, 9999, 734)
    truth = ask_truth(lab) if shown else box_of(CORNERS)
    place = lab.places("picked", "Picked place", PICKED, look="query", within=SQUARE)[0]
    X, positive = sample(truth, n, noise, seed)
    run = lab.run_apart(candidate_elimination.candidate_elimination, X, positive.astype(int))
    left = lab.later(boxes_left, X, positive, SQUARE)
    return lab.scene(
        Elimination, run, X, positive, left, truth if shown else None, place,
        code=candidate_elimination,
    )  # fmt: skip


def teaching(lab: Lab) -> Shown:
    """Choose the samples yourself: which teach the box?"""
    truth = ask_truth(lab)
    n = lab.slider("m_taught", "Samples", 1, 10, 6)
    places = lab.places("taught", "Sample", CHOSEN[:n], within=SQUARE, look="line")
    # A handle in an old link is 0.3 above its sample; with SNAP it stays in the sample's cell.
    X = middles(places - SNAP)
    lab.handles[-1]["places"] = X.tolist()
    positive = holds(truth, X)
    run = lab.run_apart(candidate_elimination.candidate_elimination, X, positive.astype(int))
    left = lab.later(boxes_left, X, positive, SQUARE)
    return lab.scene(
        Elimination, run, X, positive, left, truth, None,
        size=DRAGGED, code=candidate_elimination,
    )  # fmt: skip


def lines(lab: Lab) -> Shown:
    """Rule out half-planes: every sample cuts a slice off their weights."""
    shown = lab.toggle("true_line", "Show the true line", False)
    n = lab.slider("samples", "Samples", 3, 40, 12)
    noise = lab.slider("flipped", "Wrong labels, share", 0.0, 0.3, 0.0, 0.05)
    seed = lab.number("draw_lines", "Seed", 0, 9999, 0)
    rng = np.random.default_rng(seed)
    X = rng.uniform(SQUARE[0], SQUARE[1], (n, 2))
    positive = half_planes.positive(LINE, X) ^ (rng.random(n) < noise)
    point = lab.places(
        "point", "Picked point", np.array([[-2.0, 0.9]]), look="query", within=SQUARE
    )
    line = lab.places(
        "line", "Weights", np.array([[1.0, -0.8]]), look="line", within=WEIGHTS, view=1
    )
    run = lab.run_apart(half_planes.half_plane_elimination, X, positive.astype(int))
    truth = LINE if shown else None
    return lab.scene(HalfPlanes, run, X, positive, point[0], line[0], truth, code=half_planes)


def approximately_correct(lab: Lab) -> Shown:
    """Fit the tightest box again and again: how large is its error?"""
    truth = ask_truth(lab)
    m = int(lab.log_slider("m", "Samples m", SIZES, 60))
    eps = lab.slider("eps", "Tolerated error ε", 0.02, 0.5, 0.1, 0.02)
    delta = lab.slider("delta", "Tolerated risk δ", 0.01, 0.5, 0.05, 0.01)
    names = list(tightest_box.DISTRIBUTIONS)
    distribution = lab.choice("distribution", "Samples", names, names[0])
    seed = lab.number("draw", "Seed of the repetitions", 0, 9999, 0)
    run = lab.run_apart(
        tightest_box.tightest_boxes, truth, m,
        rng=np.random.default_rng(seed), eps=eps, distribution=distribution,
    )  # fmt: skip
    above = lab.later(
        tightest_box.share_above, truth, np.array(SIZES, float),
        rng=np.random.default_rng([seed, 1]), eps=eps, distribution=distribution,
    )  # fmt: skip
    return lab.scene(TightestBox, run, truth, m, eps, delta, above, code=tightest_box)


def class_list(lab: Lab) -> Shown:
    """Rule out conjunctions over a table, row by row."""
    table = replace(
        TABLE,
        positive=tuple(
            lab.toggle(name.lower(), f"{name} is of class C1", default)
            for name, default in zip(TABLE.names, TABLE.positive, strict=True)
        ),
    )
    run = lab.run_apart(
        conjunctions.conjunction_elimination, np.array(table.rows),
        np.array(table.positive, int), values=[len(each) for each in table.values],
    )  # fmt: skip
    return lab.scene(Conjunctions, run, table, code=conjunctions)


def sample(truth: ndarray, n: int, noise: float, seed: int) -> tuple[ndarray, ndarray]:
    """Draw samples from the square, and their labels; some of these are wrong.

    They are in the middles of cells: a line of the grid is between any two different coordinates.
    """
    rng = np.random.default_rng(seed)
    X = middles(rng.uniform(SQUARE[0], SQUARE[1], (n, 2)))
    return X, holds(truth, X) ^ (rng.random(n) < noise)


def middles(places: ndarray) -> ndarray:
    """Return the middle of each place's cell on the grid of the square."""
    return CELL * (np.clip(np.floor(places / CELL), -CELLS // 2, CELLS // 2 - 1) + 0.5)


def ask_truth(lab: Lab) -> ndarray:
    """Ask for two opposite corners of the true box; its sides are on lines of the grid."""
    corners = np.rint(lab.places("truth", "Corner", CORNERS, within=SQUARE, look="line") / CELL)
    lab.handles[-1]["places"] = (CELL * corners).tolist()
    return box_of(CELL * corners)


def box_of(corners: ndarray) -> ndarray:
    """Return the box between two corners, at least one cell wide and high."""
    low = np.minimum(corners.min(axis=0), SQUARE[1] - CELL)
    return np.column_stack([low, np.maximum(corners.max(axis=0), low + CELL)])


MODES = {
    "candidate elimination": elimination,
    "you teach": teaching,
    "half-planes": lines,
    "class list": class_list,
    "PAC": approximately_correct,
}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
