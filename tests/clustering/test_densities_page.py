"""What the lesson of densities and outliers says of its experiments."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy import ndarray
from scipy.ndimage import maximum_filter

from algorithms.classification.svm.one_class_svm import OneClassStep, one_class_svm
from algorithms.clustering.histogram import shifted_histograms, triangles
from algorithms.clustering.kernel_density import BandwidthStep, KernelDensityStep, bandwidths
from algorithms.core.kernels import rbf
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from pages.clustering.densities import WIDTHS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "densities"]
SAMPLES = range(20)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return experiment_of(LAB, title).answer


def sample(name: str, number: int) -> tuple[ndarray, float]:
    """Give the points of a sample, and the longer side of its picture."""
    made = DATASETS[name]
    noise = 0.2 if name == "moons" else made.noise
    X = made.make(made.n, noise=noise, rng=np.random.default_rng(number)).X
    left, right, bottom, top = plane.bounds(X)
    return X, max(right - left, top - bottom)


def best_of(steps: list[BandwidthStep]) -> float:
    return steps[int(np.argmax([step.left_out for step in steps]))].bandwidth


def test_a_vote_for_oneself(session: Session) -> None:
    title = "A vote for oneself"
    steps = list(steps_of(session, LAB, title))
    own = [step.own for step in steps]
    assert np.argmax(own) == 0 and "The smallest that is tried" in said(title)
    assert f"h = {steps[0].bandwidth:.3g}, with a mean ln p of −{-own[0]:.3g}:" in said(title)
    assert f"Left out, they choose h = {best_of(steps):.3g}." in said(title)
    X = session.state.board.data.X
    tiny = [next(bandwidths(X, np.array([h]))) for h in (1e-3, 1e-9, 1e-40)]
    assert [step.own > least for step, least in zip(tiny, (6, 30, 170), strict=True)] == [True] * 3
    found = []
    for number in SAMPLES:
        X, side = sample("moons", number)
        steps = list(bandwidths(X, WIDTHS * side))
        assert np.argmax([step.own for step in steps]) == 0
        found.append(best_of(steps))
    assert f"something between {min(found):.3g} and {max(found):.3g}" in said(title)


def hills(X: ndarray, h: float) -> int:
    """Count the places of a grid that are higher than all around them."""
    x, y, _ = plane.grid(plane.bounds(X), 120)
    p = KernelDensityStep(X, h, len(X)).on_grid(x, y)
    return int(np.count_nonzero((p == maximum_filter(p, size=3)) & (p > 1e-6 * p.max())))


def test_how_many_hills(session: Session) -> None:
    title = "How many hills?"
    counts = []
    for width in ("2", "8", "25"):
        end = steps_of(session, LAB, title, width=width)[-1]
        counts.append(hills(end.points, end.bandwidth))
    assert counts[1:] == [3, 1] and said(title).startswith(f"{counts[0]}, many of them")
    first = steps_of(session, LAB, title)[-1]
    assert first.bandwidth == pytest.approx(0.02 * sample("blobs", 0)[1])
    shares = first.shares(first.points)
    alone = np.count_nonzero(np.diag(shares) > 0.5 * shares.sum(axis=1))
    assert alone > 5, "hills of a single point"
    others = [sample("blobs", number) for number in SAMPLES]
    narrow, middle, wide = (
        [hills(X, width * side) for X, side in others] for width in (0.02, 0.08, 0.25)
    )
    assert f"it is {min(narrow)} to {max(narrow)} with 2 %" in said(title)
    assert set(middle) == {3} and "always three with 8 %" in said(title)
    assert set(wide) == {1} and "always one with 25 %" in said(title)


def farthest(X: ndarray) -> int:
    return int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())


def test_one_point_of_60(session: Session) -> None:
    title = "One point of 60"
    steps = list(steps_of(session, LAB, title))
    X, widths = steps[0].points, np.array([step.bandwidth for step in steps])
    without = list(bandwidths(np.delete(X, farthest(X), axis=0), widths))
    words = f"With it h = {best_of(steps):.3g} is the best, without it {best_of(without):.2g}."
    assert words in said(title)
    (falls, _) = (now for now, step in enumerate(steps) if step.event)
    assert steps[falls - 1].bandwidth == best_of(steps), "where L falls first is the best"
    ratios = []
    for number in SAMPLES:
        X, side = sample("outlier", number)
        both = [X, np.delete(X, farthest(X), axis=0)]
        first, second = (best_of(list(bandwidths(points, WIDTHS * side))) for points in both)
        ratios.append(first / second)
    assert f"{min(ratios):.1f} to {max(ratios):.1f} times as large" in said(title)


def machine(name: str, number: int, width: float, nu: float) -> OneClassStep:
    X, side = sample(name, number)
    return last(one_class_svm(X, nu=nu, kernel=rbf(0.5 / (width * side) ** 2)))


def test_outliers_by_order(session: Session) -> None:
    title = "Outliers by order"
    few, many = (len(steps_of(session, LAB, title, nu=nu)[-1].outside) for nu in ("0.1", "0.3"))
    assert said(title).startswith(f"{few}, and {many} with ν = 0.3.")
    few, many = (
        [len(machine("blobs", number, 0.15, nu).outside) for number in SAMPLES] for nu in (0.1, 0.3)
    )
    assert f"it is {min(few)} to {max(few)}, and {min(many)} to {max(many)}." in said(title)


def test_an_island(session: Session) -> None:
    title = "An island"
    end = steps_of(session, LAB, title)[-1]
    far = farthest(end.task.points)
    assert len(end.outside) == 0 and f"weight of {end.duals[far]:.3g} " in said(title)
    around = end.task.points[far] + 0.05 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    assert (end.predict(around) == -1).all(), "an island as small as a point"
    wide = steps_of(session, LAB, title, width="25")[-1]
    assert wide.outside.tolist() == [far]
    for number in SAMPLES:
        far = farthest(sample("outlier", number)[0])
        assert len(machine("outlier", number, 0.08, 0.05).outside) == 0
        assert machine("outlier", number, 0.25, 0.05).outside.tolist() == [far]


def picked(X: ndarray) -> ndarray:
    left, right, bottom, top = plane.bounds(X)
    return np.array([0.6 * left + 0.4 * right, 0.4 * bottom + 0.6 * top])


def test_where_bins_begin(session: Session) -> None:
    title = "Where bins begin"
    end = steps_of(session, LAB, title)[-1]
    X, h = end.points, end.width
    assert len(end.origins) == 16 and h == pytest.approx(0.12 * sample("moons", 0)[1])
    query = picked(X)
    counts = end.counts(query)
    p, wide = counts / len(X) / h**2, triangles(X, h, query)
    assert f"From {p.min():.3g} to {p.max():.3g}, to seven times" in said(title)
    assert round(p.max() / p.min()) == 7
    assert f"with {counts.min():g} points, or with {counts.max():g}." in " ".join(
        said(title).split()
    )
    assert f"shifts is {p.mean():.3g}; bumps that are triangles give {wide:.3g}." in said(title)
    for number in SAMPLES:
        X, side = sample("moons", number)
        last_step = last(shifted_histograms(X, width=0.12 * side))
        p = last_step.counts(picked(X)) * last_step.height
        assert p.max() >= 2 * p.min()
        wide = triangles(X, 0.12 * side, picked(X))
        assert abs(p.mean() - wide) <= 0.15 * wide


def test_points_however_near_are_shown(session: Session) -> None:
    session.open(LAB)
    for name, text in (
        ("tiny", "0,0\n1e-39,2e-39"),
        ("one place", "1,2\n1,2"),
        ("far", "0,0\n9e60,1"),
    ):
        session.upload(f"{name}.csv", f"x,y\n{text}\n".encode())
        assert len(session.state.board.data.X) == 2
        for view in ("bumps", "width", "one class", "histogram"):
            session.set("segmented_control", "view", view)
            assert not session.stage["error"], (name, view)
