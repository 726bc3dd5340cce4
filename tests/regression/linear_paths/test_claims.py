"""The lesson's statements about its experiments, and the controls of its page."""

import numpy as np
import pytest

from algorithms.data.presets import DATASETS, Dataset
from algorithms.regression.linear_paths.cross_validation import CrossValidation, cross_validation
from algorithms.regression.linear_paths.fit_training_part import (
    descent_on_training,
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.linear_paths.lasso_path import weights_at
from algorithms.regression.linear_paths.path_summary import path_summary
from algorithms.regression.linear_paths.prepared_table import (
    FeatureChoice,
    PreparedTable,
    prepared_table,
)
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session, unescaped
from tests.core.samples import dataset, rng
from tests.house.claims import Numbers, Trial, claims_test
from tests.house.experiments import experiment_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "linear_paths"]
TABLE = "a,b,c,d\n" + "\n".join(
    f"{i / 4},{i * i / 8},{i % 3 + 0.5},{2 * i % 5 / 4}" for i in range(12)
)


def note(session: Session) -> str:
    shown = [unescaped(caption.value) for caption in session.app.main.caption]
    return next(text for text in shown if "points are for training" in text)


@pytest.mark.parametrize("mode", ["ridge", "lasso", "coordinate descent"])
@pytest.mark.parametrize("view", ["paths", "two weights"])
def test_every_method_is_run_on_the_training_points(session: Session, mode: str, view: str) -> None:
    session.open(LAB, data="correlated", mode=mode, view=view, level="0.2", test_share="40")
    data = dataset("correlated", DATASETS["correlated"].n)
    others = tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))
    two = view == "two weights"
    made = prepared_table(
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
    assert session.stage["opening"]["views"][1]["title"].startswith("The weights against")


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


def test_ridge_shrinks_the_weights_along_every_direction_but_not_each_of_them(
    session: Session,
) -> None:
    session.open(LAB, data="diabetes", mode="ridge")
    data = session.board.data
    others = tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))
    for seed in range(4):
        made = made_of(data, FeatureChoice(others), seed=seed)
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
    data = session.board.data
    for folds in (10, 5):
        session.set("button_group", "folds", folds)
        made, steps, judged = run_of(data, ALL, seed=4, folds=folds)
        assert f"in {folds} folds" in session.captions[0]
        assert len(judged.errors) == folds and len(steps) == session.opening["total"]
        assert len(made.training[1]) + len(made.validation[1]) == 100


ALL = FeatureChoice((1, 2, 3, 4, 5))


def made_of(data: Dataset, choice: FeatureChoice, *, seed: int = 0) -> PreparedTable:
    """Return the features as the page makes them."""
    window = plane.bounds(data.X)[:2]
    return prepared_table(data, choice, share=0.3, rng=rng([seed, 1]), window=window)


def run_of(
    data: Dataset, choice: FeatureChoice, *, seed: int = 0, folds: int = 10
) -> tuple[PreparedTable, list, CrossValidation]:
    """Return the page's lasso run on a table."""
    made = made_of(data, choice, seed=seed)
    steps = list(lasso_on_training(made))
    return made, steps, cross_validation(data, choice, made, steps, folds=folds, rng=rng([seed, 2]))


def the_path_of_the_lars_paper(trial: Trial) -> Numbers:
    steps = trial.steps()
    names = trial.data.columns[:10]
    events = [(names[step.variable], step.event) for step in steps]
    answer = experiment_of(LAB, trial.title).answer
    assert ", ".join(name for name, _ in events[:10]) in answer
    assert all(event == "variable enters" for _, event in events[:10])
    assert events[10:12] == [("HDL", "variable leaves"), ("HDL", "variable enters")]
    assert len(events) == 13, "near the end"
    X = trial.data.table[:, [names.index(name) for name in ("chol", "chol/HDL", "LDL")]]
    A, hdl = np.column_stack([X, np.ones(len(X))]), trial.data.table[:, names.index("HDL")]
    left = hdl - A @ np.linalg.lstsq(A, hdl)[0]
    return [100 * (1 - left.var() / hdl.var())]


def the_true_variables(trial: Trial) -> Numbers:
    steps = trial.steps()
    exact, samples, used = {"simplest": 0, "best": 0}, range(20), []
    for sample in samples:
        _, path, judged = run_of(dataset("correlated", sample=sample), ALL)
        for rule in exact:
            (w,) = weights_at(path, judged.penalties[[getattr(judged, rule)]])
            exact[rule] += np.flatnonzero(w).tolist() == [0, 1, 3]
            if sample == 0 and rule == "simplest":
                assert len(path) == len(steps)
                used = (np.flatnonzero(w) + 1).tolist()
                assert abs(w[4]) < 0.02, "a little of x5"
    (step,) = (step for step in trial.steps(mode="ridge") if np.isclose(step.penalty, 10))
    alike = np.corrcoef(trial.data.table[:, [0, *ALL.others]].T)
    assert (alike[2, :2] > 0.9).all(), "x3 is nearly x1 and x2"
    counts = [exact["simplest"], samples, exact["best"]]
    return [*used, 3, *counts, step.penalty, 3, *step.weights[:3]]


def overfitting(trial: Trial) -> Numbers:
    shown, data = trial.steps(), trial.data
    choice, found = FeatureChoice(basis="polynomial", count=9), []
    for seed in range(6):
        made = made_of(data, choice, seed=seed)
        errors = path_summary(list(ridge_on_training(made)), made).measured
        assert (np.diff(errors.training) < 0).all()
        assert errors.best is not None
        star, end = errors.validation[errors.best], errors.validation[-1]
        assert star < errors.validation[0] and 1.1 * star < end
        if seed == 0:
            assert (len(made.training[1]), len(made.validation[1])) == (9, 7)
            found = [star, end]
            steps = list(ridge_on_training(made))
            assert [s.penalty for s in shown] == [s.penalty for s in steps], "ridge is shown"
            judged = cross_validation(data, choice, made, steps, folds=10, rng=rng([seed, 2]))
            assert judged.penalties[judged.best] > 10 * errors.penalties[errors.best]
    return found


def corners(trial: Trial) -> Numbers:
    steps = trial.steps()
    second = [step for step in steps if step.event == "variable enters"][1]
    assert all((s.weights[1] == 0) == (s.penalty >= second.penalty) for s in steps)
    ridge = trial.steps(mode="ridge")
    assert all(step.weights.all() for step in ridge)
    return [second.penalty, 0, 0, len(ridge)]


def down_a_valley(trial: Trial) -> Numbers:
    steps, other = trial.steps(), trial.steps(feature="x4")
    assert steps[-1].event == "stopped at max_iter" and other[-1].event == "converged"
    X = trial.data.table
    assert np.corrcoef(X[:, 0], X[:, trial.data.columns.index("x2")])[0, 1] > 0.9
    return [1, 2, len(steps) - 1, len(other) - 1]


test_the_answers = claims_test(
    "linear_paths",
    {
        "The path of the LARS paper": the_path_of_the_lars_paper,
        "The true variables": the_true_variables,
        "Overfitting, figure 31": overfitting,
        "Corners": corners,
        "Down a valley": down_a_valley,
    },
)
