"""The page on the perceptron: what its lesson says is what its runs do."""

import re
from itertools import pairwise

import numpy as np
import pytest

from algorithms.classification.linear.perceptron import delta_rule
from algorithms.classification.linear.perceptron_bound import Overlap, separate
from algorithms.core.record import last
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.experiments import experiment_of, steps_of

PERCEPTRON = next(lab for lab in LABS if lab.name == "perceptron")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def labels(session: Session) -> np.ndarray:
    return unpacked(session.figure()["points"]["group"]).astype(int)


def test_the_plain_line_is_an_accident_and_the_others_are_not(session: Session) -> None:
    def wrong(**changes: str) -> int:
        steps_of(session, PERCEPTRON, "Which line is left?", **changes)
        return int(re.findall(r"(\d+) of 100 points wrong", session.captions[-1])[0])

    assert "41 of 100 points wrong" in experiment_of(PERCEPTRON, "Which line is left?").answer
    assert wrong() == 41
    plain = {wrong(seed=str(seed)) for seed in range(8)}
    assert len(plain) >= 4
    assert min(plain) == 3
    for variant in ("averaged", "pocket"):
        assert {wrong(variant=variant, seed=str(seed)) for seed in range(8)} == {3}


def test_and_takes_18_mistakes_of_51(session: Session) -> None:
    title = "Every mistake is one vector"
    steps = steps_of(session, PERCEPTRON, title)
    end = steps[-1]
    assert (end.event, end.epoch, end.mistakes) == ("converged", 9, 18)
    assert (*end.w, end.bias) == (3, 2, -4)
    assert "18 mistakes in all, of at most 51." in session.captions[-1]
    told = session.captions[-1].split("\n")[1]
    numbers = [f"{float(found):.2f}" for found in re.findall(r"\d+\.\d+", told)]
    assert numbers == ["1.73", "0.24", "1.49", "0.30"]
    answer = experiment_of(PERCEPTRON, title).answer
    assert all(number in answer for number in numbers)


def test_xor_goes_round_in_a_circle_unless_the_order_is_shuffled(session: Session) -> None:
    end = steps_of(session, PERCEPTRON, "A cycle")[-1]
    assert (end.event, end.epoch, end.period) == ("cycle", 3, 1)
    zeros = steps_of(session, PERCEPTRON, "A cycle", init="zeros")[-1]
    assert (zeros.event, zeros.epoch, zeros.period) == ("cycle", 1, 1)
    for seed in range(8):
        shuffled = {"init": "zeros", "order": "shuffled", "seed": str(seed)}
        steps = steps_of(session, PERCEPTRON, "A cycle", **shuffled)
        assert (steps[-1].event, steps[-1].epoch) == ("stopped at max_epochs", 50)
        if seed == 0:
            assert "2 of 4 points wrong" in session.captions[-1]


@pytest.mark.parametrize("sample", ["0", "1", "2", "4"])
def test_the_delta_rule_is_pulled_by_a_point_on_its_right_side(
    sample: str, session: Session
) -> None:
    title = "Right is not enough"
    with_it = steps_of(session, PERCEPTRON, title, sample=sample)[-1]
    X, y = session.points, labels(session)
    far = np.arange(len(X)) == np.argmax(np.linalg.norm(X, axis=1))
    assert with_it.predict(X[far]) == y[far]
    assert with_it.errors(X, y) == 1
    how = {"rng": np.random.default_rng(0), "order": "cyclic", "learning_rate": 0.03}
    without = last(delta_rule(X[~far], y[~far], **how))
    assert without.errors(X[~far], y[~far]) == 0
    w, v = with_it.weights, without.weights
    turned = np.degrees(np.arccos(w @ v / np.linalg.norm(w) / np.linalg.norm(v)))
    assert turned > 20
    if sample == "0":
        assert round(turned) == 36
        assert with_it.event == "converged", "as only a run in cyclic order does"
    fast = steps_of(session, PERCEPTRON, title, sample=sample, delta_rate="1")[-1]
    assert (fast.event, fast.epoch) == ("diverged", 1)


@pytest.mark.parametrize("sample", [str(sample) for sample in range(8)])
def test_a_class_in_the_middle_is_told_from_the_others(sample: str, session: Session) -> None:
    steps = steps_of(session, PERCEPTRON, "Several classes", sample=sample)
    X, y = session.points, labels(session)
    assert steps[-1].event == "converged"
    assert steps[-1].errors(X, y) == 0
    assert isinstance(separate(X, (y == 1).astype(int)), Overlap)
    for before, step in pairwise(steps):
        moved = (step.rows != before.rows).any(axis=1).sum()
        assert moved == (2 if step.mistake else 0)
    if sample == "0":
        assert steps[-1].mistakes == 20


def test_two_classes_may_be_asked_of_the_rule_for_several(session: Session) -> None:
    session.open(PERCEPTRON, variant="several classes")
    assert not session.stage["error"]
    session.open(PERCEPTRON, data="blobs", variant="plain")
    assert session.stage["error"].startswith("This needs exactly two classes; these data have 3")


@pytest.mark.parametrize("data", ["outlier", "separable", "almost separable", "moons"])
def test_a_smaller_rate_ends_nearer_to_the_least_squared_error(data: str, session: Session) -> None:
    above = []
    for rate in ("0.03", "0.01", "0.003"):
        link = {"variant": "delta rule", "order": "cyclic", "epochs": "200", "delta_rate": rate}
        session.open(PERCEPTRON, data=data, **link)
        assert session.run_shown is not None
        final, y = session.run_shown.steps[-1], labels(session)
        A = np.column_stack([session.points, np.ones(len(y))])
        best = np.linalg.lstsq(A, np.where(y == 1, 1.0, -1.0), rcond=None)[0]
        least = np.mean((np.where(y == 1, 1.0, -1.0) - A @ best) ** 2) / 2
        above.append(final.squared_error(session.points, y) / least - 1)
        if rate == "0.03":
            assert final.event == "converged"
            assert "A smaller η ends nearer to the least squared error" in session.captions[-1]
    assert above[0] > above[1] > above[2] > 0
    assert above[0] > 0.005
    assert above[2] < 0.005


def test_zero_weights_have_no_perceptron_loss(session: Session) -> None:
    session.open(PERCEPTRON, data="moons", variant="plain")
    assert session.run_shown is not None
    steps, y = session.run_shown.steps, labels(session)
    assert steps[0].perceptron_loss(session.points, y) == 0
    assert steps[1].mistake
    assert all(step.perceptron_loss(session.points, y) > 0 for step in steps[1:50])


def test_one_update_more_or_less_changes_all_that_come(session: Session) -> None:
    title = "One update more"
    said = experiment_of(PERCEPTRON, title)
    assert steps_of(session, PERCEPTRON, title)[-1].mistakes == 4 and "4 mistakes" in said.question
    more = steps_of(session, PERCEPTRON, title, fork="2")
    assert (more[2].event, more[2].index, more[-1].event) == ("forced", 1, "converged")
    assert "Training errors and loss" in [view["title"] for view in session.opening["views"]]
    less = steps_of(session, PERCEPTRON, title, fork="26")
    assert (less[26].event, less[26].amount, less[-1].event) == ("skipped", 0, "converged")
    assert f"makes {more[-1].mistakes} mistake in all, with one less {less[-1].mistakes}," in (
        said.answer
    )
