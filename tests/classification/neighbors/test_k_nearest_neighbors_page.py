"""What the lesson of k nearest neighbours says of its experiments."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.classification.neighbors.distances_in_cube import distances_in_cube
from algorithms.classification.neighbors.leave_one_out import leave_one_out
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "k_nearest_neighbors"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def says(title: str, *sentences: str) -> None:
    answer = experiment_of(LAB, title).answer
    for sentence in sentences:
        assert sentence in answer


def moons(sample: int, noise: float) -> Dataset:
    return DATASETS["moons"].make(200, noise=noise, rng=np.random.default_rng(sample))


def test_one_neighbour(session: Session) -> None:
    title = "One neighbour"
    steps = steps_of(session, LAB, title)
    assert (steps[0].k, steps[0].training_wrong, steps[0].errors) == (1, 0, 35)
    (best,) = (step for step in steps if step.event)
    assert (best.k, best.errors, best.training_wrong) == (13, 20, 20)
    says(title, "35 of 200. The fewest are 20, at k = 13. There 20 are wrong in training, too")
    saved = []
    for sample in range(10):
        data = moons(sample, 0.5)
        errors = [step.errors for step in leave_one_out(data.X, data.labels)]
        saved.append(errors[0] - min(errors))
    assert (min(saved), max(saved)) == (5, 19)
    says(title, "by 5 to 19 points")


def test_all_points_vote(session: Session) -> None:
    title = "All points vote"
    steps = steps_of(session, LAB, title)
    board = session.state.board
    assert np.bincount(board.data.labels).tolist() == [40, 5, 5]
    assert steps[-1].votes.tolist() == [40, 5, 5]
    cells = plane.grid(board.bounds, 100)[2]
    assert (steps[-1].predict(cells) == 0).all()
    says(title, "40 votes to 5")
    weighted = steps_of(session, LAB, title, weights="by distance")[-1]
    shares = np.bincount(weighted.predict(cells)) / len(cells)
    assert all(0.005 < share < 0.015 for share in shares[1:])
    assert (weighted.predict(board.data.X) == board.data.labels).all()
    says(title, "around their own points, on about 1 % of the picture each")


def test_a_tie(session: Session) -> None:
    title = "A tie"
    first, second = steps_of(session, LAB, title)
    assert (first.leader, second.leader, second.event) == (1, 0, "tied vote")
    assert second.predict(second.query[None])[0] == 0
    assert "it is class 1, with 1 of 2 votes: a tie" in session.captions[-1]
    third = steps_of(session, LAB, title, k="3")[-1]
    assert third.leader == 1 and third.votes.tolist() == [1, 2]
    data = session.state.board.data
    tied = [step.tied for step in leave_one_out(data.X, data.labels)]
    assert tied[1] == 18 and not any(tied[::2])
    says(title, "class 1, the farther one", "With k = 3 class 2 wins by 2 to 1", "18 have a tie")


def test_a_thousand_times_larger(session: Session) -> None:
    title = "A thousand times larger"
    fewest = min(step.errors for step in steps_of(session, LAB, title))
    assert fewest == 36
    says(title, "at least 36 of 200 points are wrong, for any k up to 50")
    for unit in ("0.001", "1", "1000"):
        steps = steps_of(session, LAB, title, unit=unit, standardize="True")
        assert len(steps) == 50 and min(step.errors for step in steps) == 12
    says(title, "Standardised it is 12, whatever the unit")
    # y alone: as with one column
    data = session.state.board.data
    alone = [step.errors for step in leave_one_out(data.X[:, 1:], data.labels)]
    assert abs(min(alone) - fewest) <= 2
    for sample in range(6):
        data = moons(sample, 0.3)
        units = np.array([1.0, 1e-3])
        errors = [
            min(
                step.errors
                for step in leave_one_out(data.X, data.labels, units=units, standardize=standard)
            )
            for standard in (False, True)
        ]
        assert errors[0] >= 3 * errors[1]


def test_everyone_is_far_away(session: Session) -> None:
    title = "Everyone is far away"
    steps = {step.d: step for step in steps_of(session, LAB, title)}
    assert round(steps[2].ratio) == 20 and f"{steps[100].ratio:.2f}" == "1.31"
    assert f"{100 * steps[100].spread / steps[100].mean:.0f}" == "6"
    assert f"{100 * steps[2].ball:.0f}" == "79" and f"{100 * steps[10].ball:.2f}" == "0.25"
    says(title, "1.31 times", "only 6 % of their mean", "79 % of it with 2", "0.25 % with 10")
    ratios = []
    for seed in range(20):
        *_, end = distances_in_cube(200, rng=np.random.default_rng(seed))
        ratios.append(end.ratio)
    assert (f"{min(ratios):.2f}", f"{max(ratios):.2f}") == ("1.28", "1.44")
    says(title, "1.28 to 1.44 times")


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
