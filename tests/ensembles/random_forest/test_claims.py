"""What the random forest lab's lesson says of its experiments, on the runs of their links."""

from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.splits import held_out
from algorithms.ensembles.random_forest import (
    Account,
    RandomForestStep,
    account,
    random_forest,
)
from pages._shared.lab.catalogue import LABS
from pages.ensembles.random_forest import affordable
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.experiments import experiment_of, steps_of

Grown = tuple[list[RandomForestStep], ndarray, ndarray, ndarray]
HOW = {"trees": 30, "tried": 1, "depth": 20}
(FOREST,) = (lab for lab in LABS if lab.name == "random_forest")


@pytest.mark.parametrize(("n", "grown"), [(0, 100), (200, 100), (1500, 100), (5000, 30)])
def test_so_many_trees_that_all_together_take_some_seconds(n: int, grown: int) -> None:
    assert affordable(100, n) == grown
    assert affordable(7, n) == 7


def answer(title: str) -> str:
    return experiment_of(FOREST, title).answer


def run_shown(session: Session) -> Grown:
    """The run that is shown, with its points."""
    assert session.run_shown is not None
    X, y = session.board.data.X, session.board.data.labels
    return list(session.run_shown.steps), X, y, drawn_to_test(y, session.value("held"))


def run_on(name: str, sample: int, *, n: int = 200, share: int = 30, **how: float) -> Grown:
    """A run as the page makes it, on another sample."""
    data = dataset(name, n, sample=sample, noise=how.pop("noise"))
    X, y = data.X, data.labels
    held = drawn_to_test(y, share)
    trees, tried, depth = (int(how.pop(k, v)) for k, v in HOW.items())
    steps = list(
        random_forest(
            X[~held], y[~held], n_trees=trees, max_features=tried, max_depth=depth,
            rng=np.random.default_rng([0, 2]),
        )
    )  # fmt: skip
    return steps, X, y, held


def drawn_to_test(y: ndarray, share: int) -> ndarray:
    return held_out(len(y), share / 100, rng=np.random.default_rng([0, 1]), codes=y)


def shown(session: Session) -> Account:
    return account(*run_shown(session))


def on(name: str, sample: int, **how: Any) -> Account:
    return account(*run_on(name, sample, **how))


def ends(found: Account) -> tuple[float, float]:
    """A tree's held-out error on average, and that of the vote of all, in percent."""
    assert found.tree_error is not None and found.held_out_error is not None
    return 100 * float(found.tree_error.mean()), 100 * float(found.held_out_error[-1])


def told(session: Session, tree: str, vote: str) -> None:
    """Check that the last caption gives these errors, as the answer does."""
    text = f"a tree on average {tree} % wrong, the vote {vote} %"
    assert text in session.captions[-1]


def unlike(found: Account) -> float:
    return float(found.disagreement(len(found.says) - 1).mean())


def test_the_lab_opens_on_a_forest(session: Session) -> None:
    session.open(FOREST)
    assert not session.errors
    assert len(session.events) == 1
    tree, vote = ends(shown(session))
    told(session, f"{tree:.3g}", f"{vote:.3g}")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"]) == ("query", "query")


def test_half_blind_trees(session: Session) -> None:
    title = "Half-blind trees"
    steps_of(session, FOREST, title)
    one = ends(shown(session))
    told(session, "14.5", "11.6")
    steps_of(session, FOREST, title, tried="2")
    both = ends(shown(session))
    told(session, "13.5", "12.5")
    assert f"{one[0]:.1f} % wrong on average instead of {both[0]:.1f} %" in answer(title)
    assert f"{one[1]:.1f} % instead of {both[1]:.1f} %" in answer(title)
    some = [on("moons", s, n=400, noise=0.5) for s in range(12)]
    all_ = [on("moons", s, n=400, noise=0.5, tried=2) for s in range(12)]
    blind, seeing = (np.array([ends(found) for found in part]) for part in (some, all_))
    assert blind[:, 0].mean() > seeing[:, 0].mean() + 0.3
    assert abs(blind[:, 1].mean() - seeing[:, 1].mean()) < 0.7, "about as good either way"
    assert np.mean([unlike(a) > unlike(b) for a, b in zip(some, all_, strict=True)]) > 0.8
    for part in (blind, seeing):
        assert (part[:, 1] < part[:, 0]).all()
        assert part[:, 1].mean() < 0.85 * part[:, 0].mean(), "clearly better than its trees"


def test_an_error_for_nothing(session: Session) -> None:
    title = "An error for nothing"
    steps = steps_of(session, FOREST, title)
    _, vote = ends(shown(session))
    assert steps[-1].out_of_bag_error is not None
    out = 100 * steps[-1].out_of_bag_error
    assert f"At the end it is {out:.2f} %, the held-out error {vote:.2f} %" in answer(title)
    apart, early = [], []
    for sample in range(8):
        found = on("moons", sample, n=1000, share=50, noise=0.5)
        apart.append(100 * found.out_of_bag_error[-1] - ends(found)[1])
        early.append(found.out_of_bag_error[:3].mean() > found.out_of_bag_error[-1])
    assert np.mean(np.abs(apart) <= 3) >= 0.75
    assert abs(np.mean(apart)) < 1.5
    assert all(early)


