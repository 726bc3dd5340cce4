"""The page of the lab."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.classification.trees.decision_tree import decision_tree
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.classification.experiments import steps_of, text_of
from tests.core.figures import places, unpacked
from tests.house.check_steps import AsInTheApp

(TREE,) = (lab for lab in LABS if lab.name == "decision_tree")


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


@pytest.mark.parametrize("view", ["Grow", "Prune"])
def test_the_picked_point_is_a_query_where_the_link_says(view: str, session: Session) -> None:
    session.open(TREE, view=view, probe="-1.5,0.25")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], handles["view"]) == ("probe", "query", 0)
    assert handles["places"] == [[-1.5, 0.25]]
    assert "The picked point: " in session.captions[-1]


def test_id3_needs_no_points_and_nothing_can_be_dragged(session: Session) -> None:
    session.open(TREE, view="ID3", day="3")
    session.press("Clear")
    sent = session.stage
    assert (sent["error"], sent["handles"], sent["opening"]["total"]) == (None, [], 4)
    assert all("points" not in view["first"] for view in sent["opening"]["views"])
    assert "Day 3: " in session.captions[0]
    session.set("button_group", "view", "Grow")
    assert "There are no points yet" in session.stage["error"]


def test_the_points_that_are_held_out_have_a_dot(session: Session) -> None:
    session.open(TREE, view="Prune", held="40", seed="3")
    lots = np.random.default_rng([3, 1]).random(200) < 0.4
    dots = session.figure()["data"][-1]
    np.testing.assert_allclose(places({"points": dots}), session.points[lots])
    assert f" of {lots.sum()} held-out" in session.captions[0]


def test_a_part_without_points_is_a_sentence(session: Session) -> None:
    session.open(TREE, view="Prune", data="blobs", classes="2", n="2", held="10", seed="0")
    assert session.stage["error"] == "0 of 2 points are held out: both parts need some."


def test_the_rules_can_be_opened_below(session: Session) -> None:
    for view in ("Grow", "Prune", "ID3"):
        session.open(TREE, view=view)
        (rules,) = (part for part in session.app.expander if "as rules" in part.label)
        assert "⇐" in rules.code[0].value


# What the lesson says of its experiments and of the chi-square test


@pytest.fixture
def watched(session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    return session.watch(monkeypatch)


def test_the_last_splits_of_an_overfitted_tree_fence_in_single_points(watched: Session) -> None:
    def sizes(**changes: str) -> np.ndarray:
        final = steps_of(watched, TREE, "Overfitting", **changes)[-1]
        return final.tree.counts[final.tree.leaves].sum(axis=1)

    assert "13 of the 23 splits" in text_of(TREE, "Overfitting")
    found = [sizes(), sizes(alpha="0.05"), sizes(alpha="0.05", corrected="True")]
    assert [len(leaves) - 1 for leaves in found] == [23, 13, 3]
    for sample in ("0", "1", "2", "3"):
        whole, tested = sizes(sample=sample), sizes(sample=sample, alpha="0.05")
        shared = sizes(sample=sample, alpha="0.05", corrected="True")
        assert (whole == 1).sum() >= 4
        assert sizes(sample=sample, leaf="5").min() >= 5
        assert len(shared) < len(tested) < len(whole)


def test_exclusive_or_needs_a_split_that_gains_nothing(watched: Session) -> None:
    steps = steps_of(watched, TREE, "A split that gains nothing")
    assert [round(step.gain, 12) for step in steps] == [0, 0, 1, 1]
    assert [step.event for step in steps] == [None, "no gain", None, "pure"]
    (root,) = steps_of(watched, TREE, "A split that gains nothing", gain="0.01")
    assert (root.fates, root.event) == (("min_gain",), "stopped")


def test_greedy_growing_misses_the_four_boxes_of_exclusive_or(watched: Session) -> None:
    wrong = []
    for sample in range(6):
        steps_of(watched, TREE, "A split that gains nothing", sample=str(sample))
        watched.set("selectbox", "data", "xor")
        assert watched.value("depth") == 5
        assert watched.run_shown is not None
        steps = watched.run_shown.steps
        first = steps[1].tree.counts[1:3].sum(axis=1)
        assert first.min() < 0.15 * first.sum()  # an edge, where half of the points would do
        assert len(steps) - 1 > 3
        wrong.append(steps[-1].tree.errors)
        labels = unpacked(watched.figure()["points"]["group"])
        boxes = (watched.points > 0).all(axis=1) | (watched.points < 0).all(axis=1)
        assert (boxes == labels).mean() < 0.02  # three splits: four boxes, and nearly all right
    assert wrong[0] == 85
    assert "85 of 200 points" in text_of(TREE, "A split that gains nothing")
    assert sum(count > 50 for count in wrong) >= 4


@pytest.mark.parametrize(("alpha", "low", "high"), [(0.05, 0.8, 0.92), (0.01, 0.25, 0.38)])
def test_the_best_of_many_cuts_passes_the_test_on_mere_noise(alpha, low, high) -> None:
    rng, splits, shared = np.random.default_rng(1), 0, 0
    for _ in range(400):
        X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
        how = {"max_depth": 1, "significance": alpha}
        splits += len(list(decision_tree(X, y, **how))) > 1
        shared += len(list(decision_tree(X, y, **how, corrected=True))) > 1
    assert low < splits / 400 < high
    assert shared / 400 <= min(alpha, 0.025)


def test_sharing_the_level_counts_the_cuts_of_the_node() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 2)).round(1)
    y = (X.sum(axis=1) + rng.normal(size=40) > 0).astype(int)
    candidates = next(decision_tree(X, y, min_samples_leaf=3)).candidates
    for cut in candidates:
        values = np.sort(X[:, cut.feature])
        assert cut.tried == (values[3:-2] > values[2:-3]).sum()
    tests, p = sum(cut.tried for cut in candidates), min(cut.p_value for cut in candidates)
    for factor, steps in ((1.01, 2), (0.99, 1)):
        assert tests * p < 0.9
        how = {"significance": factor * tests * p, "max_depth": 1}
        found = list(decision_tree(X, y, min_samples_leaf=3, corrected=True, **how))
        assert len(found) == steps
