"""What the lesson of densities and outliers says of its experiments."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from scipy.ndimage import maximum_filter

from algorithms.clustering.histogram import shifted_histograms, triangles
from algorithms.clustering.kernel_density import BandwidthStep, KernelDensityStep, bandwidths
from algorithms.clustering.one_class_svm import OneClassStep, one_class_svm
from algorithms.core.kernels import rbf
from algorithms.core.record import last
from pages._shared.lab.catalogue import LABS
from pages.clustering.densities import WIDTHS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "densities"]
SAMPLES = range(40)


@cache
def sample(name: str, number: int) -> tuple[ndarray, float]:
    """Return the points of a sample, and the longer side of its picture."""
    how: dict[str, Any] = {"noise": 0.2} if name == "moons" else {}
    X = dataset(name, sample=number, **how).X
    left, right, bottom, top = plane.bounds(X)
    return X, max(right - left, top - bottom)


def best_of(steps: list[BandwidthStep]) -> float:
    return steps[int(np.argmax([step.left_out for step in steps]))].bandwidth


def a_vote_for_oneself(trial: Trial) -> Numbers:
    steps = list(trial.steps())
    own, X = [step.own for step in steps], trial.data.X
    assert np.argmax(own) == 0
    tiny = [next(bandwidths(X, np.array([h]))) for h in (1e-3, 1e-9, 1e-40)]
    assert all(step.own > least for step, least in zip(tiny, (6, 30, 170), strict=True))
    found = []
    for number in SAMPLES:
        X, side = sample("moons", number)
        tried = list(bandwidths(X, WIDTHS * side))
        assert np.argmax([step.own for step in tried]) == 0
        found.append(best_of(tried))
    return [steps[0].bandwidth, own[0], best_of(steps), SAMPLES, min(found), max(found)]


def hills(X: ndarray, h: float) -> int:
    """Count the places of a grid that are higher than all around them."""
    x, y, _ = plane.grid(plane.bounds(X), 120)
    p = KernelDensityStep(X, h, len(X)).on_grid(x, y)
    return int(np.count_nonzero((p == maximum_filter(p, size=3)) & (p > 1e-6 * p.max())))


def how_many_hills(trial: Trial) -> Numbers:
    ends = [trial.steps(width=width)[-1] for width in ("2", "8", "25")]
    counts = [hills(end.points, end.bandwidth) for end in ends]
    shares = ends[0].shares(ends[0].points)
    alone = np.count_nonzero(np.diag(shares) > 0.5 * shares.sum(axis=1))
    assert alone > 5, "hills of a single point"
    others = [sample("blobs", number) for number in SAMPLES]
    narrow, middle, wide = (
        [hills(X, width * side) for X, side in others] for width in (0.02, 0.08, 0.25)
    )
    assert len(set(middle)) == len(set(wide)) == 1
    found = [counts[0], 8, counts[1], 25, counts[2]]
    return [*found, SAMPLES, min(narrow), max(narrow), 2, middle[0], 8, wide[0], 25]


def farthest(X: ndarray) -> int:
    return int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())


def one_point_of_60(trial: Trial) -> Numbers:
    steps = list(trial.steps())
    X, widths = steps[0].points, np.array([step.bandwidth for step in steps])
    without = list(bandwidths(np.delete(X, farthest(X), axis=0), widths))
    (falls, _) = (now for now, step in enumerate(steps) if step.event)
    assert steps[falls - 1].bandwidth == best_of(steps), "where L falls first is the best"
    ratios = []
    for number in SAMPLES:
        X, side = sample("outlier", number)
        both = [X, np.delete(X, farthest(X), axis=0)]
        first, second = (best_of(list(bandwidths(points, WIDTHS * side))) for points in both)
        ratios.append(first / second)
    return [best_of(steps), best_of(without), SAMPLES, min(ratios), max(ratios)]


def machine(name: str, number: int, width: float, nu: float) -> OneClassStep:
    X, side = sample(name, number)
    return last(one_class_svm(X, nu=nu, kernel=rbf(0.5 / (width * side) ** 2)))


def as_many_outliers_as_you_ask_for(trial: Trial) -> Numbers:
    few, many = (len(trial.steps(nu=nu)[-1].outside) for nu in ("0.1", "0.3"))
    most = [nu * len(trial.data.X) for nu in (0.1, 0.3)]
    assert len(trial.steps(width="5")[-1].outside) == 0
    wide, narrow = (
        [len(machine("blobs", number, width, 0.1).outside) for number in SAMPLES]
        for width in (0.15, 0.05)
    )
    assert not any(narrow)
    found = [few, many, 0.3, *most, 5, 0.1]
    return [*found, SAMPLES, 0.1, min(wide), max(wide), 15, max(narrow), 5]


def an_island(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    far = farthest(end.task.points)
    assert len(end.outside) == 0
    around = end.task.points[far] + 0.05 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    assert (end.predict(around) == -1).all(), "an island as small as a point"
    wide = trial.steps(width="25")[-1]
    assert wide.outside.tolist() == [far]
    for number in SAMPLES:
        other = farthest(sample("outlier", number)[0])
        assert len(machine("outlier", number, 0.08, 0.05).outside) == 0
        assert machine("outlier", number, 0.25, 0.05).outside.tolist() == [other]
    return [end.duals[far], 25, SAMPLES]


def picked(X: ndarray) -> ndarray:
    left, right, bottom, top = plane.bounds(X)
    return np.array([0.6 * left + 0.4 * right, 0.4 * bottom + 0.6 * top])


def where_bins_begin(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    X, h = end.points, end.width
    assert len(end.origins) == 16 and h == pytest.approx(0.12 * sample("moons", 0)[1])
    counts = end.counts(picked(X))
    p, wide = counts / len(X) / h**2, triangles(X, h, picked(X))
    off = []
    for number in SAMPLES:
        other, side = sample("moons", number)
        end = last(shifted_histograms(other, width=0.12 * side))
        found = end.counts(picked(other)) * end.height
        limit = triangles(other, 0.12 * side, picked(other))
        assert found.max() >= 2 * found.min()
        off.append(abs(found.mean() - limit) / limit)
    assert max(off) <= 0.15
    least, most = counts.min(), counts.max()
    found = [p.min(), p.max(), p.max() / p.min(), least, most, p.mean(), wide]
    return [*found, SAMPLES, 2, 15]


test_the_answers = claims_test(
    "densities",
    {
        "A vote for oneself": a_vote_for_oneself,
        "How many hills?": how_many_hills,
        "One point of 60": one_point_of_60,
        "As many outliers as you ask for": as_many_outliers_as_you_ask_for,
        "An island": an_island,
        "Where bins begin": where_bins_begin,
    },
)


def test_points_however_near_are_shown(session: Session) -> None:
    session.open(LAB)
    for name, text in (
        ("tiny", "0,0\n1e-39,2e-39"),
        ("one place", "1,2\n1,2"),
        ("far", "0,0\n9e60,1"),
    ):
        session.upload(f"{name}.csv", f"x,y\n{text}\n".encode())
        assert len(session.board.data.X) == 2
        for view in ("bumps", "width", "one class", "histogram"):
            session.set("segmented_control", "view", view)
            assert not session.stage["error"], (name, view)
