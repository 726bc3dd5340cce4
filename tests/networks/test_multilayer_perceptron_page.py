"""What the lab's lesson says of its experiments, on the runs that their links set up."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.core.features import polynomial_features
from algorithms.core.splits import held_out
from algorithms.networks.training_account import Account, account
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = (lab for lab in LABS if lab.name == "multilayer_perceptron")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def error(watched: Session, title: str, **changes: str) -> float:
    """The training error at the end of an experiment's run, with changes, in percent."""
    return 100 * steps_of(watched, LAB, title, **changes)[-1].training_error


def account_shown(watched: Session) -> Account:
    """The account of the run that is shown, made from the board alone."""
    data, run = watched.state.board.data, watched.run_shown
    assert run is not None
    held = held_out(len(data.X), 0.3, rng=np.random.default_rng([0, 1]), codes=data.labels)
    features = polynomial_features(data.X[~held], 1)
    return account(run.steps, features, data.X[held], data.labels[held])


def test_exclusive_or(watched: Session) -> None:
    title = "Exclusive or"
    assert len(steps_of(watched, LAB, title)[0].weights) == 1, "no hidden layer"
    wrong = {h: error(watched, title, hidden=h) for h in ("none", "1", "2", "4")}
    said = answer(title)
    assert f"Without any, {wrong['none']:.0f} %" in said
    assert f"with one unit {wrong['1']:.0f} %, with two {wrong['2']:.0f} %" in said
    assert wrong["4"] == 0
    other = error(watched, title, hidden="2", seed="2")
    assert f"with seed 2 it is {other:.0f} %" in said
    for seed in range(1, 6):
        assert error(watched, title, hidden="none", seed=str(seed)) > 45
        assert 25 < error(watched, title, hidden="1", seed=str(seed)) < 35
        assert error(watched, title, hidden="4", seed=str(seed)) < 2


def test_all_alike(watched: Session) -> None:
    title = "All alike"
    steps = steps_of(watched, LAB, title)
    assert steps[0].event == "units alike"
    assert np.ptp(steps[-1].weights[0], axis=1).max() == 0
    assert np.ptp(steps[-1].weights[1]) == 0
    assert np.abs(steps[-1].weights[0]).max() > 0.1, "they do learn"
    assert f"{100 * steps[-1].training_error:.0f} % of the training points" in answer(title)
    for seed in range(5):
        assert error(watched, title, spread="1", seed=str(seed)) == 0


def test_a_dead_layer(watched: Session) -> None:
    title = "A dead layer"
    steps = steps_of(watched, LAB, title)
    dead = [int(step.stuck[0].sum()) for step in steps]
    first = dead.index(8)
    assert f"after {first} epochs all eight" in answer(title)
    assert set(dead[first:]) == {8}
    for step in steps[first:]:
        assert not any(G.any() for G in step.gradients)
    assert {step.event for step in steps} == {None, "dead unit"}
    assert f"{100 * steps[-1].training_error:.0f} % stay wrong" in answer(title)
    for seed in range(6):
        assert steps_of(watched, LAB, title, seed=str(seed))[-1].stuck[0].all()
        assert error(watched, title, rate="1", seed=str(seed)) == 0


def test_gradients_that_vanish(watched: Session) -> None:
    title, said = "Gradients that vanish", answer("Gradients that vanish")
    steps = steps_of(watched, LAB, title)
    sizes = account_shown(watched).gradients
    assert sizes[0].argmin() == 0
    assert f"{sizes[0, 0]:.2g}, against {sizes[0, -1]:.2g}" in said
    assert f"in {len(steps) - 1} epochs, {100 * steps[-1].training_error:.0f} % are wrong" in said
    assert steps[0].loss - steps[-1].loss < 0.3
    assert steps[-1].loss > 0.68, "that of a coin is 0.69"
    adam = steps_of(watched, LAB, title, optimizer="Adam", rate="0.03")
    first = next(step.epoch for step in adam if step.training_error == 0)
    assert f"from epoch {first} on" in said
    assert not any(step.training_error for step in adam[first:])
    tanh = steps_of(watched, LAB, title, activation="tanh")
    sizes = account_shown(watched).gradients[0]
    assert set(sizes.round(2)) == {0.02, 0.03}
    assert tanh[-1].training_error == 0
    for seed in range(2, 6):
        steps_of(watched, LAB, title, seed=str(seed))
        assert account_shown(watched).gradients[0].argmin() == 0
        assert error(watched, title, seed=str(seed)) > 40
        assert error(watched, title, seed=str(seed), activation="tanh") == 0


