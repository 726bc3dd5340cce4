"""What the lab's lesson says of its experiments, on the runs that their links set up."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron import MultilayerRegressionStep
from algorithms.networks.training_account import account_on_plane
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = (lab for lab in LABS if lab.name == "network_regression")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def end(watched: Session, title: str, **changes: str) -> MultilayerRegressionStep:
    return steps_of(watched, LAB, title, **changes)[-1]


def again(watched: Session, seed: int, **changes: object) -> list[MultilayerRegressionStep]:
    """The run that is shown, from another seed."""
    assert watched.run_shown and watched.run_shown.call
    call, rng = watched.run_shown.call, np.random.default_rng([seed, 2])
    return list(call.function(*call.args, **call.how | {"rng": rng} | changes))


def held_out_loss(watched: Session, steps: Sequence[MultilayerRegressionStep]) -> np.ndarray:
    """The held-out loss of steps on the points of the run that is shown, from the board alone."""
    X = watched.state.board.data.X
    assert watched.run_shown and watched.run_shown.call
    learned = watched.run_shown.call.args[0]
    held = ~(X[:, None] == learned).all(axis=2).any(axis=1)
    assert 0.2 < held.mean() < 0.4
    loss = account_on_plane(steps, standard(learned), X[held]).held_out_loss
    assert loss is not None
    return loss


def test_how_many_units(watched: Session) -> None:
    title, said = "How many units?", answer("How many units?")
    assert f"a loss of {end(watched, title).loss:.3f} is left" in experiment_of(LAB, title).question
    found = {int(h): end(watched, title, hidden=h).loss for h in ("1", "2", "4")}
    one, two, four = found.values()
    assert f"One leaves {one:.3f}, two leave {two:.3f}, four {four:.3f}." in said
    for seed in range(1, 5):
        for hidden, loss in found.items():
            *_, step = again(watched, seed, hidden=(hidden,))
            assert step.loss == pytest.approx(loss, rel=0.05)


def test_a_plateau(watched: Session) -> None:
    title, said = "A plateau", answer("A plateau")
    steps = steps_of(watched, LAB, title)
    assert f"From {steps[10].loss:.3f} at epoch 10 to {steps[-1].loss:.3f}" in said
    u = np.linspace(-2, 2, 50)[:, None]
    assert np.ptp(steps[-1].predict(u)) < 0.4, "in standard deviations of y"
    adam = end(watched, title, optimizer="Adam", rate="0.03")
    assert f"With Adam it is {adam.loss:.3f} at the end." in said
    assert np.ptp(adam.predict(u)) > 2
    for seed in range(1, 4):
        assert again(watched, seed)[-1].loss < 0.11
        assert again(watched, seed, optimizer="gradient", learning_rate=0.1)[-1].loss > 0.45


def test_strokes_that_vanish(watched: Session) -> None:
    title, said = "Strokes that vanish", answer("Strokes that vanish")

    def sizes(step: MultilayerRegressionStep) -> np.ndarray:
        return np.abs(np.stack([W.ravel() for W in step.weights]))

    *_, before, step = steps_of(watched, LAB, title)
    small = sizes(step)
    assert small.size == 16 and small.min() > 0
    assert f"but {(small <= 0.003).sum()} are within η λ = 0.003 of it" in said
    assert not ((small > 0.003) & (small < 0.05)).any(), "there is a gap, and strokes from 0.05 on"
    assert (small <= 0.003).all(axis=0).sum() == 5 == (small <= 0.003).any(axis=0).sum()
    both = zip(before.weights[0][0], step.weights[0][0], strict=True)
    assert any(old * new < 0 for old, new in both), "some go across 0"
    assert (sizes(again(watched, 1)[-1]) <= 0.003).sum() >= 8
    l2 = sizes(end(watched, title, norm="L2")).min()
    assert f"With L2 the smallest weight is {l2:.2g}" in said
    assert sizes(again(watched, 1)[-1]).min() > 0.2


def test_when_to_stop(watched: Session) -> None:
    title, said = "When to stop", answer("When to stop")
    steps = steps_of(watched, LAB, title)
    assert f"comes down to {steps[-1].loss:.3f}." in " ".join(
        experiment_of(LAB, title).question.split()
    )
    held = held_out_loss(watched, steps)
    assert (
        f"At epoch {held.argmin()}, at {held.min():.3f}; at the end it is {held[-1]:.2f}." in said
    )
    for seed in range(1, 4):
        other = held_out_loss(watched, again(watched, seed))
        assert other[-1] > 3 * other.min()
    penalised = held_out_loss(watched, steps_of(watched, LAB, title, penalty="0.01"))
    assert penalised[-1] == pytest.approx(0.070, abs=1e-3)  # 0.0695: rounding decides the digit
    assert "With the penalty it ends at 0.070" in said
    assert penalised[-1] < 1.01 * penalised.min()


def test_corners(watched: Session) -> None:
    title, said = "Corners", answer("Corners")

    def corners(seed: str) -> tuple[np.ndarray, float]:
        """Where the units that are not dead switch on or off, in units of x."""
        step = end(watched, title, seed=seed)
        assert step.stuck[0].sum() == 1
        assert watched.run_shown and watched.run_shown.call
        units = standard(watched.run_shown.call.args[0])
        u = (-step.biases[0] / step.weights[0][0])[~step.stuck[0]]
        return np.sort(units.center[0] + units.spread[0] * u), step.loss

    together, loss = corners("0")
    assert f"from x = {together[0]:.2f} to {together[-1]:.2f}." in said
    left, right = watched.state.board.bounds[:2]
    apart, better = corners("1")
    assert left < apart[0] and apart[-1] < right and np.diff(apart).min() > 0.4
    assert f"the loss is {better:.3f} in place of {loss:.2f}" in " ".join(said.split())
    smooth = [end(watched, title, activation="tanh", seed=seed).loss for seed in "01"]
    assert f"it is {smooth[0]:.3f} and {smooth[1]:.3f}." in said


def test_points_of_one_class_and_few_of_them_will_do(watched: Session) -> None:
    watched.open(LAB, data="line", n="2", epochs="30", hidden="8-8-8")
    watched.check_shown()
    watched.open(
        LAB, data="line", n="1", epochs="30", optimizer="RMSProp", norm="L1", penalty="0.1"
    )
    watched.check_shown()
    watched.open(LAB, momentum="0.5", optimizer="Adam")
    assert watched.state.refused, "it is that of the plain rule, and not asked for"
