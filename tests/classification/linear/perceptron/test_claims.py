"""The lesson's statements about its runs."""

import re
from itertools import pairwise

import numpy as np
import pytest

from algorithms.classification.linear.perceptron.delta_rule import delta_rule
from algorithms.classification.linear.perceptron.perceptron_bound import Overlap, separate
from algorithms.core.record import last
from pages._shared.exports.program import as_script, program
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import rng
from tests.core.told import numbers
from tests.exports.elsewhere import execute
from tests.house.claims import Numbers, Trial, claims_test

PERCEPTRON = next(lab for lab in LABS if lab.name == "perceptron")


def every_mistake_is_one_vector(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert (end.event, end.epoch) == ("converged", 9)
    caption = trial.session.captions[-1].split("\n")
    mistakes, bound = (int(found) for found in re.findall(r"\d+", caption[0])[1:])
    assert mistakes == end.mistakes
    lengths = numbers(caption[1].replace("(coordinates and a 1)", ""))
    return [bound, mistakes, *end.w, -end.bias, 0, *lengths]


def a_cycle(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert (end.event, end.period) == ("cycle", 1)
    zeros = trial.steps(init="zeros")[-1]
    assert (zeros.event, zeros.epoch, zeros.period) == ("cycle", 1, 1)
    wrong = []
    for seed in range(8):
        stopped = trial.steps(init="zeros", order="shuffled", seed=str(seed))[-1]
        assert (stopped.event, stopped.epoch) == ("stopped at max_epochs", 50)
        wrong.append(stopped.errors(trial.data.X, trial.data.labels))
    return [end.epoch, wrong[0], len(trial.data.X)]


def which_line_is_left(trial: Trial) -> Numbers:
    def wrong(**changes: str) -> int:
        return trial.steps(**changes)[-1].errors(trial.data.X, trial.data.labels)

    first, n = wrong(), len(trial.data.X)
    plain = {wrong(seed=str(seed)) for seed in range(8)}
    assert len(plain) >= 4
    others = {
        wrong(variant=variant, seed=str(seed))
        for variant in ("averaged", "pocket")
        for seed in range(8)
    }
    (least,) = others
    assert min(plain) == least
    return [first, n, least, least]


def right_is_not_enough(trial: Trial) -> Numbers:
    turned = [_turned(trial, sample) for sample in ("0", "1", "2", "4")]
    assert min(turned) > 20
    target, fast = 1, 1
    for sample in ("0", "1", "2", "4"):
        end = trial.steps(sample=sample, delta_rate=str(fast))[-1]
        assert (end.event, end.epoch) == ("diverged", 1)
    return [target, turned[0], fast]


def _turned(trial: Trial, sample: str) -> float:
    """Return by how much the far sample turns the line."""
    end = trial.steps(sample=sample)[-1]
    X, y = trial.data.X, trial.data.labels
    far = np.arange(len(X)) == np.argmax(np.linalg.norm(X, axis=1))
    assert end.predict(X[far]) == y[far] and end.errors(X, y) == 1
    assert sample != "0" or end.event == "converged", "as only a run in cyclic order does"
    how = {"rng": rng(), "order": "cyclic", "learning_rate": 0.03}
    without = last(delta_rule(X[~far], y[~far], **how))
    assert without.errors(X[~far], y[~far]) == 0
    w, v = end.weights, without.weights
    return float(np.degrees(np.arccos(w @ v / np.linalg.norm(w) / np.linalg.norm(v))))


def one_update_more(trial: Trial) -> Numbers:
    was = trial.steps()[-1]
    more = trial.steps(fork="2")
    assert (more[2].event, more[2].index, more[-1].event) == ("forced", 1, "converged")
    titles = [view["title"] for view in trial.session.opening["views"]]
    assert "Training errors and loss" in titles, "no bound is shown"
    less = trial.steps(fork="26")
    assert (less[26].event, less[26].amount, less[-1].event) == ("skipped", 0, "converged")
    return [was.mistakes, more[-1].mistakes, less[-1].mistakes]


def several_classes(trial: Trial) -> Numbers:
    made = []
    for sample in range(8):
        steps = trial.steps(sample=str(sample))
        X, y = trial.data.X, trial.data.labels
        assert steps[-1].event == "converged" and steps[-1].errors(X, y) == 0
        assert isinstance(separate(X, (y == 1).astype(int)), Overlap)
        for before, step in pairwise(steps):
            moved = (step.rows != before.rows).any(axis=1).sum()
            assert moved == (2 if step.mistake else 0)
        made.append(steps[-1].mistakes)
    return [made[0]]


test_claims = claims_test(
    "perceptron",
    {
        "Every mistake is one vector": every_mistake_is_one_vector,
        "A cycle": a_cycle,
        "Which line is left?": which_line_is_left,
        "Right is not enough": right_is_not_enough,
        "One update more": one_update_more,
        "Several classes": several_classes,
    },
)


def test_two_classes_may_be_asked_of_the_rule_for_several(session: Session) -> None:
    session.open(PERCEPTRON, variant="several classes")
    assert not session.stage["error"]
    session.open(PERCEPTRON, data="blobs", variant="plain")
    assert "exactly two classes; these data have 3" in session.stage["error"]


@pytest.mark.parametrize("data", ["outlier", "separable", "almost separable", "moons"])
def test_a_smaller_rate_ends_nearer_to_the_least_squared_error(data: str, session: Session) -> None:
    above = []
    for rate in ("0.03", "0.01", "0.003"):
        link = {"variant": "delta rule", "order": "cyclic", "epochs": "200", "delta_rate": rate}
        session.open(PERCEPTRON, data=data, **link)
        assert session.run_shown is not None
        final, X, y = session.run_shown.steps[-1], session.points, session.board.data.labels
        A, signs = np.column_stack([X, np.ones(len(y))]), np.where(y == 1, 1.0, -1.0)
        best = np.linalg.lstsq(A, signs, rcond=None)[0]
        least = np.mean((signs - A @ best) ** 2) / 2
        above.append(final.squared_error(X, y) / least - 1)
        assert rate != "0.03" or final.event == "converged"
    assert above[0] > above[1] > above[2] > 0
    assert above[0] > 0.005 > above[2]


def test_the_delta_rule_goes_on_at_another_rate(session: Session) -> None:
    session.open(PERCEPTRON, variant="delta rule", order="cyclic", fork="5", step="5")
    assert session.value("if.rate") == 0.003  # a tenth
    assert session.run_shown is not None
    rates = [step.learning_rate for step in session.run_shown.steps]
    assert rates[:5] == [0.03] * 5 and set(rates[5:]) == {0.003}
    assert 0.003 in numbers(session.opening["frames"]["5"]["caption"].split("\n")[0])
    execute(as_script(program(session.run_shown, ["what if"])))


def test_zero_weights_have_no_perceptron_loss(session: Session) -> None:
    session.open(PERCEPTRON, data="moons", variant="plain")
    assert session.run_shown is not None
    steps, X, y = session.run_shown.steps, session.points, session.board.data.labels
    assert steps[0].perceptron_loss(X, y) == 0
    assert steps[1].mistake
    assert all(step.perceptron_loss(X, y) > 0 for step in steps[1:50])