def test_learnt_by_heart(watched: Session) -> None:
    title, said = "Learnt by heart", answer("Learnt by heart")
    steps = steps_of(watched, LAB, title)
    assert steps[-1].training_error == 0
    held = account_shown(watched).held_out_loss
    assert held is not None
    assert f"At epoch {held.argmin()}, at {held.min():.2f}; at the end it is {held[-1]:.2f}" in said
    with_penalty = steps_of(watched, LAB, title, penalty="0.01")
    assert with_penalty[-1].training_error > 0
    penalised = account_shown(watched).held_out_loss
    assert penalised is not None
    assert f"With the penalty it ends at {penalised[-1]:.2f}" in said
    steps_of(watched, LAB, title, dropout="20")
    thinned = account_shown(watched).held_out_loss
    assert thinned is not None and thinned[-1] < held[-1] / 2
    assert f"it ends at {thinned[-1]:.2f}, and was at {thinned.min():.2f} before" in said
    assert steps_of(watched, LAB, title, seed="1")[-1].training_error == 0
    held = account_shown(watched).held_out_loss
    steps_of(watched, LAB, title, seed="1", dropout="20")
    thinned = account_shown(watched).held_out_loss
    assert held is not None and thinned is not None
    assert held[-1] > 2 * held.min() and held[-1] > 2 * thinned[-1]


def test_rolling_on(watched: Session) -> None:
    title, said = "Rolling on", answer("Rolling on")
    slow = steps_of(watched, LAB, title)[-1]
    assert f"leave {100 * slow.training_error:.0f} %" in experiment_of(LAB, title).question
    for seed in ("0", "1", "2"):
        steps = steps_of(watched, LAB, title, momentum="0.9", seed=seed)
        first = next(step.epoch for step in steps if step.training_error == 0)
        assert steps[-1].training_error == 0
        if seed == "0":
            assert f"at epoch {first} and" in said
            assert f"the loss is {steps[-1].loss:.2g} in place of {slow.loss:.2g}" in " ".join(
                said.split()
            )


@pytest.mark.parametrize("view", ["training", "one step"])
def test_every_choice_of_hidden_units_can_be_run(watched: Session, view: str) -> None:
    watched.open(LAB, view=view, epochs="30", n="40")
    for text in watched.widget("selectbox", "hidden").options:
        watched.set("selectbox", "hidden", text)
        assert watched.run_shown is not None
        widths = [len(b) for b in watched.run_shown.steps[0].biases]
        assert widths == [*(int(u) for u in text.split("-") if u != "none"), 1]
        watched.check_shown()


def test_a_run_has_so_many_updates_at_most(watched: Session) -> None:
    watched.open(LAB, batch="1", epochs="300", n="400")
    run, labels = watched.run_shown, watched.state.board.data.labels
    assert run is not None
    held = held_out(400, 0.3, rng=np.random.default_rng([0, 1]), codes=labels)
    assert len(run.steps) - 1 == 20_000 // np.count_nonzero(~held)


def test_the_picked_point_chooses_what_is_learned_from(watched: Session) -> None:
    watched.open(LAB, view="one step", data="gates", noise="0", query="0.9,0.2")
    assert "It stands at (1, 0)" in watched.captions[0]
    watched.open(LAB, view="one step", data="gates", noise="0", query="0.1,0.9")
    assert "It stands at (0, 1)" in watched.captions[0]
