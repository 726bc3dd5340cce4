"""What the lesson of k nearest neighbours says of its experiments, and what its controls do."""

import numpy as np

from algorithms.classification.neighbors.distances_in_cube import distances_in_cube
from algorithms.classification.neighbors.leave_one_out import leave_one_out
from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "k_nearest_neighbors"]


def moons(sample: int, noise: float) -> Dataset:
    return dataset("moons", 200, sample=sample, noise=noise)


def one_neighbour(trial: Trial) -> Numbers:
    steps = trial.steps()
    first = steps[0]
    assert (first.k, first.training_wrong) == (1, 0)
    (best,) = (step for step in steps if step.event)
    saved = []
    for sample in range(10):
        data = moons(sample, 0.5)
        errors = [step.errors for step in leave_one_out(data.X, data.labels)]
        saved.append(errors[0] - min(errors))
    found = [first.errors, len(trial.data.X), best.errors, best.k, best.training_wrong]
    return [*found, range(10), 1, min(saved), max(saved)]


def all_points_vote(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    board = trial.session.board
    assert np.bincount(board.data.labels).tolist() == end.votes.tolist() == [40, 5, 5]
    cells = plane.grid(board.bounds, 100)[2]
    assert (end.predict(cells) == 0).all()
    weighted = trial.steps(weights="by distance")[-1]
    shares = 100 * np.bincount(weighted.predict(cells)) / len(cells)
    assert (weighted.predict(board.data.X) == board.data.labels).all()
    assert round(shares[1]) == round(shares[2])
    return [*end.votes[:2], shares[1]]


def a_tie(trial: Trial) -> Numbers:
    first, second = trial.steps()
    assert (first.leader, second.leader, second.event) == (1, 0, "tied vote")
    assert second.predict(second.query[None])[0] == 0
    third = trial.steps(k="3")[-1]
    assert third.leader == 1
    tied = [step.tied for step in leave_one_out(trial.data.X, trial.data.labels)]
    assert not any(tied[::2])
    votes = third.votes[::-1]
    return [1, 3, third.leader + 1, *votes, len(trial.data.X), tied[1], 2]


def a_thousand_times_larger(trial: Trial) -> Numbers:
    steps = trial.steps()
    fewest, standardised = min(step.errors for step in steps), []
    for unit in ("0.001", "1", "1000"):
        every = trial.steps(unit=unit, standardize="True")
        standardised.append(min(step.errors for step in every))
    assert len(set(standardised)) == 1
    # y alone: as with one column
    data = trial.data
    alone = [step.errors for step in leave_one_out(data.X[:, 1:], data.labels)]
    assert abs(min(alone) - fewest) <= 2
    for sample in range(6):
        data = moons(sample, 0.3)
        how = [{"units": np.array([1.0, 1e-3]), "standardize": std} for std in (False, True)]
        runs = [leave_one_out(data.X, data.labels, **each) for each in how]
        errors = [min(step.errors for step in run) for run in runs]
        assert errors[0] >= 3 * errors[1]
    return [fewest, len(data.X), steps[-1].k, standardised[0]]


def everyone_is_far_away(trial: Trial) -> Numbers:
    steps = {step.d: step for step in trial.steps()}
    spread = 100 * steps[100].spread / steps[100].mean
    runs = [distances_in_cube(200, rng=np.random.default_rng(seed)) for seed in range(20)]
    ratios = [list(run)[-1].ratio for run in runs]
    found = [steps[2].ratio, steps[100].ratio, spread, range(20), min(ratios), max(ratios)]
    return [*found, 100 * steps[2].ball, 2, 100 * steps[10].ball, 10]


CLAIMS = {
    "One neighbour": one_neighbour,
    "All points vote": all_points_vote,
    "A tie": a_tie,
    "A thousand times larger": a_thousand_times_larger,
    "Everyone is far away": everyone_is_far_away,
}
test_what_the_lesson_says = claims_test("k_nearest_neighbors", CLAIMS)


def test_without_noise_the_order_of_the_data_decides_which_equals_are_neighbours(
    session: Session,
) -> None:
    """In the preset "logic gates" all points of a corner are equally far from the picked point."""
    session.open(LAB, data="gates", noise="0", k="3", query="0.4,0.45")
    assert session.run_shown is not None
    end = session.run_shown.steps[-1]
    assert (end.distances[: end.met] == end.radius).all(), "the k-th is one of many equals"
    assert (end.distances == end.radius).sum() > end.met
    np.testing.assert_array_equal(end.order[: end.met], np.sort(end.order[: end.met]))


def test_the_picked_point_is_a_query(session: Session) -> None:
    for view in ("neighbours", "choosing k"):
        session.open(LAB, view=view, query="1,0.5")
        (handles,) = session.stage["handles"]
        assert (handles["name"], handles["look"]) == ("query", "query")
        assert all("Picked point" in caption for caption in session.captions)
    session.open(LAB, view="many features")
    assert session.stage["handles"] == []


def test_there_are_at_most_as_many_neighbours_as_points(session: Session) -> None:
    session.open(LAB, n="20", k="30")
    assert not session.stage["error"]
    assert session.opening["total"] == 20


def test_the_cube_needs_no_points(session: Session) -> None:
    session.open(LAB, view="many features", data="blobs", n="1")
    assert not session.stage["error"]
    session.open(LAB, n="1")
    assert "All points are of one class" in session.stage["error"]
