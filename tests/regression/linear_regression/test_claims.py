"""The lesson's statements about its experiments, and the controls of its page."""

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.optimizers import RULES, Adam
from algorithms.regression.linear_regression.absolute_loss import absolute_loss
from algorithms.regression.linear_regression.descent_on_plane import descend_on_plane
from algorithms.regression.linear_regression.squared_loss import squared_loss
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import points_of, rng
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = [lab for lab in LABS if lab.name == "linear_regression"]
FAR = 3  # the point that the preset "outlier" has far from the others
SAMPLES = range(20)


def too_small_too_large(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert len(steps) == 101 and steps[-1].event == "creeps"
    left = 100 * steps[-1].excess / steps[0].excess
    X = trial.data.X
    bound = 2 / squared_loss(X[:, :1], X[:, 1]).curvatures[-1]
    taken = []
    for eta in (0.1, 0.2, 0.25, 0.3, 0.35, 0.4):
        steps = trial.steps(eta=str(eta))
        assert steps[-1].event == ("diverged" if eta > bound else "converged")
        taken += [eta, len(steps) - 1]
    return [left, *taken[:8], bound]


def a_narrow_valley(trial: Trial) -> Numbers:
    left = {}
    for rule in ("momentum", "gradient"):
        steps = trial.steps(rule=rule)
        assert len(steps) == 101
        left[rule] = 100 * steps[-1].excess / steps[0].excess
        assert any(step.event == "overshoot" for step in steps) == (rule == "momentum")
    steps = trial.steps(scaled="True", eta="0.1")
    assert steps[-1].event == "converged"
    X = trial.data.X
    u = (X - X.mean(axis=0)) / X.std(axis=0)
    assert np.ptp(squared_loss(u[:, :1], u[:, 1]).curvatures) < 1e-4, "circles"
    assert (X > 0).all()
    return [0, *left.values(), len(steps) - 1]


def a_few_points_at_a_time(trial: Trial) -> Numbers:
    def above(**changes: str) -> float:
        steps = trial.steps(**changes)
        assert steps[-1].event == "wanders"
        return float(np.mean([step.excess for step in steps[-100:]]))

    sizes = {"1": above(batch="1"), "4": above(), "16": above(batch="16")}
    slow, early = above(eta="0.01"), trial.steps(eta="0.01")[20].excess
    forked = {"fork": "11", "if.rate": "0.01"}
    both = trial.steps(**forked)[20].excess
    assert above(**forked) <= slow
    for seed in range(1, 5):
        found = [above(batch=batch, seed=str(seed)) for batch in sizes]
        assert found == sorted(found, reverse=True)
        assert above(eta="0.01", seed=str(seed)) < found[1]
    each = [number for size, f in sizes.items() for number in (f, float(size))]
    return [100, *each, 4, 0.01, slow, 20, early, 0.1, 0.01, both]


def one_far_point(trial: Trial) -> Numbers:
    found = []
    for end in ("right", "middle"):
        steps = trial.steps(end=end)
        place = trial.data.X[:, 0].argsort()[{"right": 59, "middle": 30}[end]]
        lift = steps[-1].height - steps[0].height
        slope = (steps[-1].weights[0] - steps[0].weights[0]) / lift
        found += [100 * steps[0].leverages[place], slope]
    return found


def outliers(trial: Trial) -> Numbers:
    steps = trial.steps()
    X = trial.data.X
    rest = X[X[:, 0].argsort()[:-3]]
    w, b = np.polyfit(*rest.T, 1)
    assert abs(w - 0.8) < 0.1 and abs(b - 0.3) < 0.1
    found = [len(rest), 0.8, 0.3, steps[0].weights[0], steps[-1].weights[0]]
    for sample in range(6):
        steps = trial.steps(sample=str(sample))
        assert steps[0].weights[0] < steps[-1].weights[0] - 0.05
    return found


def slope(X: ndarray) -> float:
    return list(absolute_loss(X[:, :1], X[:, 1]))[-1].weights[0]


def a_long_lever(trial: Trial) -> Numbers:
    def both(n: int, sample: int) -> tuple[float, float]:
        X = points_of("outlier", n, sample=sample)
        assert X[FAR].tolist() == [3.0, -2.8] and X[FAR, 0] > np.delete(X[:, 0], FAR).max()
        return slope(X), slope(np.delete(X, FAR, axis=0))

    few, many = both(10, 2), both(60, 2)
    assert trial.steps()[-1].weights[0] == few[0]
    changed = {
        n: sum(abs(np.subtract(*both(n, sample))) > 0.2 for sample in SAMPLES) for n in (10, 60)
    }
    assert changed[10] > 10 > changed[60]
    others = [both(10, sample) for sample in range(20, 40)]
    assert sum(abs(with_it - without) > 0.2 for with_it, without in others) > 10
    return [*few, changed[10], SAMPLES, 0.2, 60, *many[::-1], changed[60], 0.2]


def one_power_more(trial: Trial) -> Numbers:
    steps = trial.steps()
    training = [step.training_error for step in steps]
    assert training == sorted(training, reverse=True)
    held = [step.held_out_error for step in steps]
    assert held.index(min(held)) == 5
    few = []
    for split in range(40):
        held_out = [step.held_out_error for step in trial.steps(split=str(split))]
        few.append(3 <= held_out.index(min(held_out)) <= 7)
    assert all(few[:20]) and sum(few[20:]) > 10
    found = [training[3], 3, training[12], 12, held[5], 5, held[12], 12]
    return [*found, steps[5].largest, steps[12].largest, SAMPLES, 3, 7]


def through_every_point(trial: Trial) -> Numbers:
    steps = trial.steps()
    (at,) = (step.count for step in steps if step.event == "through all points")
    assert all(step.event == "many solutions" for step in steps[at + 1 :])
    X, features = trial.data.X, steps[0].features
    assert sum(np.abs(steps[at].predict(X[:, :1]) - X[:, 1]) < 1e-6) == at + 1 == 10
    assert len(features.names) == 12
    held = [step.held_out_error for step in steps]
    return [at, at + 1, 0, held[at], 3, held[3]]


def too_narrow_too_wide(trial: Trial) -> Numbers:
    found = {width: trial.steps(width=str(width))[-1] for width in (2, 10, 50)}
    error = {width: step.held_out_error for width, step in found.items()}
    size = {width: step.largest for width, step in found.items()}
    assert min(error, key=error.__getitem__) == 10
    return [10, error[10], size[10], 2, size[2], error[2], 50, size[50], error[50]]


test_the_answers = claims_test(
    "linear_regression",
    {
        "Too small, too large": too_small_too_large,
        "A narrow valley": a_narrow_valley,
        "A few points at a time": a_few_points_at_a_time,
        "One far point": one_far_point,
        "Outliers": outliers,
        "A long lever": a_long_lever,
        "One power more": one_power_more,
        "Through every point": through_every_point,
        "Too narrow, too wide": too_narrow_too_wide,
    },
)


def test_the_descent_goes_by_the_rule_from_the_line_that_was_placed(session: Session) -> None:
    session.open(
        LAB, rule="Adam", eta="0.05", beta="0.5", batch="4", seed="3", steps="30",
        begin="placed by hand", line="-2,1;2,-1", scaled="True", n="60",
    )  # fmt: skip
    placed = np.array([[-2.0, 1.0], [2.0, -1.0]])
    run = descend_on_plane(
        points_of("line"), Adam(0.05, beta=0.5), rng=rng(3), places=placed, batch=4, max_iter=30
    )
    steps = list(run)
    assert session.opening["total"] == len(steps) == 31
    assert session.events == {i: step.event for i, step in enumerate(steps) if step.event}
    new = "({:.3g}, {:.3g})".format(*steps[-1].weights, steps[-1].intercept).replace("-", "−")
    assert session.captions[-1].split("\n")[1].endswith(f"= {new}.")
    assert f"{steps[0].weights[0]:.4g} x".replace("-", "−") in session.captions[0]
    assert session.stage["handles"][0]["places"] == placed.tolist()
    assert [handles["name"] for handles in session.stage["handles"]] == ["line", "query"]


def test_two_places_above_each_other_are_refused_with_a_sentence(session: Session) -> None:
    session.open(LAB, begin="placed by hand", line="1,0;1,2", n="60")
    assert session.stage["error"].startswith("The two places are exactly above each other")
    assert len(session.stage["handles"][0]["places"]) == 2, "they can be dragged apart"
    assert len(session.points) == len(points_of("line"))


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
    assert session.app.query_params == {"view": "outliers"}
    session.set("button_group", "view", "formula")
    assert session.value("data") == "line"
    session.open(LAB, view="outliers")
    assert session.value("data") == "line with outliers"
    session.open(LAB, view="outliers", data="sine")
    assert session.value("data") == "sine"


def test_the_line_is_read_off_where_the_ring_is(session: Session) -> None:
    session.open(LAB, view="formula", query="-2,2")
    (ring,) = session.stage["handles"]
    assert (ring["look"], ring["along"]) == ("query", "x")
    bottom, top = session.opening["views"][0]["first"]["layout"]["yaxis"]["range"]
    assert ring["places"][0] == pytest.approx([-2, bottom + 0.04 * (top - bottom)], abs=1e-3)
    assert session.captions[0].split("\n")[-1].startswith("Picked x = −2:")


def test_the_point_that_is_pulled_is_chosen(session: Session) -> None:
    for end, place in (("right", np.max), ("left", np.min)):
        session.open(LAB, view="leverage", end=end)
        x = f"x = {place(session.points[:, 0]):.3g} ".replace("-", "−")
        assert x in session.captions[0]


@pytest.mark.parametrize("basis", ["Gaussian", "polynomial"])
def test_a_width_is_asked_for_where_a_basis_has_one(basis: str, session: Session) -> None:
    session.open(LAB, view="bases", basis=basis)
    assert ("width" in session.values) == (basis == "Gaussian")
    assert session.value("data") == "sine"


def test_without_held_out_points_there_is_one_error(session: Session) -> None:
    session.open(LAB, view="bases", held="0")
    assert "held-out" not in session.captions[-1]
    assert "13 weights from 60 training points" in session.captions[-1]
