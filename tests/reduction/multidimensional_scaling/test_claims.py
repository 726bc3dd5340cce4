"""What the lesson of multidimensional scaling says of its experiments."""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from algorithms.core.iterate import resumed
from algorithms.core.record import last
from algorithms.data.places import EUROPE, WORDS
from algorithms.reduction.multidimensional_scaling.distances import edit_distances, on_the_globe
from algorithms.reduction.multidimensional_scaling.smacof import (
    advance,
    put,
    random_map,
    smacof,
    stress_by_axes,
)
from tests.house.claims import Numbers, Trial, claims_test

DELTA = on_the_globe(EUROPE.degrees)
WHOLE = np.square(DELTA).sum() / 2
LEAST = 0.001  # percent


def ends(seeds: range) -> list[np.ndarray]:
    starts = (random_map(DELTA, 2, rng=np.random.default_rng(seed)) for seed in seeds)
    return [last(smacof(DELTA, start=Z)) for Z in starts]


def where_is_north(trial: Trial) -> Numbers:
    maps = [trial.steps(seed=seed)[-1] for seed in ("0", "2", "5")]
    assert all(100 * end.stress / WHOLE < LEAST for end in maps)
    oslo, athens = (EUROPE.names.index(name) for name in ("Oslo", "Athens"))
    ways = np.array([end.embedding[oslo] - end.embedding[athens] for end in maps])
    angles = np.degrees(np.arctan2(*ways.T))
    apart = np.abs(np.subtract.outer(angles, angles))[np.triu_indices(3, 1)]
    assert (np.minimum(apart, 360 - apart) > 20).all()
    return [LEAST]


def a_town_on_the_wrong_side(trial: Trial) -> Numbers:
    steps = trial.steps()
    end, rome = steps[-1], EUROPE.names.index("Rome")
    assert end.event == "converged"
    gaps = np.abs(cdist(end.embedding, end.embedding) - DELTA).sum(axis=1)
    assert gaps.argmax() == rome
    Z, middle = end.embedding.copy(), end.embedding.mean(axis=0)
    Z[rome] = 2 * middle - Z[rome]
    change, go_on = partial(put, DELTA, Z), partial(advance, DELTA, 1e-6)
    mended = last(resumed(steps, len(steps), change, go_on, most=300))
    assert 100 * mended.stress / WHOLE < LEAST
    shares = [100 * each.stress / WHOLE for each in ends(range(20))]
    assert sum(share > 1 for share in shares) == 2
    assert sorted(shares)[17] < LEAST
    return [100 * end.stress / WHOLE, LEAST, range(20)]


def how_many_axes(trial: Trial) -> Numbers:
    assert trial.steps()[-1].event == "converged"
    delta = edit_distances(WORDS)
    shares = 100 * stress_by_axes(delta, 5) / (np.square(delta).sum() / 2)
    assert shares[2] - shares[4] < 0.2
    return shares[:3].tolist()


def the_earth_is_round(trial: Trial) -> Numbers:
    steps = trial.steps()
    values = steps[-1].eigenvalues
    negative = (values < -1e-9 * values[0]).sum()
    return [int(negative), len(values), 100 * steps[2].kept]


def it_is_pca(trial: Trial) -> Numbers:
    two = trial.steps()[2]
    pca = PCA(2).fit(load_iris().data)
    assert np.isclose(two.kept, pca.explained_variance_ratio_.sum())
    return [100 * two.kept]


test_claims = claims_test(
    "multidimensional_scaling",
    {
        "Where is north?": where_is_north,
        "A town on the wrong side": a_town_on_the_wrong_side,
        "How many axes?": how_many_axes,
        "The earth is round": the_earth_is_round,
        "It is PCA": it_is_pca,
    },
)


def test_a_place_is_dragged_and_the_others_follow(session) -> None:
    from pages._shared.lab.catalogue import LABS

    (lab,) = (each for each in LABS if each.name == "multidimensional_scaling")
    session.open(lab, seed="1", fork="3")
    places = next(each for each in session.stage["handles"] if each["name"] == "if.places")
    was = np.array(places["places"])
    was[0] = [500, 500]
    text = ";".join(f"{x:.4g},{y:.4g}" for x, y in was)
    session.open(lab, seed="1", fork="3", **{"if.places": text})
    steps = session.run_shown.steps
    np.testing.assert_allclose(steps[3].embedding[0], [500, 500])
    assert steps[3].event == "moved by hand"
    assert np.abs(steps[4].embedding[1:] - steps[3].embedding[1:]).max() > 1


def test_the_board_gives_at_most_150_points(session) -> None:
    from pages._shared.lab.catalogue import LABS

    (lab,) = (each for each in LABS if each.name == "multidimensional_scaling")
    session.open(lab, between="the points on the board", data="blobs", n="400")
    assert session.run_shown.steps[-1].embedding.shape == (150, 2)
