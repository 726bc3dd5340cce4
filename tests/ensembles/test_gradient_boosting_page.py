"""What the lesson of the lab says of its experiments, on the runs of their links."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.gradient_boosting import GradientBoostingStep, gradient_boosting
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core.words import number

(LAB,) = (lab for lab in LABS if lab.name == "gradient_boosting")
SAMPLES = range(10)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def text(title: str) -> str:
    experiment = experiment_of(LAB, title)
    return f"{experiment.question} {experiment.todo} {experiment.answer}"


def errors(steps) -> np.ndarray:
    return np.array([step.held_out_error for step in steps])


def elsewhere(session: Session, sample: int, **changes) -> list[GradientBoostingStep]:
    """The run on another sample, as the session's page makes it."""
    name, n = session.value("data"), session.value("n")
    X = DATASETS[name].make(n, noise=session.value("noise"), rng=np.random.default_rng(sample)).X
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


def test_when_to_stop(watched: Session) -> None:
    title = "When to stop"
    steps = steps_of(watched, LAB, title)
    held = errors(steps)
    (named,) = [step.round for step in steps if step.event]
    assert named == held.argmin() == 22 and "At round 22, at 0.165" in text(title)
    assert number(held[22]) == "0.165" and number(held[-1]) == "0.408"
    assert number(steps[-1].training_error, 1) == "0.005"
    assert all(np.diff([step.training_error for step in steps]) < 0)
    assert watched.value("noise") ** 2 == pytest.approx(0.16)
    assert "the noise alone is 0.16" in text(title)
    assert "At the end it is 0.408" in text(title) and "fallen to 0.005" in text(title)
    np.testing.assert_array_equal(errors(elsewhere(watched, 0)), held)
    others = [errors(elsewhere(watched, sample)) for sample in SAMPLES]
    assert sum(held[-1] > 1.25 * held.min() for held in others) == 7
    assert "On 7 of the samples 0 to 9" in text(title) and "a quarter above" in text(title)


def test_learnt_by_heart(watched: Session) -> None:
    title = "Learnt by heart"
    steps = steps_of(watched, LAB, title)
    assert steps[-1].event == "nothing left to learn" and steps[-1].round == 6
    held = errors(steps)
    assert (number(held[1]), number(held[-1])) == ("0.4", "0.45")
    assert "6 rounds." in text(title) and "the held-out error is 0.45" in text(title)
    assert "first round alone had 0.4." in text(title)
    gentle = errors(steps_of(watched, LAB, title, rate="0.1", depth="2"))
    assert number(gentle.min()) == "0.165" and "its lowest is 0.165" in text(title)


def test_too_careful(watched: Session) -> None:
    title = "Too careful"
    steps = steps_of(watched, LAB, title)
    held = errors(steps)
    assert held.argmin() == len(steps) - 1 == 100
    assert (number(steps[-1].training_error), number(held[-1])) == ("0.443", "0.362")
    assert "still 0.443" in text(title) and "held-out error of 0.362" in text(title)
    longer = errors(steps_of(watched, LAB, title, rounds="300"))
    assert (int(longer.argmin()), number(longer.min())) == (216, "0.168")
    assert "round 216, with 0.168" in text(title)
    quick = errors(steps_of(watched, LAB, title, rate="0.1"))
    assert abs(quick.min() - longer.min()) < 0.005 and 216 / quick.argmin() == pytest.approx(
        10, 0.05
    )


def test_half_of_the_points(watched: Session) -> None:
    title = "Half of the points"
    half = errors(steps_of(watched, LAB, title)).min()
    whole = errors(steps_of(watched, LAB, title, part="100")).min()
    assert (number(half), number(whole)) == ("0.172", "0.19")
    assert "0.172, with all points 0.19" in text(title)
    better = [
        errors(elsewhere(watched, sample, subsample=0.5)).min()
        < errors(elsewhere(watched, sample)).min()
        for sample in SAMPLES
    ]
    assert sum(better) == 9 and "on 9 of the samples 0 to 9" in text(title)


def test_fallen_points(watched: Session) -> None:
    title = "Fallen points"

    def off(step: GradientBoostingStep) -> float:
        x = np.linspace(-3, 3, 601)
        return float(np.sqrt(np.mean((step.predict(x[:, None]) - (0.8 * x + 0.3)) ** 2)))

    found = [off(steps_of(watched, LAB, title, loss=each)[-1]) for each in ("squared", "absolute")]
    assert [number(each) for each in found] == ["1.07", "0.471"]
    assert experiment_of(LAB, title).link.get("loss", "squared") == "squared"
    assert "Answer: 1.07" in f"Answer: {experiment_of(LAB, title).answer}"
    assert "0.47 with the absolute loss" in text(title)
    longer = off(steps_of(watched, LAB, title, loss="absolute", rounds="100")[-1])
    assert number(longer, 2) == "1.2" and "after 100 rounds it is 1.2" in text(title)
    p = DATASETS["line with outliers"]
    for sample in SAMPLES:
        X = p.make(p.n, noise=p.noise, rng=np.random.default_rng(sample)).X
        ends = [
            last(
                gradient_boosting(
                    X[:, :1], X[:, 1], rounds=30, max_depth=1, loss=loss,
                    rng=np.random.default_rng(0),
                )
            )
            for loss in ("squared", "absolute")
        ]  # fmt: skip
        assert off(ends[1]) < off(ends[0])
