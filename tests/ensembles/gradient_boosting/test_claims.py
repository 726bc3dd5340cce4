"""What the lesson of the lab says of its experiments, on the runs of their links."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.gradient_boosting import GradientBoostingStep, gradient_boosting
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import points_of
from tests.house.experiments import experiment_of, steps_of
from viz.core.words import number

(LAB,) = (lab for lab in LABS if lab.name == "gradient_boosting")
SAMPLES = range(10)


def text(title: str) -> str:
    experiment = experiment_of(LAB, title)
    return f"{experiment.question} {experiment.todo} {experiment.answer}"


def errors(steps) -> np.ndarray:
    return np.array([step.held_out_error for step in steps])


def elsewhere(session: Session, sample: int, **changes) -> list[GradientBoostingStep]:
    """The run on another sample, as the session's page makes it."""
    name, n = session.value("data"), session.value("n")
    X = points_of(name, n, sample=sample, noise=session.value("noise"))
    how = {
        "rounds": session.value("rounds"),
        "learning_rate": session.value("rate"),
        "max_depth": session.value("depth"),
        "subsample": session.value("part") / 100,
    }
    rng = np.random.default_rng([0, 1])
    held = held_out(n, session.value("held") / 100, rng=rng, at_least=1)
    rng = np.random.default_rng([0, 2])
    return list(gradient_boosting(X[:, :1], X[:, 1], held_out=held, rng=rng, **(how | changes)))


def test_when_to_stop(session: Session) -> None:
    title = "When to stop"
    steps = steps_of(session, LAB, title)
    held = errors(steps)
    (named,) = [step.round for step in steps if step.event]
    assert named == held.argmin() == 22 and "At round 22, at 0.165" in text(title)
    assert number(held[22]) == "0.165" and number(held[-1]) == "0.408"
    assert number(steps[-1].training_error, 1) == "0.005"
    assert all(np.diff([step.training_error for step in steps]) < 0)
    assert session.value("noise") ** 2 == pytest.approx(0.16)
    assert "the noise alone is 0.16" in text(title)
    assert "At the end it is 0.408" in text(title) and "fallen to 0.005" in text(title)
    np.testing.assert_array_equal(errors(elsewhere(session, 0)), held)
    others = [errors(elsewhere(session, sample)) for sample in SAMPLES]
    assert sum(held[-1] > 1.25 * held.min() for held in others) == 7
    assert "On 7 of the samples 0 to 9" in text(title) and "a quarter above" in text(title)


def test_the_lowest_held_out_error_is_optimistic(session: Session) -> None:
    title = "When to stop"
    steps_of(session, LAB, title)
    lowest, fresh = [], []
    for sample in range(20, 40):
        steps = elsewhere(session, sample)
        best = min(steps, key=lambda step: step.held_out_error or 0.0)
        new = points_of("sine", 2000, sample=sample + 1000, noise=session.value("noise"))
        lowest.append(best.held_out_error)
        fresh.append(np.mean(np.square(best.predict(new[:, :1]) - new[:, 1])))
    assert np.mean(fresh) > np.mean(lowest)
    said = text(title)
    assert f"it is {number(np.mean(lowest))} on average" in said
    assert f"on fresh points is {number(np.mean(fresh))}" in said


def test_learnt_by_heart(session: Session) -> None:
    title = "Learnt by heart"
    steps = steps_of(session, LAB, title)
    assert steps[-1].event == "nothing left to learn" and steps[-1].round == 6
    held = errors(steps)
    assert (number(held[1]), number(held[-1])) == ("0.4", "0.45")
    assert "6 rounds." in text(title) and "the held-out error is 0.45" in text(title)
    assert "first round alone had 0.4." in text(title)
    gentle = errors(steps_of(session, LAB, title, rate="0.1", depth="2"))
    assert number(gentle.min()) == "0.165" and "its lowest is 0.165" in text(title)


def test_too_careful(session: Session) -> None:
    title = "Too careful"
    steps = steps_of(session, LAB, title)
    held = errors(steps)
    assert held.argmin() == len(steps) - 1 == 100
    assert (number(steps[-1].training_error), number(held[-1])) == ("0.443", "0.362")
    assert "still 0.443" in text(title) and "held-out error of 0.362" in text(title)
    longer = errors(steps_of(session, LAB, title, rounds="300"))
    assert (int(longer.argmin()), number(longer.min())) == (216, "0.168")
    assert "round 216, with 0.168" in text(title)
    quick = errors(steps_of(session, LAB, title, rate="0.1"))
    assert abs(quick.min() - longer.min()) < 0.005 and 216 / quick.argmin() == pytest.approx(
        10, 0.05
    )


