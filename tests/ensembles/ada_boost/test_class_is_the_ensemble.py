"""The mode "the class votes": what its pictures and words say, recomputed from the data."""

import re

import numpy as np
import pytest

from algorithms.ensembles.ada_boost.stumps_as_text import written
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import drawn, line, unpacked
from viz.core import plane
from viz.core.scene import Scene

(ADA_BOOST,) = (lab for lab in LABS if lab.name == "ada_boost")
MODE = {"view": "the class votes", "data": "moons", "noise": "0.3"}
BOOSTED = {"votes": "as in AdaBoost"}


def opened(session: Session, **link: str) -> Scene:
    session.open(ADA_BOOST, **MODE | link)
    assert not session.errors and not session.state.refused
    assert session.scene_shown
    return session.scene_shown


@pytest.mark.parametrize("votes", [{}, BOOSTED | {"rounds": "12"}])
def test_the_curves_are_the_mistakes_of_the_vote_beside_the_single_voters(
    session: Session, votes: dict[str, str]
) -> None:
    scene = opened(session, **votes)
    assert session.run_shown
    steps = session.run_shown.steps
    X, y = session.board.data.X, session.board.data.labels
    points = unpacked(drawn(scene, 4)[0]["points"]["held"]) > 0
    for index, mask in ((1, ~points), (2, points)):
        worst, mean, best, vote, mark, _ = drawn(scene, 4)[index]["data"]
        wrong = [np.count_nonzero(step.predict(X[mask]) != y[mask]) for step in steps]
        np.testing.assert_array_equal(unpacked(vote["y"]), wrong)
        assert (mark["x"], mark["y"]) == ([5], [wrong[4]])
        truth = np.where(y[mask] == steps[0].classes[1], 1, -1)
        alone = np.count_nonzero(steps[0].stumps.predict(X[mask]) != truth, axis=1)
        levels = [trace["y"][0] for trace in (worst, mean, best)]
        assert levels == [alone.max(), pytest.approx(alone.mean()), alone.min()]


def test_the_stump_of_the_step_is_drawn_between_the_colours_of_its_sides(session: Session) -> None:
    scene = opened(session)
    assert session.run_shown
    box = plane.bounds(session.board.data.X)
    for now, step in enumerate(session.run_shown.steps):
        low, high, *border = drawn(scene, now)[0]["data"][2:6]
        j = step.stumps.feature[step.voter]
        start, end = line(border[j])
        assert np.isnan(line(border[1 - j])).all()
        assert start[j] == end[j] == pytest.approx(step.stumps.threshold[step.voter])
        assert sorted([start[1 - j], end[1 - j]]) == pytest.approx(
            list(box[2:] if j == 0 else box[:2])
        )
        for trace, sign in ((low, -1), (high, 1)):
            beside = line(trace).mean(axis=0)
            assert step.stumps.predict(beside[None])[step.voter, 0] == sign


@pytest.mark.parametrize("votes", [{}, BOOSTED])
def test_equal_votes_outline_what_the_vote_gets_wrong(
    session: Session, votes: dict[str, str]
) -> None:
    scene = opened(session, **votes)
    assert session.run_shown
    X, y = session.board.data.X, session.board.data.labels
    points = drawn(scene, 4)[0]["points"]
    missed = session.run_shown.steps[4].predict(X) != y
    assert missed.any()
    np.testing.assert_array_equal(unpacked(points["wrong"]) > 0, missed & (not votes))
    learned = unpacked(points["held"]) == 0
    assert (len(set(unpacked(points["size"])[learned])) > 1) == bool(votes), "AdaBoost's weights"


def test_fewer_than_five_phones_are_filled_up_and_the_page_says_so(session: Session) -> None:
    opened(session)
    box, first = plane.bounds(session.board.data.X), session.run_shown
    assert first
    for given in range(8):
        placed = type(first.steps[0].stumps)(
            *(values[:given] for values in vars(first.steps[0].stumps).values())
        )
        scene = opened(session, stumps=written(placed, box), simulated="0")
        assert session.run_shown
        steps = session.run_shown.steps
        assert len(steps) == max(5, given)
        whose = [
            re.search(r"\((simulated|of the class)\)", scene.caption(i)) for i in range(len(steps))
        ]
        said = [each[1] for each in whose if each]
        assert said == ["of the class"] * given + ["simulated"] * max(0, 5 - given)
        assert ("fill up" in scene.caption(0)) == (given < 5)
        np.testing.assert_array_equal(steps[0].stumps.feature[:given], placed.feature)
        np.testing.assert_array_equal(steps[0].stumps.side[:given], placed.side)


def test_the_rule_of_a_round_has_its_numbers(session: Session) -> None:
    scene = opened(session, **BOOSTED)
    assert session.run_shown
    steps = session.run_shown.steps
    w = np.full(len(steps[0].signs), 1 / len(steps[0].signs))
    for now in range(6):
        step = steps[now]
        errors = [w[said != step.signs].sum() for said in step.said]
        epsilon, j = min(errors), int(np.argmin(errors))
        alpha = np.log((1 - epsilon) / epsilon) / 2
        plain, rule = scene.caption(now).split("\n")[:2]
        assert f"Round {now + 1} takes voter {j + 1} of 15 (simulated)" in plain
        found = re.search(r"the least weight, ε = (\S+), of 15 stumps", rule)
        assert found and float(found[1]) == pytest.approx(epsilon, abs=0.0005)
        assert f"= {alpha:.3f}." in rule
        w = w * np.exp(-alpha * step.signs * step.said[j])
        w /= w.sum()


def test_a_link_with_no_stumps_in_it_is_refused_in_a_sentence(session: Session) -> None:
    session.open(ADA_BOOST, **MODE, stumps="???")
    assert session.state.refused == [
        "Stumps of the class: a stump is written with two of the characters A-Z, a-z, 0-9, - and _"
    ]
    assert session.run_shown and len(session.run_shown.steps) == 15


def test_without_held_out_points_there_is_no_such_view(session: Session) -> None:
    scene = opened(session, held="0")
    assert len(scene.views) == 3
