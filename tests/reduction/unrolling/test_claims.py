"""What the lesson of unrolling says of its experiments."""

import numpy as np
from sklearn.decomposition import PCA

from algorithms.reduction.unrolling.short_cuts import Yardstick, yardstick
from tests.house.claims import Numbers, Trial, claims_test


def measured(trial: Trial) -> Yardstick:
    return yardstick(trial.data.table)


def short_cuts(trial: Trial, step) -> int:
    X, measure = trial.data.table, measured(trial)
    delta = np.linalg.norm(X[:, None] - X, axis=2)
    return int(measure.short_cuts(delta)[tuple(step.edges.T)].sum())


def along_the_arm(trial: Trial) -> Numbers:
    end, measure = trial.steps()[-1], measured(trial)
    assert abs(measure.mds - measure.pca) < 1e-6
    return [measure.kept(end.embedding[:, :1]), measure.pca]


def one_edge_too_many(trial: Trial) -> Numbers:
    torn = trial.steps()[-1]
    found = [short_cuts(trial, torn), measured(trial).kept(torn.embedding)]
    whole = trial.steps(neighbors="12")[-1]
    assert short_cuts(trial, whole) == 0
    found += [12, measured(trial).kept(whole.embedding)]
    edges = trial.steps(view="locally linear", neighbors="13")[-1].neighbors
    assert crossing(trial, edges) == 1
    linear = [axis_by_axis(trial, view="locally linear", neighbors=k)[0] for k in ("13", "12")]
    return [*found, *linear, 12]


def blurred(trial: Trial) -> Numbers:
    torn = trial.steps()[-1]
    found = [short_cuts(trial, torn), measured(trial).kept(torn.embedding)]
    whole = trial.steps(neighbors="5")[-1]
    assert short_cuts(trial, whole) == 0
    return [*found, 5, measured(trial).kept(whole.embedding)]


def nothing_to_unroll(trial: Trial) -> Numbers:
    end, measure = trial.steps()[-1], measured(trial)
    assert np.isclose(measure.kept(PCA(2).fit_transform(trial.data.table)), measure.pca)
    linear = trial.steps(view="locally linear")
    z, one = linear[-1].embedding[:, 0], trial.data.labels == 0
    assert np.ptp(z[one]) < 1e-4 and np.ptp(z[~one]) < 1e-4 and abs(z[0] - z[-1]) > 0.1
    return [measure.pca, measure.kept(end.embedding), linear[0].pieces]


def axis_by_axis(trial: Trial, **changes: str) -> tuple[float, float]:
    """Return r² of the map with one axis and with two."""
    Z, measure = trial.steps(**changes)[-1].embedding, measured(trial)
    return measure.kept(Z[:, :1]), measure.kept(Z)


def crossing(trial: Trial, neighbors: np.ndarray) -> int:
    """Return how many edges to neighbours are short-cuts."""
    X, measure = trial.data.table, measured(trial)
    pairs = {frozenset((i, j)) for i, near in enumerate(neighbors.tolist()) for j in near}
    cut = measure.short_cuts(np.linalg.norm(X[:, None] - X, axis=2))
    return sum(bool(cut[tuple(pair)]) for pair in pairs)


def bent_again(trial: Trial) -> Numbers:
    Z = trial.steps()[-1].embedding
    parabola = np.polyval(np.polyfit(Z[:, 0], Z[:, 1], 2), Z[:, 0])
    one, two = axis_by_axis(trial)
    return [one, np.corrcoef(parabola, Z[:, 1])[0, 1] ** 2, two]


def edges_too_long(trial: Trial) -> Numbers:
    graph = trial.steps()[0].graph
    X = trial.data.table
    share = measured(trial).crossing(np.linalg.norm(X[:, None] - X, axis=2), graph.weights)
    return [100 * share, axis_by_axis(trial)[0], 5, axis_by_axis(trial, width="5")[0]]


test_claims = claims_test(
    "unrolling",
    {
        "Along the arm": along_the_arm,
        "One edge too many": one_edge_too_many,
        "Blurred": blurred,
        "Nothing to unroll": nothing_to_unroll,
        "Bent again": bent_again,
        "Edges too long": edges_too_long,
    },
)
