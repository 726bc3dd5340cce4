"""What the lesson of spectral clustering says of its experiments."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.clustering.normalised_cut import normalised_cut
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core.record import last
from algorithms.core.similarity_graph import SimilarityGraph, similarity_graph
from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset, rng
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

SAMPLES = range(40)


@cache
def moons() -> list[Dataset]:
    return [dataset("moons", sample=i, noise=0.1) for i in SAMPLES]


def gamma(data: Dataset, width: float) -> float:
    """Return the gamma that the page computes from a width in per cent."""
    left, right, bottom, top = plane.bounds(data.X)
    return 1 / (2 * (width / 100 * max(right - left, top - bottom)) ** 2)


def graph(data: Dataset, k: int, width: float) -> SimilarityGraph:
    return similarity_graph(data.X, k, gamma(data, width))


def clusters(data: Dataset, k: int, width: float) -> ndarray:
    return last(spectral_clustering(data.X, k, gamma=gamma(data, width), rng=rng())).labels


def by_k_means(data: Dataset, k: int) -> ndarray:
    return lowest_inertia(data.X, k, rng=rng(), restarts=10)[1]


def wrong(labels: ndarray, data: Dataset) -> int:
    """Count the points in the wrong cluster, under the best naming of the clusters."""
    names = permutations(range(len(data.classes)))
    return min(int(np.sum(np.array(name)[labels] != data.labels)) for name in names)


def around_the_bend(trial: Trial) -> Numbers:
    end, data = trial.steps()[-1], trial.data
    assert wrong(end.labels, data) == 0 and np.bincount(end.labels).tolist() == [100, 100]
    errors = [wrong(clusters(each, 2, 3), each) for each in moons()]
    assert errors.count(0) == len(SAMPLES) - 1
    return [100, wrong(by_k_means(data, 2), data), errors.count(0), SAMPLES, max(errors)]


def everybody_is_near(trial: Trial) -> Numbers:
    end, data = trial.steps()[-1], trial.data
    count = wrong(end.labels, data)
    assert count == wrong(by_k_means(data, 2), data)
    apart = [abs(wrong(clusters(d, 2, 30), d) - wrong(by_k_means(d, 2), d)) for d in moons()]
    widths = np.arange(1, 5, 0.5)
    found = [float(width) for width in widths if wrong(clusters(data, 2, width), data) == 0]
    assert found == np.arange(found[0], found[-1] + 0.1, 0.5).tolist()
    return [count, SAMPLES, max(apart), found[-1], found[0]]


def the_eigengap(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert len(np.unique(steps[-1].labels)) == 4
    values = steps[0].eigenvalues
    for i in SAMPLES:
        assert graph(dataset("blobs", sample=i, noise=0.6, classes=4), 4, 10).widest_gap == 4
    gaps = [graph(each, 2, 3).widest_gap for each in moons()]
    return [steps[0].graph.widest_gap, values[3], values[4], SAMPLES, min(gaps), max(gaps), 2]


def large_and_small(trial: Trial) -> Numbers:
    end, data = trial.steps()[-1], trial.data
    assert end.graph.gamma == pytest.approx(gamma(data, 5))
    drawn = [dataset("unequal", sample=i) for i in SAMPLES]
    ours = [wrong(clusters(each, 3, 5), each) for each in drawn]
    theirs = [wrong(by_k_means(each, 3), each) for each in drawn]
    sizes = sorted(np.bincount(end.labels).tolist(), reverse=True)
    many = sum(count > 90 for count in theirs)
    return [*sizes, wrong(end.labels, data), SAMPLES, max(ours), 10, min(theirs), 90, many]


def a_lonely_point(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert np.bincount(steps[-1].labels).min() == 1
    drawn = [dataset("outlier", sample=i) for i in SAMPLES]
    pieces = [graph(each, 2, 1.5).pieces for each in drawn]
    assert set(pieces) == {2, 3}
    for each in drawn:
        alone = clusters(each, 2, 1.5)
        assert np.count_nonzero(alone == alone[3]) == 1, "the far point is a cluster"
    most = max(wrong(clusters(each, 2, 3), each) for each in drawn)
    assert steps[0].eigenvalues[1] < 1e-9 < steps[0].eigenvalues[2]
    return [steps[0].graph.pieces, 0, SAMPLES, pieces.count(3), 3, most]


def where_to_cut(trial: Trial) -> Numbers:
    steps, data = trial.steps(), trial.data
    end = steps[-1]
    assert wrong(steps[end.best - 1].labels, data) == 0
    errors = []
    for each in moons():
        found = list(normalised_cut(each.X, gamma=gamma(each, 3)))
        errors.append(wrong(found[found[-1].best - 1].labels, each))
    return [end.best, end.lowest, end.graph.eigenvalues[1], errors.count(0), SAMPLES]


test_the_answers = claims_test(
    "spectral_clustering",
    {
        "Around the bend": around_the_bend,
        "Everybody is near": everybody_is_near,
        "The eigengap": the_eigengap,
        "Large and small": large_and_small,
        "A lonely point": a_lonely_point,
        "Where to cut?": where_to_cut,
    },
)


def test_the_first_picture_shows_clusters_that_k_means_does_not_find(session: Session) -> None:
    (lab,) = (lab for lab in LABS if lab.name == "spectral_clustering")
    session.open(lab)
    assert session.run_shown is not None
    labels, data = session.run_shown.steps[-1].labels, session.board.data
    assert len(np.unique(labels)) == session.value("k")
    assert wrong(labels, data) == 0
    assert wrong(by_k_means(data, session.value("k")), data) > 20


def test_pieces_are_counted_though_every_two_points_are_joined() -> None:
    """All weights are above 0, so one eigenvalue is 0 exactly; others may be below 1e-9."""
    data = dataset("blobs", noise=0.4, classes=2)
    found = graph(data, 2, 3)
    assert found.weights[~np.eye(len(data.X), dtype=bool)].min() > 0
    assert found.pieces == 2