def test_half_of_the_points(session: Session) -> None:
    title = "Half of the points"
    half = errors(steps_of(session, LAB, title)).min()
    whole = errors(steps_of(session, LAB, title, part="100")).min()
    assert (number(half), number(whole)) == ("0.172", "0.19")
    assert "0.172, with all points 0.19" in text(title)
    better = [
        errors(elsewhere(session, sample, subsample=0.5)).min()
        < errors(elsewhere(session, sample)).min()
        for sample in SAMPLES
    ]
    assert sum(better) == 9 and "on 9 of the samples 0 to 9" in text(title)


def off(step: GradientBoostingStep) -> float:
    """How far a curve is off the line of the presets, as the root of the mean square."""
    x = np.linspace(-3, 3, 601)
    return float(np.sqrt(np.mean((step.predict(x[:, None]) - (0.8 * x + 0.3)) ** 2)))


def test_fallen_points(session: Session) -> None:
    title = "Fallen points"
    losses = {"squared": {}, "absolute": {}, "Huber": {"within": "80"}}
    ends = {
        rounds: [
            off(steps_of(session, LAB, title, loss=loss, rounds=rounds, **how)[-1])
            for loss, how in losses.items()
        ]
        for rounds in ("30", "100")
    }
    assert experiment_of(LAB, title).link["rounds"] == "30"
    assert experiment_of(LAB, title).link.get("loss", "squared") == "squared"
    squared, *others = [number(each, 3 if i == 0 else 2) for i, each in enumerate(ends["30"])]
    assert f"Answer: {squared} (the" in f"Answer: {experiment_of(LAB, title).answer}"
    assert "{} with the absolute loss, and {} with Huber".format(*others) in text(title)
    assert [number(each, 2) for each in ends["100"]] == ["1.3", "1.2", "1.2"]
    assert "after 100 rounds it is 1.2 with both, and 1.3 with the squared loss" in text(title)
    p, found = DATASETS["line with outliers"], []
    for sample in SAMPLES:
        X = p.make(p.n, noise=p.noise, rng=np.random.default_rng(sample)).X
        how = {"rounds": 30, "max_depth": 1, "within": 0.8, "rng": np.random.default_rng(0)}
        runs = [gradient_boosting(X[:, :1], X[:, 1], loss=loss, **how) for loss in losses]
        found.append([off(last(run)) for run in runs])
    assert found[0] == pytest.approx(ends["30"])
    dragged, absolute, huber = np.array(found).T
    assert (absolute < dragged).all() and (huber < dragged).all()


def test_never_both(session: Session) -> None:
    title = "Never both"
    steps = steps_of(session, LAB, title)
    x, y = np.array([-2.0, 2.0]), np.array([-1.0, 1.0])
    (below, above) = steps[-1].total.surface(x, y)
    assert np.ptp(below) == pytest.approx(np.ptp(above), abs=1e-9) and np.ptp(below) > 0.01
    held = errors(steps)
    assert (number(held[-1]), number(held[0])) == ("0.275", "0.254")
    assert "error is 0.275 at the end, more than the 0.254 of a constant" in text(title)
    for sample in range(4):
        deep = errors(steps_of(session, LAB, title, depth="2", sample=str(sample)))
        assert deep[-1] < 0.07 and "samples 0 to 3, below 0.07" in text(title)
        assert sample or (number(deep[-1]) == "0.0255" and "it is 0.0255" in text(title))


def test_what_is_predicted_is_what_is_left(session: Session) -> None:
    link = {"view": "two features", "data": "penguins", "n": "342"}
    session.open(LAB, **link, target="number of the class")
    first = session.run_shown.steps[0]
    targets = first.residuals + first.total(np.zeros((1, 2)))
    assert set(targets.round(9).tolist()) == {0.0, 1.0, 2.0}
    session.open(LAB, view="two features", data="sine")
    assert "nothing is left to predict" in session.stage["error"]
