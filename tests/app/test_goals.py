"""Goals of experiments: no situation opens on a goal that is reached, and every goal has a way."""

import pytest

from pages._shared.lab.catalogue import LABS, Experiment, LabFile
from tests.app.session import Session
from tests.house.every_lab import EVERY_LAB


def reached(session: Session) -> bool:
    return session.stage["lesson"]["goal"]["reached"]


@EVERY_LAB
def test_every_goal_has_a_way_and_is_not_reached_at_first(lab: LabFile) -> None:
    goals = [each for each in lab.experiments if each.goal]
    assert len(goals) >= 2
    for experiment in goals:
        session = Session().open(lab, **experiment.link)
        told = session.stage["lesson"]["goal"]
        assert not told["reached"], experiment.title
        assert told["text"].endswith(".") and told["hint"].endswith("."), experiment.title
        follow(session, lab, experiment)
        assert reached(session), experiment.title


def follow(session: Session, lab: LabFile, experiment: Experiment) -> None:
    """Change the parameters of the way by hand, so that the situation stays under way."""
    assert experiment.goal
    trial = session.state.trial
    session.open(lab, **(experiment.link | experiment.goal.way))
    assert not session.errors and not session.state.refused
    session.state.trial = trial
    session.run()


def k_means() -> tuple[Session, LabFile, Experiment]:
    lab = next(lab for lab in LABS if lab.name == "k_means")
    experiment = next(each for each in lab.experiments if each.goal)
    session = Session().open(lab, **experiment.link)
    follow(session, lab, experiment)
    return session, lab, experiment


def test_only_the_way_may_change() -> None:
    session, _, _ = k_means()
    assert reached(session)
    session.set("slider", "noise", 0.2)
    assert not reached(session), "other data are easier"


@pytest.mark.parametrize("name", ["view", "k"])
def test_another_mode_or_task_does_not_reach_it(name: str) -> None:
    session, lab, experiment = k_means()
    trial = session.state.trial
    other = {"view": "seeding", "k": "5"}[name]
    assert experiment.goal
    session.open(lab, **(experiment.link | experiment.goal.way | {name: other}))
    session.state.trial = trial
    session.run()
    assert not reached(session)


def test_a_condition_that_speaks_of_what_is_not_there_is_not_reached() -> None:
    lab = next(lab for lab in LABS if lab.name == "multidimensional_scaling")
    experiment = next(each for each in lab.experiments if each.title == "Where is north?")
    session = Session().open(lab, **experiment.link)
    trial = session.state.trial
    session.open(lab, between="the points on the board", data="iris", n="5")
    session.state.trial = trial
    session.run()
    assert len(session.board.data.X) == 5, "and not eight towns"
    assert session.stage["lesson"]["question"] == experiment.question
    assert not reached(session)
