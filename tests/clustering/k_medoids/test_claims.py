"""What the lesson of k-medoids says of its experiments."""

from itertools import combinations, product

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.clustering.k_medoids.categories import ANIMALS
from algorithms.clustering.k_medoids.clara import ClaraStep, clara
from algorithms.clustering.k_medoids.clarans import clarans
from algorithms.clustering.k_medoids.k_medoids import k_medoids
from algorithms.clustering.k_medoids.k_modes import KModesStep, k_modes, matching
from algorithms.core.record import last
from tests.core.samples import points_of
from tests.house.claims import Numbers, Trial, claims_test

FAR = 3  # the point that the preset "outlier" has far from the others
SAMPLES = range(20)  # seeds of one run
DRAWN = range(40)  # samples of the data
SQUARED = "squared euclidean"


def outlier(sample: int, n: int = 60) -> ndarray:
    return points_of("outlier", n, sample=sample)


def medoids(X: ndarray, k: int, metric: str = "euclidean") -> ndarray:
    return last(k_medoids(X, k, rng=np.random.default_rng(0), metric=metric)).places


def means(X: ndarray, k: int) -> ndarray:
    return lowest_inertia(X, k, rng=np.random.default_rng(0), restarts=10)[0]


def moved(before: ndarray, after: ndarray) -> float:
    """Return the longest way of any centre; centres are matched, because they have no order."""
    ways = [np.hypot(*(before - after[order]).T).max() for order in ([0, 1], [1, 0])]
    return float(min(ways))


