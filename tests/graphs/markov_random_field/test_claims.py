"""What the lesson of Markov random fields says of its experiments."""

from itertools import pairwise
from typing import Any

import numpy as np

from algorithms.core.drawing import drawing
from algorithms.graphs.markov_random_field.exact import exact_shares
from algorithms.graphs.markov_random_field.picture import neighbour_sums
from tests.house.claims import Numbers, Trial, claims_test


def original(trial: Trial, pen: float, cells: int) -> np.ndarray:
    """Return the picture before the noise."""
    X, bounds = trial.data.X, trial.session.board.bounds
    return np.where(drawing(X, bounds, pen, cells=cells)[::-1] > 0, 1, -1)


def wrong(steps: Any, truth: np.ndarray) -> int:
    return int((steps[-1].image != truth).sum())


def every_flip(trial: Trial) -> Numbers:
    steps = trial.steps()
    truth = original(trial, 2.5, 20)
    spoiled = sum(int(truth.flat[step.cell] != step.image.flat[step.cell]) for step in steps[1:])
    assert (np.diff([step.energy for step in steps]) < 0).all()
    noise = int((steps[0].image != truth).sum())
    return [noise, truth.size, len(steps) - 1, spoiled, wrong(steps, truth)]


def quarter(trial: Trial) -> Numbers:
    found, before = [], 0
    for k in range(4, 61):  # β from 0.2 to 3 in steps of 0.05
        flips = len(trial.steps(coupling=f"{k / 20:g}")) - 1
        if flips != before:
            found += [flips, k / 20]
        before = flips
    return [number for number in found if number != 0.3]


def thin_line(trial: Trial) -> Numbers:
    steps = trial.steps()
    black = [int((step.image == 1).sum()) for step in steps]
    assert black[-1] == 0
    for before, after in pairwise(steps):
        assert neighbour_sums(before.image).flat[after.cell] <= -2
    return [black[0], int((trial.steps(coupling="0.5")[-1].image == 1).sum())]


def flipped(trial: Trial, **changes: str) -> Any:
    """Return the run of iterated conditional modes on the same picture."""
    return trial.steps(view="iterated conditional modes", cells="12", pen="1.5", **changes)


def stuck(trial: Trial) -> Numbers:
    best, flips = trial.steps(), flipped(trial)
    truth = original(trial, 1.5, 12)
    unlike = int((best[-1].image != flips[-1].image).sum())
    at_end = [flips[-1].energy, wrong(flips, truth)]
    return [*at_end, best[-1].energy, unlike, wrong(best, truth)]


def one_colour(trial: Trial) -> Numbers:
    first = trial.steps()
    truth = original(trial, 1.5, 12)
    best, flips = trial.steps(coupling="1.5"), flipped(trial, coupling="1.5")
    assert (best[-1].image == -1).all()
    errors = [wrong(each, truth) for each in (first, best, flips)]
    return [errors[0], truth.size, *errors[1:], flips[-1].energy, best[-1].energy]


def more_errors(trial: Trial) -> Numbers:
    counts = []
    for seed in map(str, range(10)):
        best, flips = trial.steps(seed=seed), flipped(trial, seed=seed)
        truth = original(trial, 1.5, 12)
        counts.append((wrong(best, truth), wrong(flips, truth)))
    more, fewer = (sum(s * (b - f) > 0 for b, f in counts) for s in (1, -1))
    energies = [trial.steps()[-1].energy, flipped(trial)[-1].energy]
    return [counts[4][1], counts[4][0], *energies, more, fewer]


def hot_and_cold(trial: Trial) -> Numbers:
    found: list[float] = []
    for T in ("1", "0.1", "5"):
        steps = trial.steps(T=T)
        truth = original(trial, 2.5, 20)
        majority = np.where(steps[-1].share > 0.5, 1, -1)
        found += [wrong(steps, truth), int((majority != truth).sum())]
    return found


def given_time(trial: Trial) -> Numbers:
    steps = trial.steps()
    exact = exact_shares(steps[0].image, coupling=0.6)
    return [float(np.abs(steps[n].share - exact).max()) for n in (10, 200)]


test_claims = claims_test(
    "markov_random_field",
    {
        "Every flip lowers the energy": every_flip,
        "A quarter and a half": quarter,
        "A thin line": thin_line,
        "Stuck": stuck,
        "All one colour": one_colour,
        "Lower energy, more errors": more_errors,
        "Hot and cold": hot_and_cold,
        "Given time": given_time,
    },
)
