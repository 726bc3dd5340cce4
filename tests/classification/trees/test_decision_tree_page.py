"""The page of the lab."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from algorithms.classification.trees.decision_tree import decision_tree
from algorithms.classification.trees.id3 import PLAY_TENNIS
from algorithms.classification.trees.split import impurity
from algorithms.core.record import last
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import places, unpacked
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(TREE,) = (lab for lab in LABS if lab.name == "decision_tree")


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


@pytest.fixture
def watched(session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    return session.watch(monkeypatch)


@pytest.mark.parametrize("view", ["Grow", "Prune", "Resample"])
@pytest.mark.parametrize("name", ["query", "probe"])
def test_the_picked_point_is_a_query_where_the_link_says(
    view: str, name: str, session: Session
) -> None:
    session.open(TREE, view=view, **{name: "-1.5,0.25"})  # it was called probe in links of old
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], handles["view"]) == ("query", "query", 0)
    assert handles["places"] == [[-1.5, 0.25]]
    assert "The picked point: " in session.captions[-1]


def test_a_seed_is_asked_for_where_something_is_drawn_and_sharing_where_there_is_a_test(
    session: Session,
) -> None:
    for link, names in (
        ({}, set()),
        ({"held": "20"}, {"seed"}),
        ({"alpha": "0.05"}, {"corrected"}),
        ({"view": "Prune"}, {"seed"}),
        ({"view": "Resample"}, {"seed"}),
    ):
        session.open(TREE, **({"leaf": "1"} | link))
        assert set(session.values) & {"seed", "corrected"} == names


def test_id3_needs_no_points_and_nothing_can_be_dragged(session: Session) -> None:
    session.open(TREE, view="ID3", day="3")
    session.press("Clear")
    sent = session.stage
    assert (sent["error"], sent["handles"], sent["opening"]["total"]) == (None, [], 4)
    assert all("points" not in view["first"] for view in sent["opening"]["views"])
    assert "Day 3: " in session.captions[0]
    session.set("button_group", "view", "Grow")
    assert "There are no points yet" in session.stage["error"]


@pytest.mark.parametrize("view", ["Grow", "Prune"])
def test_the_points_that_are_held_out_have_a_dot(view: str, session: Session) -> None:
    session.open(TREE, view=view, held="40", seed="3")
    lots = np.random.default_rng([3, 1]).random(200) < 0.4
    dots = session.figure()["data"][-1]
    np.testing.assert_allclose(places({"points": dots}), session.points[lots])
    assert f" of {lots.sum()} held" in session.captions[0]


def test_pruning_starts_with_the_tree_that_grew_on_the_others(watched: Session) -> None:
    watched.open(TREE, view="Prune", noise="0.5", leaf="2")
    assert watched.run_shown is not None
    tree = watched.run_shown.steps[0].tree
    lots = np.random.default_rng([0, 1]).random(200) < 0.3
    X, y = watched.state.board.data.X[~lots], watched.state.board.data.labels[~lots]
    grown = last(decision_tree(X, y, max_depth=10, min_samples_leaf=2)).tree
    np.testing.assert_array_equal(tree.threshold, grown.threshold)
    assert [call.func.__name__ for call in watched.calls.values()] == ["decision_tree", "prune"]


def test_a_part_without_points_is_a_sentence(session: Session) -> None:
    session.open(TREE, view="Prune", data="blobs", classes="2", n="2", held="10", seed="0")
    assert "no point is held out" in session.stage["error"]


def test_the_rules_can_be_opened_below(session: Session) -> None:
    for view in ("Grow", "Prune", "ID3"):
        session.open(TREE, view=view)
        (rules,) = (part for part in session.app.expander if "as rules" in part.label)
        assert "⇐" in rules.code[0].value


# What the lesson says of its experiments and of the chi-square test


def test_a_smaller_tree_does_better_on_held_out_points(watched: Session) -> None:
    title = "When to stop"

    def curve(steps: Any) -> list[int]:
        data = watched.state.board.data
        held = np.random.default_rng([0, 1]).random(200) < 0.5
        X, y = data.X[held], data.labels[held]
        return [int(np.count_nonzero(step.predict(X) != y)) for step in steps]

    steps = steps_of(watched, TREE, title)
    wrong, answer = curve(steps), experiment_of(TREE, title).answer
    at, tree = int(np.argmin(wrong)), steps[-1].tree
    n = int(tree.counts[0].sum())
    assert f"the {len(steps) - 1} splits" in experiment_of(TREE, title).question
    assert f"After {at}: {min(wrong)} of the {200 - n} held-out points" in answer
    assert f"At the end it is {wrong[-1]}, though only {tree.errors} of the {n} training" in answer
    assert (tree.counts[tree.leaves].sum(axis=1) == 1).sum() >= 4, "fence in single points"
    watched.set("button_group", "view", "Prune")
    assert watched.run_shown is not None
    first, *_, final = watched.run_shown.steps
    said = f"from {len(first.tree.leaves)} leaves to {len(final.tree.leaves)}, with {final.errors}"
    assert said in answer
    worse = [wrong[-1] > min(wrong)]
    for sample in range(1, 10):
        wrong = curve(steps_of(watched, TREE, title, sample=str(sample)))
        worse.append(wrong[-1] > min(wrong))
    assert np.mean(worse) > 0.6, "on most samples"


def test_a_chi_square_test_keeps_little_noise_out(watched: Session) -> None:
    title = "Does a test keep noise out?"

    def splits(**changes: str) -> int:
        return len(steps_of(watched, TREE, title, **changes)) - 1

    found = [splits(alpha="1"), splits(), splits(corrected="True")]
    assert found == [23, 13, 3]
    experiment = experiment_of(TREE, title)
    assert "23 splits" in experiment.question
    assert "13 are left" in experiment.answer and "3 splits are left" in experiment.answer
    root = steps_of(watched, TREE, title)[0]
    assert sum(cut.tried for cut in root.candidates) == 398
    for sample in ("0", "1", "2", "3"):
        assert splits(sample=sample, corrected="True") < splits(sample=sample)
        assert splits(sample=sample) < splits(sample=sample, alpha="1")


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
    assert "85 of 200 points" in experiment_of(TREE, "A split that gains nothing").answer
    assert sum(count > 50 for count in wrong) >= 4


def test_another_sample_is_another_tree(watched: Session) -> None:
    title = "Another sample, another tree"
    first, *others = steps_of(watched, TREE, title)
    experiment = experiment_of(TREE, title)
    assert f"x \\le {first.tree.threshold[0]:.2f}" in experiment.question
    assert first.tree.feature[0] == 0
    another = [step for step in others if step.event]
    assert f"In {len(another)} of {len(others)}" in experiment.answer
    roots = [(step.tree.feature[0], step.tree.threshold[0]) for step in another]
    assert {feature for feature, _ in roots} == {0, 1}
    assert all(abs(threshold + 1) < 0.15 for feature, threshold in roots if feature == 0)
    cells = plane.grid(watched.state.board.bounds, 200)[2]
    says = first.predict(cells)
    area = np.mean([np.mean(step.predict(cells) != says) for step in others])
    points = np.mean([step.changed.mean() for step in others])
    assert f"On average {100 * area:.1f} % of the plane" in experiment.answer
    assert f"only {100 * points:.1f} % of the points" in experiment.answer


def test_the_outlook_comes_first(watched: Session) -> None:
    root = steps_of(watched, TREE, "Play tennis?")[0]
    gains = sorted(((q.gain, q.attribute) for q in root.candidates), reverse=True)
    assert [attribute for _, attribute in gains[:2]] == [0, 2]
    said = f"it gains {gains[0][0]:.3f} bits, the humidity {gains[1][0]:.3f}"
    assert said in experiment_of(TREE, "Play tennis?").answer
    overcast = PLAY_TENNIS.values[0].index("Overcast")
    days = PLAY_TENNIS.labels[PLAY_TENNIS.examples[:, 0] == overcast]
    assert {PLAY_TENNIS.classes[label] for label in days} == {"Yes"}


def test_the_error_sees_no_gain_where_both_sides_keep_the_commonest_class() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        left, right = rng.integers(0, 20, size=(2, 3))
        left[0], right[0] = left.max() + 1, right.max() + 1
        share = left.sum() / (left + right).sum()
        parts = share * impurity(left, "error") + (1 - share) * impurity(right, "error")
        assert parts == pytest.approx(impurity(left + right, "error"))
        entropy = share * impurity(left, "entropy") + (1 - share) * impurity(right, "entropy")
        assert entropy <= impurity(left + right, "entropy") + 1e-12


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


def test_a_worse_first_cut_ends_in_the_better_tree(watched: Session) -> None:
    title = "A worse first cut"
    said = experiment_of(TREE, title)
    greedy = steps_of(watched, TREE, title)
    assert f"gains {greedy[1].gain:.3f}" in said.question
    assert f"{greedy[-1].tree.errors} of 200 points are wrong" in said.question
    middle = {"fork": "1", "if.feature": "0", "if.cut": "0,0"}
    by_hand = steps_of(watched, TREE, title, **middle)
    assert abs(by_hand[1].by_hand.threshold) < 0.1
    assert f"only {by_hand[1].gain:.2g}" in said.answer
    assert len(by_hand) == 4 and by_hand[-1].tree.errors == 0
    steps_of(watched, TREE, title, fork="1", **{"if.feature": "0"})
    assert watched.stage["handles"][-1]["along"] == "x"
    data = watched.state.board.data
    for cut in (-1.0, 1.0):  # anywhere near the middle
        found = last(decision_tree(data.X, data.labels, instead=(1, (0, cut))))
        assert found.tree.errors == 0