def one_far_point(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    X = trial.data.X
    assert X[FAR].tolist() == [3.0, -2.8]
    without = np.delete(X, FAR, axis=0)
    assert moved(medoids(without, 2), end.places) == 0
    far = X[FAR].tolist()
    assert far in means(X, 2).tolist(), "k-means has a centre on the far point"
    mean = moved(means(without, 2), means(X, 2))
    samples = [outlier(sample, 40) for sample in DRAWN]
    np.testing.assert_array_equal(samples[0], X)
    shifts = [moved(medoids(np.delete(X, FAR, axis=0), 2), medoids(X, 2)) for X in samples]
    pulled = sum(far in means(X, 2).tolist() for X in samples)
    k = 3
    ends = [last(k_medoids(X, k, rng=np.random.default_rng(0))) for X in samples]
    alone = sum(FAR in end.medoids and 1 in np.bincount(end.labels) for end in ends)
    still = sum(shift == 0 for shift in shifts)
    drawn = len(DRAWN)
    return [mean, still, drawn, DRAWN, max(shifts), pulled, drawn, k, alone, drawn]


def the_same_squared(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert FAR in end.medoids and sorted(np.bincount(end.labels)) == [1, 59]
    plain = trial.steps(metric="euclidean")[-1]
    assert FAR not in plain.medoids
    own = {
        metric: sum([3.0, -2.8] in medoids(X, 2, metric).tolist() for X in map(outlier, DRAWN))
        for metric in (SQUARED, "euclidean")
    }
    assert own["euclidean"] == 0
    return [own[SQUARED], len(DRAWN), DRAWN]


def a_bad_start(trial: Trial) -> Numbers:
    steps = trial.steps()
    data = trial.data
    shared = np.array(clusters(steps[0].labels, data.labels))
    owned = shared.argmax(axis=1)
    alone = shared[owned == np.bincount(owned).argmax()].sum(axis=0)
    assert sorted(alone.tolist()) == [0, 0, 0, 50], "two medoids share one cluster"
    assert all((after > 0).sum() == 1 for after in clusters(steps[1].labels, data.labels))
    failed, seeds = 0, range(100)
    for seed in seeds:
        end = last(k_medoids(data.X, 4, rng=np.random.default_rng(seed), init="random"))
        assert end.cost == pytest.approx(steps[-1].cost)
        rival = last(k_means(data.X, 4, rng=np.random.default_rng(seed), init="random"))
        failed += rival.inertia > 1.5 * lowest_inertia_of(data.X)
    return [steps[0].cost, steps[1].cost, steps[-1].cost, seeds, failed]


def clusters(labels: ndarray, classes: ndarray) -> list[ndarray]:
    return [np.bincount(classes[labels == j], minlength=4) for j in range(4)]


def lowest_inertia_of(X: ndarray) -> float:
    return lowest_inertia(X, 4, rng=np.random.default_rng(0), restarts=10)[2]


def no_swap_helps(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    X = trial.data.X
    D = cdist(X, X)
    costs = {pair: D[list(pair)].min(axis=0).sum() for pair in combinations(range(40), 2)}
    best = min(costs, key=costs.__getitem__)
    assert not set(best) & set(end.medoids.tolist()), "both would have to change"
    found = [
        last(k_medoids(X, 2, rng=np.random.default_rng(seed), init="random")).cost
        for seed in SAMPLES
    ]
    seeds = sum(cost < costs[best] + 1e-9 for cost in found)
    return [end.cost, len(costs), costs[best], seeds, SAMPLES]


def by_chance(trial: Trial) -> Numbers:
    runs = [trial.steps(failures=most) for most in ("50", "250")]
    X = trial.data.X
    pam = last(k_medoids(X, 4, rng=np.random.default_rng(0))).cost
    tries = [sum(step.phase == "try" for step in run) for run in runs]
    above = [100 * (run[-1].cost / pam - 1) for run in runs]
    percent = 1
    near = [
        sum(
            last(clarans(X, 4, rng=np.random.default_rng(seed), most_failures=most)).cost
            < (1 + percent / 100) * pam
            for seed in SAMPLES
        )
        for most in (50, 250)
    ]
    assert near[1] == len(SAMPLES)
    few = [runs[0][-1].cost, above[0], tries[0]]
    return [pam, *few, 250, tries[1], above[1], SAMPLES, percent, near[0], 50]


def chosen_by_a_few(trial: Trial) -> Numbers:
    steps = trial.steps()
    X = trial.data.X
    pam = last(k_medoids(X, 4, rng=np.random.default_rng(0))).cost
    first, end = steps[0], steps[-1]
    far = cdist(X, X)[first.medoids].min(axis=0)
    many = trial.steps(size="48")[-1]
    assert len(first.sample) == 12 and len(many.sample) == 48 == 40 + 2 * len(many.medoids)
    ends = [100 * (each.cost / pam - 1) for each in (end, many)]

    def runs(size: int) -> list[list[ClaraStep]]:
        return [list(clara(X, 4, rng=np.random.default_rng(i), size=size)) for i in SAMPLES]

    few, usual = runs(12), runs(48)
    # Between swaps that are as good as each other rounding decides: the others may differ.
    high, most = (max(100 * (run[-1].cost / pam - 1) for run in each) for each in (few, usual))
    below = 5
    assert 3 < most < below
    judged = [step for run in few + usual for step in run[:-1]]
    hopeful = [step.sample_cost / len(step.sample) < step.cost / len(X) for step in judged]
    assert np.mean(hopeful) > 0.9, "a sample's cost is mostly too low"
    means = [far[first.sample].mean(), far.mean()]
    samples = len(steps) - 1
    return [*means, samples, end.cost, ends[0], 48, 40, 2, ends[1], SAMPLES, high, 12, below, 48]


def modes_of(table: ndarray, seeds: range) -> list[KModesStep]:
    return [last(k_modes(table, 3, rng=np.random.default_rng(seed))) for seed in seeds]


def least_of_all(table: ndarray) -> int:
    """Try all sets of three modes."""
    far = matching(table, np.array([*product(*(range(c.max() + 1) for c in table.T))]))
    least = table.size
    for first in range(far.shape[1]):
        two = np.minimum(far[:, [first]], far[:, first:])
        for second in range(two.shape[1]):
            every = np.minimum(two[:, [second]], far[:, first:][:, second:])
            least = min(least, int(every.sum(axis=0).min()))
    return least


def names_of(end: KModesStep) -> list[set[str]]:
    return [{ANIMALS.names[i] for i in np.flatnonzero(end.labels == j)} for j in range(3)]


def which_animals(trial: Trial) -> Numbers:
    end, seeds = trial.steps()[-1], range(100)
    ends = modes_of(ANIMALS.rows, seeds)
    costs = [each.cost for each in ends]
    best = least_of_all(ANIMALS.rows)
    found = {frozenset(map(frozenset, names_of(each))) for each in ends if each.cost == best}
    birds = {"eagle", "sparrow", "goose", "penguin", "ostrich", "bat"}
    (sorts,) = found
    assert sorts == {
        frozenset(birds),
        frozenset({"trout", "shark", "carp", "lizard"}),
        frozenset({"fox", "cow", "lion", "mouse"}),
    }
    near = best + 1
    return [end.cost, best, seeds, costs.count(best), costs.count(near), near, best]


def the_penguin(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert "Picked row, penguin" in trial.session.caption("End")
    assert trial.session.opening["views"][1]["title"].startswith("Food")
    penguin, trout, eagle, goose, sparrow = map(
        ANIMALS.names.index, ("penguin", "trout", "eagle", "goose", "sparrow")
    )
    assert steps[0].labels[penguin] == steps[0].labels[eagle]
    assert steps[-1].labels[penguin] == steps[-1].labels[trout] == 0
    for step in steps[1:]:
        far = matching(ANIMALS.rows[[penguin]], step.modes)[0]
        assert far[0] == far[2] < far[1]
    for bird in (goose, sparrow):
        food = ANIMALS.values[3][ANIMALS.rows[bird, 3]]
        end = trial.steps(**{"penguin.food": food})[-1]
        assert end.labels[penguin] == end.labels[eagle] != end.labels[trout]
    return [far[0], 1, far[2], 3]


def clusters_by_chance(trial: Trial) -> Numbers:
    end, seeds = trial.steps()[-1], SAMPLES
    table = trial.session.run_shown.call.args[0]

    def divisions(table: ndarray) -> int:
        ends = [each.labels for each in modes_of(table, seeds)]
        return len({frozenset(frozenset(np.flatnonzero(e == j)) for j in range(3)) for e in ends})

    return [end.cost, table.size, seeds, divisions(table), divisions(ANIMALS.rows)]


test_the_answers = claims_test(
    "k_medoids",
    {
        "One far point": one_far_point,
        "The same, squared": the_same_squared,
        "A bad start": a_bad_start,
        "No swap helps": no_swap_helps,
        "By chance": by_chance,
        "Chosen by a few": chosen_by_a_few,
        "Which fourteen animals?": which_animals,
        "The penguin": the_penguin,
        "Clusters by chance": clusters_by_chance,
    },
)
