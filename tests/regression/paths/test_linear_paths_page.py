from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from algorithms.regression.paths.on_training import (
    descent_on_training,
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.paths.penalty_account import path_account
from algorithms.regression.paths.regressors import FeatureChoice, regressors
from pages._shared.labs import LABS
from tests.app.session import Session, unescaped
from tests.house.check_steps import AsInTheApp
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "linear_paths"]
SAID = {title: (link, text) for title, link, text in LAB.experiments}
TABLE = "a,b,c,d\n" + "\n".join(
    f"{i / 4},{i * i / 8},{i % 3 + 0.5},{2 * i % 5 / 4}" for i in range(12)
)


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


def note(session: Session) -> str:
    return unescaped(session.app.main.caption[0].value)


@pytest.mark.parametrize("mode", ["ridge", "lasso", "coordinate descent"])
@pytest.mark.parametrize("view", ["paths", "two weights"])
def test_every_method_is_run_on_the_training_points(session: Session, mode: str, view: str) -> None:
    session.open(LAB, data="correlated", mode=mode, view=view, level="0.2", test_share="40")
    data = DATASETS["correlated"].make(
        DATASETS["correlated"].n, noise=DATASETS["correlated"].noise, rng=np.random.default_rng(0)
    )
    others = tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))
    two = view == "two weights"
    made = regressors(
        data, FeatureChoice(others[:1] if two else others), share=0.4,
        rng=np.random.default_rng([0, 1]), window=plane.bounds(data.X)[:2],
    )  # fmt: skip
    steps = {
        "ridge": lambda: ridge_on_training(made),
        "lasso": lambda: lasso_on_training(made, between=7 * two),
        "coordinate descent": lambda: descent_on_training(made, level=0.2, max_iter=30),
    }
    found = list(steps[mode]())
    assert session.opening["total"] == len(found)
    assert session.events == {i: step.event for i, step in enumerate(found) if step.event}
    assert ("0.2 times" in session.captions[0]) == (mode == "coordinate descent")
    assert ("sweeps" in session.values) == (mode == "coordinate descent")
    assert ("feature" in session.values) == two


def test_a_link_of_old_names_the_second_feature(session: Session) -> None:
    session.open(LAB, data="correlated", view="two weights", second="x4")
    assert session.value("feature") == "x4"
    assert session.state.refused == []
    assert session.app.query_params == {
        "data": "correlated", "view": "two weights", "feature": "x4",
    }  # fmt: skip
    assert session.stage["opening"]["views"][2]["title"].startswith("The weights against")


def test_the_knob_of_the_logic_gates_is_not_the_second_feature(session: Session) -> None:
    session.open(LAB, data="gates", second="3", view="two weights")
    session.paste(TABLE)
    assert session.value("feature") == "c"
    assert session.value("second") == 3
    session.set("selectbox", "feature", "d")
    assert session.value("feature") == "d"
    assert not session.stage["error"] and session.state.refused == []


def test_a_single_column_has_a_basis(session: Session) -> None:
    session.open(LAB, data="sine", basis="Fourier", count="4")
    assert "Features of x: 4 cosines and sines" in note(session)
    session.set("button_group", "view", "two weights")
    assert "Features of x: 2 cosines and sines" in note(session)
    assert session.value("basis") == "Fourier" and "count" not in session.values
    session.set("button_group", "view", "paths")
    assert session.value("count") == 4


def test_overfitting(session: Session) -> None:
    link, text = SAID["Overfitting, figure 31"]
    session.open(LAB, **link)
    assert "9 points are for training (circles), 7 held out (squares)." in note(session)
    assert "Features of x: 9 powers" in note(session)
    data, choice = session.state.board.data, FeatureChoice(basis="polynomial", count=9)
    for seed in range(6):
        made = regressors(
            data, choice, share=0.3, rng=np.random.default_rng([seed, 1]),
            window=plane.bounds(data.X)[:2],
        )  # fmt: skip
        errors = path_account(list(ridge_on_training(made)), made).measured
        assert (np.diff(errors.training) < 0).all()
        assert errors.best is not None
        star, end = errors.validation[errors.best], errors.validation[-1]
        assert star < errors.validation[0] and 1.1 * star < end
        if seed == 0:
            assert (len(made.training[1]), len(made.validation[1])) == (9, 7)
            assert f"least at the star, {star:.2f}, and {end:.1f} at the end." in text


def test_ridge_shrinks_the_weights_along_every_direction_but_not_each_of_them(
    session: Session,
) -> None:
    session.open(LAB, data="diabetes", mode="ridge")
    for caption in session.captions:
        assert "shrunk along every direction, no weight is held at 0" in caption
    data = session.state.board.data
    others = tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))
    for seed in range(4):
        made = regressors(
            data, FeatureChoice(others), share=0.3, rng=np.random.default_rng([seed, 1]),
            window=plane.bounds(data.X)[:2],
        )  # fmt: skip
        weights = np.array([step.weights for step in ridge_on_training(made)])
        X = made.training[0]
        _, _, directions = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
        assert (np.diff(np.linalg.norm(weights, axis=1)) > 0).all()
        along = np.abs(weights @ directions.T)
        assert (np.diff(along, axis=0) >= -1e-9 * along.max()).all()
        assert (np.abs(weights).max(axis=0) > 1.05 * np.abs(weights[-1])).any(), "one grows"
        assert (np.sign(weights[:-1]) * np.sign(weights[1:]) < 0).any(), "one crosses 0"
        assert (weights != 0).all(), "none is held there"
