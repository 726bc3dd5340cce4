from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.presets import DATASETS, Dataset
from algorithms.regression.paths.cross_validation import CrossValidation, cross_validation
from algorithms.regression.paths.lasso_homotopy import weights_at
from algorithms.regression.paths.on_training import (
    descent_on_training,
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.paths.penalty_account import path_account
from algorithms.regression.paths.regressors import FeatureChoice, Regressors, regressors
from pages._shared.labs import LABS
from tests.app.session import Session, unescaped
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane
from viz.regression.paths.numbers import number

(LAB,) = [lab for lab in LABS if lab.name == "linear_paths"]
TABLE = "a,b,c,d\n" + "\n".join(
    f"{i / 4},{i * i / 8},{i % 3 + 0.5},{2 * i % 5 / 4}" for i in range(12)
)


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp(), pytest.MonkeyPatch.context() as patch:
        yield Session().watch(patch)


def note(session: Session) -> str:
    shown = [unescaped(caption.value) for caption in session.app.main.caption]
    return next(text for text in shown if "points are for training" in text)


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
    assert ("folds" in session.values) == (mode != "coordinate descent")
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
    experiment = experiment_of(LAB, "Overfitting, figure 31")
    shown = steps_of(session, LAB, experiment.title)
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
            assert f"least at the star, {star:.2f}, and {end:.1f} at the end." in experiment.answer
            rng = np.random.default_rng([seed, 2])
            steps = list(ridge_on_training(made))
            assert [s.penalty for s in shown] == [s.penalty for s in steps], "ridge is shown"
            judged = cross_validation(data, choice, made, steps, folds=10, rng=rng)
            assert judged.penalties[judged.best] > 10 * errors.penalties[errors.best]


def test_ridge_shrinks_the_weights_along_every_direction_but_not_each_of_them(
    session: Session,
) -> None:
    session.open(LAB, data="diabetes", mode="ridge")
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


def test_the_folds_are_chosen_and_drawn_from_a_stream_of_their_own(session: Session) -> None:
    session.open(LAB, data="correlated", seed="4")
    data, others = session.state.board.data, (1, 2, 3, 4, 5)
    for folds in (10, 5):
        session.set("button_group", "folds", folds)
        made, steps, judged = run_of(data, FeatureChoice(others), seed=4, folds=folds)
        least = number(float(np.sqrt(judged.mean.min())))
        assert f"in {folds} folds" in session.captions[0]
        assert (
            f"least {least} at λ = {number(judged.penalties[judged.best])} " in session.captions[0]
        )
        assert len(judged.errors) == folds and len(steps) == session.opening["total"]
        assert len(made.training[1]) + len(made.validation[1]) == 100


def run_of(
    data: Dataset, choice: FeatureChoice, *, seed: int = 0, folds: int = 10, share: float = 0.3
) -> tuple[Regressors, list, CrossValidation]:
    """Give what the page makes of a table with the lasso."""
    made = regressors(
        data, choice, share=share, rng=np.random.default_rng([seed, 1]),
        window=plane.bounds(data.X)[:2],
    )  # fmt: skip
    steps = list(lasso_on_training(made))
    rng = np.random.default_rng([seed, 2])
    return made, steps, cross_validation(data, choice, made, steps, folds=folds, rng=rng)


# Experiments


def test_the_path_of_the_lars_paper(session: Session) -> None:
    title = "The path of the LARS paper"
    steps, answer = steps_of(session, LAB, title), experiment_of(LAB, title).answer
    data = session.state.board.data
    names = data.columns[:10]
    entered = [names[s.variable] for s in steps if s.event == "variable enters"]
    assert f"in the order {', '.join(entered[:10])}; then hdl leaves" in answer
    events = [(names[s.variable], s.event) for s in steps]
    assert events[10:12] == [("hdl", "variable leaves"), ("hdl", "variable enters")]
    assert len(events) == 13, "near the end"
    X = data.table[:, [names.index(name) for name in ("tc", "tch", "ldl")]]
    A, hdl = np.column_stack([X, np.ones(len(X))]), data.table[:, names.index("hdl")]
    left = hdl - A @ np.linalg.lstsq(A, hdl)[0]
    said = 100 * (1 - left.var() / hdl.var())
    assert f"tc, tch and ldl together say {said:.2g} % of what it said" in answer


def test_the_true_variables(session: Session) -> None:
    title, preset = "The true variables", DATASETS["correlated"]
    steps, answer = steps_of(session, LAB, title), experiment_of(LAB, title).answer
    exact = {"best": 0, "simplest": 0}
    for sample in range(20):
        rng = np.random.default_rng(sample)
        data = preset.make(preset.n, noise=preset.noise, rng=rng)
        _, path, judged = run_of(data, FeatureChoice((1, 2, 3, 4, 5)))
        for rule in exact:
            penalty = judged.penalties[[getattr(judged, rule)]]
            (w,) = weights_at(path, penalty)
            exact[rule] += np.flatnonzero(w).tolist() == [0, 1, 3]
            if sample == 0 and rule == "simplest":
                assert len(path) == len(steps)
                assert np.flatnonzero(w).tolist() == [0, 2, 3, 4] and abs(w[4]) < 0.02
    assert (
        f"in {exact['simplest']} of the samples 0 to 19, at the ring in {exact['best']}." in answer
    )
    ridge = steps_of(session, LAB, title, mode="ridge")
    (step,) = (step for step in ridge if np.isclose(step.penalty, 10))
    assert "x1, x2 and x3 are {:.2g}, {:.2g} and {:.2g}.".format(*step.weights[:3]) in answer


def test_corners(session: Session) -> None:
    steps, answer = steps_of(session, LAB, "Corners"), experiment_of(LAB, "Corners").answer
    second = [s for s in steps if s.event == "variable enters"][1]
    assert f"until λ = {second.penalty:.3g} the ellipse" in answer
    assert all((s.weights[1] == 0) == (s.penalty >= second.penalty) for s in steps)
    ridge = steps_of(session, LAB, "Corners", mode="ridge")
    assert len(ridge) == 51 and all(step.weights.all() for step in ridge)
    assert "no weight of ridge is 0 at any of its 51 penalties" in answer


def test_down_a_valley(session: Session) -> None:
    title = "Down a valley"
    steps, answer = steps_of(session, LAB, title), experiment_of(LAB, title).answer
    assert f"after {len(steps) - 1} visits" in answer
    assert "0.03 times" in session.captions[0]
    assert steps[-1].event == "stopped at max_iter"
    steps = steps_of(session, LAB, title, feature="x4")
    assert steps[-1].event == "converged" and f"{len(steps) - 1} visits will do" in answer
