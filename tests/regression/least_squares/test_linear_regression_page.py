from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from algorithms.regression.least_squares.on_plane import descend_on_plane
from algorithms.regression.least_squares.optimizers import RULES, Adam
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp

(LAB,) = [lab for lab in LABS if lab.name == "linear_regression"]


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


def test_the_descent_goes_by_the_rule_from_the_line_that_was_placed(session: Session) -> None:
    session.open(
        LAB, rule="Adam", eta="0.05", beta="0.5", batch="4", seed="3", steps="30",
        begin="placed by hand", line="-2,1;2,-1", scaled="True",
    )  # fmt: skip
    preset, rng = DATASETS["line"], np.random.default_rng(0)
    X, how = preset.make(preset.n, noise=preset.noise, rng=rng).X, {"batch": 4, "max_iter": 30}
    placed, rng = np.array([[-2.0, 1.0], [2.0, -1.0]]), np.random.default_rng(3)
    steps = list(descend_on_plane(X, Adam(0.05, beta=0.5), rng=rng, places=placed, **how))
    assert session.opening["total"] == len(steps) == 31
    assert session.events == {i: step.event for i, step in enumerate(steps) if step.event}
    new = "({:.3g}, {:.3g})".format(*steps[-1].weights, steps[-1].intercept).replace("-", "−")
    assert session.captions[-1].endswith(f"= {new}.")
    first = session.captions[0]
    assert f"Start: y = {steps[0].weights[0]:.4g} x".replace("-", "−") in first
    assert session.stage["handles"][0]["places"] == [[-2, 1], [2, -1]]


def test_two_places_above_each_other_are_refused_with_a_sentence(session: Session) -> None:
    session.open(LAB, begin="placed by hand", line="1,0;1,2")
    assert session.stage["error"].startswith("The two places are exactly above each other")
    assert len(session.stage["handles"][0]["places"]) == 2, "they can be dragged apart"
    assert len(session.points) == DATASETS["line"].n


def test_memory_is_asked_for_where_a_rule_has_one(session: Session) -> None:
    session.open(LAB)
    for rule in RULES:
        session.set("selectbox", "rule", rule)
        assert ("beta" in session.values) == (rule in ("momentum", "Adam"))


def test_data_far_from_one_are_standardised_unless_asked(session: Session) -> None:
    session.open(LAB)
    assert session.value("scaled") is False
    session.open(LAB, data="diabetes")
    assert session.value("scaled_wide") is True
    session.set("toggle", "scaled_wide", False)
    assert session.app.query_params["scaled_wide"] == "False"
