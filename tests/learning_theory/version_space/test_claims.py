"""What the lesson on version spaces says of its experiments."""

from itertools import pairwise

import numpy as np

from algorithms.learning_theory.version_space.boxes_on_a_grid import CELLS, boxes_left, votes
from algorithms.learning_theory.version_space.candidate_elimination import holds
from algorithms.learning_theory.version_space.conjunctions import ANY, conjunctions, held
from algorithms.learning_theory.version_space.half_planes import EMPTY, REACH
from algorithms.learning_theory.version_space.tightest_box import bound, samples_needed
from pages.learning_theory.version_space import CORNERS, TABLE, box_of, sample
from tests.house.claims import Numbers, Trial, claims_test

TRUTH = box_of(CORNERS)
SQUARE = (-3.0, 3.0, -3.0, 3.0)
SEED = 734


def left_after(n: int) -> np.ndarray:
    return boxes_left(*sample(TRUTH, n, 0.0, SEED), SQUARE)


def less_doubt(trial: Trial) -> Numbers:
    steps, (X, _) = trial.steps(), sample(TRUTH, 30, 0.0, SEED)
    sure = [
        bool((step.surely_in(x[None]) | step.surely_out(x[None]))[0])
        for step, x in zip(steps, X, strict=False)
    ]
    for i, same in enumerate(sure):  # as S and G say, too
        before, after = steps[i : i + 2]
        unchanged = np.array_equal(before.most_specific, after.most_specific) and (
            {G.tobytes() for G in before.most_general} == {G.tobytes() for G in after.most_general}
        )
        assert same == unchanged
    early, late = sum(sure[:20]), sum(sure[20:])
    return [left_after(30)[-1].sum(), sum(sure), 30, 20, early, 10, late]


def six(trial: Trial) -> Numbers:
    trial.steps()
    run = trial.session.run_shown
    assert run and run.call
    first = boxes_left(run.call.args[0], run.call.args[1] == 1, SQUARE)[-1]
    trial.steps(taught="-1.25,-0.45;0.75,1.55;-1.75,0.55;1.25,0.55;-0.25,-0.95;-0.25,2.05")
    run = trial.session.run_shown
    assert run and run.call
    X = run.call.args[0]

    def left(X: np.ndarray) -> int:
        return int(boxes_left(X, holds(TRUTH, X), SQUARE)[-1].sum())

    assert left(X) == 1 and len(X) == 6
    return [first.sum(), min(left(np.delete(X, i, axis=0)) for i in range(6))]


def slices(trial: Trial) -> Numbers:
    steps = trial.steps()
    idle = sum(b.area - a.area < EMPTY for b, a in pairwise(steps))
    return [idle, 100 * steps[-1].area / (2 * REACH) ** 2]


def wrong_label(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    X, y = sample(TRUTH, 40, 0.1, 4)
    wrong = np.flatnonzero(y[: end.seen] != holds(TRUTH, X[: end.seen])) + 1
    assert end.event == "nothing is left" and wrong.tolist() == [1] and y[0]
    return [end.seen, end.seen, wrong[0]]


def any_set(trial: Trial) -> Numbers:
    X, _ = sample(TRUTH, 30, 0.0, SEED)
    cells = np.floor((X + 3) * CELLS / 6).astype(int)
    shares = votes(left_after(30)[-1])
    return [CELLS**2 - len(np.unique(cells, axis=0)), ((shares > 0) & (shares < 1)).sum()]


def class_list(trial: Trial) -> Numbers:
    steps = trial.steps()
    H = conjunctions([len(each) for each in TABLE.values])
    left = H[steps[2].left]
    assert left.tolist() == [[ANY, ANY, ANY], [ANY, ANY, 1]]
    assert held(left, np.array([1, 0, 1])).all()
    joined = trial.steps(d4="True")[-1]
    assert H[joined.left].tolist() == [[ANY, ANY, ANY]]
    return [steps[3].left.sum(), steps[4].left.sum(), len(H)]


def no_error(trial: Trial) -> Numbers:
    errors = trial.steps()[-1].errors
    assert (errors > 0).all() and (errors <= 0.1).all()
    return [samples_needed(0.1, 0.05), len(errors), errors.min(), errors.max()]


def whatever(trial: Trial) -> Numbers:
    above = [
        int((trial.steps(distribution=name)[-1].errors > 0.1).sum())
        for name in ("uniform", "around the middle", "near a corner")
    ]
    return [above[0], 100, *above[1:], 100 * bound(0.1, 60)]


test_claims = claims_test(
    "version_space",
    {
        "Less and less doubt": less_doubt,
        "Six are enough": six,
        "A slice at a time": slices,
        "One wrong label": wrong_label,
        "Any set of cells": any_set,
        "A class list": class_list,
        "Does PAC promise no error?": no_error,
        "Whatever the distribution": whatever,
    },
)
