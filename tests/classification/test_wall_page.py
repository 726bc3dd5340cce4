"""The page of the wall: what its lesson says is what its runs do."""

from typing import Any

import numpy as np
import pytest

from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.classification.wall import wall
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from tests.app.session import Session, unescaped
from tests.classification.experiments import steps_of

WALL = next(lab for lab in LABS if lab.name == "wall")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def named(steps: Any, name: str) -> Any:
    return next(step for step in steps if step.classifier.name == name)


def notes(session: Session) -> str:
    return unescaped(" ".join(caption.value for caption in session.app.caption))


@pytest.mark.parametrize("sample", ["0", "1", "2", "3", "4"])
def test_a_slanted_border_costs_the_tree_many_steps(sample: str, session: Session) -> None:
    steps = steps_of(session, WALL, "Steps against a slope", sample=sample)
    tree, line = named(steps, "Decision tree"), named(steps, "Linear SVM")
    splits = len(tree.model.model.tree.inner)
    assert splits >= 7
    assert line.test[0] == 0 < tree.test[0]
    assert (line.parameters, tree.parameters) == (3, 3 * splits + 1)
    if sample == "0":
        assert (splits, tree.parameters) == (9, 28)


def test_one_neighbour_errs_only_where_classes_share_a_place() -> None:
    (one,) = (c for c in CLASSIFIERS if c.name == "1-NN")
    X, y = np.repeat([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]], 2, axis=0), np.array([0, 1] * 3)
    for places, errors in ((X, 3), (X + np.arange(6)[:, None] / 100, 0)):
        (step,) = wall(places, y, rng=np.random.default_rng(0), test_share=0.0, classifiers=[one])
        assert step.train == (errors, 6)


def test_the_best_of_fifteen_is_optimistic(session: Session) -> None:
    seen, true = [], []
    make = DATASETS["moons"].make
    for seed in range(40):
        data = make(200, noise=0.3, rng=np.random.default_rng(seed))
        new = make(2000, noise=0.3, rng=np.random.default_rng(1000 + seed))
        steps = wall(data.X, data.labels, rng=np.random.default_rng([seed, 1]))
        best = min(steps, key=lambda step: step.test[0])
        seen.append(best.test[0] / best.test[1])
        true.append(np.mean(best.predict(new.X) != new.labels))
    difference = np.subtract(true, seen)
    assert difference.mean() > 2 * difference.std() / np.sqrt(len(difference))
    session.open(WALL)
    captions = notes(session)
    assert "The lowest of 15 errors on held-out points is optimistic" in captions
    session.open(WALL, test_share="0")
    assert "optimistic" not in notes(session)


def test_a_linear_machine_that_stopped_says_so() -> None:
    (line,) = (c for c in CLASSIFIERS if c.name == "Linear SVM")
    for name, n, noise, stopped in (("spirals", 1000, 0.1, True), ("blobs", 90, 0.5, False)):
        data = DATASETS[name].make(n, noise=noise, rng=np.random.default_rng(0))
        rng = np.random.default_rng([0, 1])
        (step,) = wall(data.X, data.labels, rng=rng, test_share=0.0, classifiers=[line])
        assert (step.model.event == "a machine stopped at max_iter") == stopped
