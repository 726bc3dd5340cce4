from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from algorithms.regression.least_squares.on_plane import descend_on_plane
from algorithms.regression.least_squares.optimizers import RULES, Adam
from algorithms.regression.least_squares.squared_loss import squared_loss
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = [lab for lab in LABS if lab.name == "linear_regression"]


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp(), pytest.MonkeyPatch.context() as patch:
        yield Session().watch(patch)


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
    assert session.captions[-1].split("\n")[1].endswith(f"= {new}.")
    first = session.captions[0]
    assert f"Start: y = {steps[0].weights[0]:.4g} x".replace("-", "−") in first
    assert session.stage["handles"][0]["places"] == [[-2, 1], [2, -1]]
    assert [handles["name"] for handles in session.stage["handles"]] == ["line", "query"]


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


def test_absolute_loss_opens_on_outliers_unless_data_were_chosen(session: Session) -> None:
    session.open(LAB)
    assert session.value("data") == "line"
    session.set("button_group", "view", "outliers")
    assert session.value("data") == "line with outliers"
    assert session.points[:, 1].min() < -2
    assert session.app.query_params == {"view": "outliers"}
    session.set("button_group", "view", "formula")
    assert session.value("data") == "line"
    session.open(LAB, view="outliers")
    assert session.value("data") == "line with outliers"
    session.open(LAB, view="outliers", data="iris")
    assert session.value("data") == "iris"
    session.set("button_group", "view", "leverage")
    assert session.value("data") == "iris", "chosen data stay"


def test_the_ring_stays_on_its_rail(session: Session) -> None:
    session.open(LAB, view="formula", query="-2,2")
    (ring,) = session.stage["handles"]
    assert (ring["look"], ring["along"]) == ("query", "x")
    left, right, bottom, top = (
        session.opening["views"][0]["first"]["layout"]["xaxis"]["range"]
        + (session.opening["views"][0]["first"]["layout"]["yaxis"]["range"])
    )
    assert ring["places"][0] == pytest.approx([-2, bottom + 0.04 * (top - bottom)], abs=1e-3)
    assert left < -2 < right
    assert "At the ring, x = −2, the line says" in session.captions[0]


def test_the_point_that_is_pulled_is_chosen(session: Session) -> None:
    session.open(LAB, view="leverage")
    x = session.points[:, 0]
    for end, place in (("right", x.max()), ("left", x.min())):
        if end != "right":
            session.set("button_group", "end", end)
        session.check_shown()
        assert f"The point at x = {place:.3g} ".replace("-", "−") in session.captions[0]


# Experiments


def test_too_small_too_large(session: Session) -> None:
    title = "Too small, too large"
    steps, trial = steps_of(session, LAB, title), experiment_of(LAB, title)
    left = 100 * steps[-1].excess / steps[0].excess
    assert f"after 100 steps {left:.2g} % of the way down is left" in trial.question
    assert steps[-1].event == "creeps"
    taken = {}
    for eta in ("0.1", "0.2", "0.25", "0.3", "0.35", "0.4"):
        steps = steps_of(session, LAB, title, eta=eta)
        taken[eta] = len(steps) - 1
        last = steps[-1].event
        expected = "stopped at max_iter" if eta == "0.3" else "converged"
        assert last == ("diverged" if float(eta) > 0.315 else expected)
    said = f"η = 0.1 it takes {taken['0.1']} steps, with 0.2 only {taken['0.2']}, with 0.25 again"
    assert f"{said} {taken['0.25']}," in trial.answer
    X = session.points
    steep = squared_loss(X[:, :1], X[:, 1]).curvatures[-1]
    assert f"Beyond 2/L = {2 / steep:.3g} it diverges" in trial.answer


def test_a_narrow_valley(session: Session) -> None:
    title = "A narrow valley"
    answer = experiment_of(LAB, title).answer
    left = {}
    for rule in ("gradient", "momentum"):
        steps = steps_of(session, LAB, title, rule=rule)
        assert len(steps) == 101
        left[rule] = 100 * steps[-1].excess / steps[0].excess
        assert any(step.event == "overshoot" for step in steps) == (rule == "momentum")
    assert f"{left['momentum']:.1g} % of the way down left, plain descent" in answer
    assert f"plain descent {left['gradient']:.2g} %" in answer
    steps = steps_of(session, LAB, title, scaled="True", eta="0.1")
    assert steps[-1].event == "converged" and f"{len(steps) - 1} steps will do" in answer
    X = session.points
    u = (X - X.mean(axis=0)) / X.std(axis=0)
    assert np.ptp(squared_loss(u[:, :1], u[:, 1]).curvatures) < 1e-4, "circles"


def test_a_few_points_at_a_time(session: Session) -> None:
    title = "A few points at a time"
    answer = experiment_of(LAB, title).answer

    def above(**changes: str) -> float:
        steps = steps_of(session, LAB, title, **changes)
        assert steps[-1].event == "wanders"
        return float(np.mean([step.excess for step in steps[-100:]]))

    one, four, sixteen, slow = (
        above(batch="1"), above(), above(batch="16"), above(eta="0.01"),
    )  # fmt: skip
    said = f"{one:.2g} above the least with 1 point, {four:.2g} with 4 and {sixteen:.2g} with 16"
    assert said in answer
    assert f"η = 0.01 it is {slow:.2g}: the slower" in answer
    assert f"{steps_of(session, LAB, title, eta='0.01')[20].excess:.2g} above" in answer
    forked = {"fork": "11", "if.rate": "0.01"}
    assert f"it is {steps_of(session, LAB, title, **forked)[20].excess:.2g}, and" in answer
    assert above(**forked) <= slow
    for seed in range(1, 5):
        found = [above(batch=batch, seed=str(seed)) for batch in ("1", "4", "16")]
        assert found == sorted(found, reverse=True)
        assert above(eta="0.01", seed=str(seed)) < found[1]


def test_one_far_point(session: Session) -> None:
    title = "One far point"
    answer = experiment_of(LAB, title).answer
    for end, name in (("right", "The far one"), ("middle", "The one in the middle")):
        steps = steps_of(session, LAB, title, end=end)
        x = session.points[:, 0]
        place = int(x.argsort()[{"right": 59, "middle": 30}[end]])
        h = 100 * steps[0].leverages[place]
        lift = steps[-1].height - steps[0].height
        slope = (steps[-1].weights[0] - steps[0].weights[0]) / lift
        said = answer.partition(name)[2].partition("The one")[0]
        assert f"{h:.3g} % of the way" in said and f"{slope:.2g}" in said


def test_outliers(session: Session) -> None:
    steps, answer = steps_of(session, LAB, "Outliers"), experiment_of(LAB, "Outliers").answer
    squares, exact = steps[0].weights[0], steps[-1].weights[0]
    assert f"to a slope of {squares:.3g}, the absolute loss only to {exact:.3g}" in answer
    X = session.points
    rest = X[X[:, 0].argsort()[:-3]]
    assert len(rest) == 57
    w, b = np.polyfit(*rest.T, 1)
    assert abs(w - 0.8) < 0.1 and abs(b - 0.3) < 0.1
    for sample in range(6):
        steps = steps_of(session, LAB, "Outliers", sample=str(sample))
        assert steps[0].weights[0] < steps[-1].weights[0] - 0.05
