"""The page on the perceptron: what its lesson says is what its runs do."""

import re

import numpy as np
import pytest

from pages._shared.labs import LABS
from tests.app.session import Session
from tests.classification.experiments import steps_of, text_of
from tests.core.figures import unpacked

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

    assert "41 of 100 points wrong" in text_of(PERCEPTRON, "Which line is left?")
    assert wrong() == 41
    plain = {wrong(seed=str(seed)) for seed in range(8)}
    assert len(plain) >= 4
    assert min(plain) == 3
    for variant in ("averaged", "pocket"):
        assert {wrong(variant=variant, seed=str(seed)) for seed in range(8)} == {3}


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