def test_one_question_each(session: Session) -> None:
    title, said = "One question each", answer("One question each")
    steps_of(session, FOREST, title)
    tree, vote = ends(shown(session))
    assert f"{vote:.1f} % of the held-out points are wrong" in said
    assert f"alone gets {tree:.1f} % wrong" in said
    session.set("slider", "depth", 20)
    assert f"trees leave {ends(shown(session))[1]:.2f} %" in said
    session.set("slider", "depth", 1)
    session.set("selectbox", "data", "xor")
    session.set("slider", "noise", 0.3)
    assert ends(shown(session))[1] > 45
    rings = np.array([ends(on("circles", s, noise=0.15, trees=50, depth=1)) for s in range(10)])
    assert (rings[:, 0] > 25).all() and (rings[:, 1] < rings[:, 0]).all()
    assert rings[:, 1].mean() < 0.6 * rings[:, 0].mean()
    exclusive = [ends(on("xor", s, noise=0.3, trees=50, depth=1))[1] for s in range(10)]
    assert min(exclusive) > 35 and np.mean(exclusive) > 45


def test_the_mean_of_stumps_is_a_curve_along_x_plus_one_along_y() -> None:
    data = dataset("circles", 200, noise=0.15)
    rng = np.random.default_rng(1)
    *_, model = random_forest(data.X, data.labels, n_trees=50, max_depth=1, rng=rng)

    def P(x: float, y: float) -> float:
        return model.predict_proba(np.array([[x, y]]))[0, 1]

    for a, b, c, d in rng.normal(size=(20, 4)):
        assert P(a, b) + P(c, d) == pytest.approx(P(a, d) + P(c, b))


def test_too_many_trees(session: Session) -> None:
    title = "Too many trees?"
    steps_of(session, FOREST, title)
    held = shown(session).held_out_error
    assert held is not None
    n = int(run_shown(session)[3].sum())
    wrong = [round(float(held[t]) * n) for t in (9, -1)]
    said = f"{wrong[0]} of the {n} held-out points are wrong after 10 trees, {wrong[1]} after 100"
    assert said in answer(title)
    changes = []
    for sample in range(20, 40):
        errors = on("moons", sample, n=400, share=50, noise=0.7, trees=100).held_out_error
        assert errors is not None
        changes.append(errors[-1] - errors[9])
    assert f"on {np.sum(np.array(changes) <= 0)} of them the error is no higher" in answer(title)
    assert abs(np.mean(changes)) < 0.01, "by little"


def shared_mistakes(steps: list[RandomForestStep], X: ndarray, y: ndarray, held: ndarray) -> float:
    """The chance that a held-out point that one tree gets wrong is wrong by another, too."""
    wrong = np.sum([step.tree.predict(X[held]) != y[held] for step in steps], axis=0)
    return float((wrong * (wrong - 1)).sum() / ((len(steps) - 1) * wrong.sum()))


def test_a_steady_learner(session: Session) -> None:
    title, said = "A steady learner", answer("A steady learner")
    steps_of(session, FOREST, title)
    tree, vote = ends(shown(session))
    assert f"a stump gets {tree:.1f} % wrong on average, the vote {vote:.1f} %" in said
    roots = [step.tree.feature[0] for step in run_shown(session)[0]]
    assert np.mean(roots) > 0.9, "nearly all cut across y"
    assert shared_mistakes(*run_shown(session)) == pytest.approx(0.75, abs=0.05)
    runs = [run_on("moons", s, n=500, noise=0.3, tried=2, depth=1) for s in range(20, 40)]
    pairs = np.array([ends(account(*run)) for run in runs])
    better, (alone, together) = int((pairs[:, 1] < pairs[:, 0]).sum()), pairs.mean(axis=0)
    assert f"On {better} of {len(pairs)} other samples the vote is better" in said
    assert f"only {together:.1f} % instead of {alone:.1f} %" in said
    session.set("slider", "depth", 20)
    tree, vote = ends(shown(session))
    assert f"{tree:.2f} % on average, their vote {vote:.2f} %" in said
    assert shared_mistakes(*run_shown(session)) == pytest.approx(0.5, abs=0.05)
    errors, shared = [], []
    for depth in (1, 20):
        runs = [run_on("moons", s, n=500, noise=0.3, tried=2, depth=depth) for s in range(10)]
        errors.append(np.mean([ends(account(*run)) for run in runs], axis=0))
        shared.append(np.mean([shared_mistakes(*run) for run in runs]))
    stumps, deep = errors
    assert abs(stumps[1] - stumps[0]) < 0.05 * stumps[0]
    assert deep[1] < 0.75 * deep[0]
    assert shared[0] > 0.7 and shared[1] < 0.6
