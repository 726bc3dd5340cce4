"""The lesson's statements about its runs, and the controls of the page."""

import re
from typing import Any

import numpy as np
import pytest

from algorithms.classification.decision_tree.decision_tree import decision_tree, gain
from algorithms.classification.decision_tree.id3 import id3
from algorithms.classification.decision_tree.missing_values import (
    MISSING,
    id3_with_missing_values,
    removed,
)
from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS
from algorithms.classification.decision_tree.prune import prune
from algorithms.classification.decision_tree.rule_post_pruning import rule_post_pruning
from algorithms.classification.decision_tree.rules import CRITERIA
from algorithms.core.record import last
from algorithms.core.splits import held_out
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

(TREE,) = (lab for lab in LABS if lab.name == "decision_tree")


@pytest.mark.parametrize("view", ["Grow", "Prune", "Rules", "Resample"])
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
        ({"view": "Rules"}, {"seed"}),
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


@pytest.mark.parametrize("view", ["Grow", "Prune", "Rules"])
def test_the_points_that_are_held_out_have_a_dot(view: str, session: Session) -> None:
    session.open(TREE, view=view, n="200", held="40", seed="3")
    lots = np.random.default_rng([3, 1]).random(200) < 0.4
    np.testing.assert_array_equal(unpacked(session.figure()["points"]["held"]), lots)
    assert f" of {lots.sum()} held" in session.captions[0]


def test_pruning_starts_with_the_tree_that_grew_on_the_others(session: Session) -> None:
    session.open(TREE, view="Prune", n="200", noise="0.5", held="30", leaf="2")
    assert session.run_shown is not None
    tree = session.run_shown.steps[0].tree
    lots = np.random.default_rng([0, 1]).random(200) < 0.3
    X, y = session.board.data.X[~lots], session.board.data.labels[~lots]
    grown = last(decision_tree(X, y, max_depth=10, min_samples_leaf=2)).tree
    np.testing.assert_array_equal(tree.threshold, grown.threshold)
    assert [call.func.__name__ for call in session.calls.values()] == ["decision_tree", "prune"]


def test_pruning_opens_on_points_on_which_it_helps(session: Session) -> None:
    session.open(TREE, view="Prune")
    assert session.run_shown is not None
    first, *_, final = session.run_shown.steps
    assert final.errors < 0.6 * first.errors
    assert len(final.tree.leaves) < 0.5 * len(first.tree.leaves)


def test_a_part_without_points_is_a_sentence(session: Session) -> None:
    session.open(TREE, view="Prune", data="blobs", classes="2", n="2", held="10", seed="0")
    assert "no point is held out" in session.stage["error"]


def test_the_rules_can_be_opened_below(session: Session) -> None:
    for view in ("Grow", "Prune", "Rules", "ID3"):
        session.open(TREE, view=view)
        (rules,) = (
            part for part in session.app.expander if re.search("as rules|The rules", part.label)
        )
        assert re.search("⇐|⇒", rules.code[0].value)


def held_out_errors(trial: Trial, steps: Any) -> list[int]:
    """Return the errors on the half that `steps` did not grow on, step by step."""
    held = np.random.default_rng([0, 1]).random(200) < 0.5
    X, y = trial.data.X[held], trial.data.labels[held]
    return [int(np.count_nonzero(step.predict(X) != y)) for step in steps]


def when_to_stop(trial: Trial) -> Numbers:
    steps = trial.steps()
    wrong, tree = held_out_errors(trial, steps), steps[-1].tree
    at, n = int(np.argmin(wrong)), int(tree.counts[0].sum())
    assert (tree.counts[tree.leaves].sum(axis=1) == 1).sum() >= 4, "fence in single points"
    trial.session.set("button_group", "view", "Prune")
    assert trial.session.run_shown is not None
    first, *_, final = trial.session.run_shown.steps
    worse = 0
    for sample in range(20, 40):
        later = held_out_errors(trial, trial.steps(sample=str(sample)))
        worse += later[-1] > min(later)
    return [len(steps) - 1, at, min(wrong), 200 - n, wrong[-1], tree.errors, n, worse, 20,
            len(first.tree.leaves), len(final.tree.leaves), final.errors]  # fmt: skip


def does_a_test_keep_noise_out(trial: Trial) -> Numbers:
    def splits(**changes: str) -> int:
        return len(trial.steps(**changes)) - 1

    for sample in ("0", "1", "2", "3"):
        assert splits(sample=sample, corrected="True") < splits(sample=sample)
        assert splits(sample=sample) < splits(sample=sample, alpha="1")
    root = trial.steps()[0]
    tried = sum(cut.tried for cut in root.candidates)
    # More than 80 %: test_the_best_of_many_cuts_passes_the_test_on_mere_noise
    return [splits(alpha="1"), splits(), tried, 80, splits(corrected="True")]


def a_split_that_gains_nothing(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert [round(step.gain, 12) for step in steps] == [0, 0, 1, 1]
    assert [step.event for step in steps] == [None, "no gain", None, "pure"]
    (root,) = trial.steps(gain="0.01")
    assert (root.fates, root.event) == (("min_gain",), "stopped")
    wrong = []
    for sample in range(6):
        trial.steps(sample=str(sample))
        trial.session.set("selectbox", "data", "xor")
        assert trial.session.run_shown is not None
        steps = trial.session.run_shown.steps
        first = steps[1].tree.counts[1:3].sum(axis=1)
        assert first.min() < 0.15 * first.sum()  # an edge, where half of the points would do
        assert len(steps) - 1 > 3
        wrong.append(steps[-1].tree.errors)
        labels, X = trial.data.labels, trial.session.points
        boxes = (X > 0).all(axis=1) | (X < 0).all(axis=1)
        assert (boxes == labels).mean() < 0.02  # three splits: four boxes, and nearly all right
    assert sum(count > 50 for count in wrong) >= 4
    return [trial.session.value("depth"), wrong[0], len(trial.data.X)]


def a_worse_first_cut(trial: Trial) -> Numbers:
    greedy = trial.steps()
    by_hand = trial.steps(fork="1", **{"if.feature": "0", "if.cut": "0,0"})
    assert abs(by_hand[1].chosen.threshold) < 0.1
    assert len(by_hand) == 4 and by_hand[-1].tree.errors == 0
    for cut in ("-1,0", "1,0"):  # anywhere near the middle
        assert trial.steps(fork="1", **{"if.feature": "0", "if.cut": cut})[-1].tree.errors == 0
    assert trial.session.stage["handles"][-1]["along"] == "x"
    (side,) = {*by_hand[1].chosen.left, *by_hand[1].chosen.right}
    return [greedy[1].gain, greedy[-1].tree.errors, len(trial.data.X), by_hand[1].gain, side]


def alone_and_together(trial: Trial) -> Numbers:
    steps = trial.steps()
    before, after, sorted_ = steps[3], steps[4], steps[-1]
    assert (after.rule, sorted_.order[-1]) == (3, 3)
    held = np.random.default_rng([0, 1]).random(200) < 0.4
    X, y = trial.data.X[held], trial.data.labels[held]
    new = after.rules[3].holds(X) & ~before.rules[3].holds(X)
    other = new & (y != after.rules[3].label)
    assert (before.deciding(X)[other] == 5).all() and (after.deciding(X)[other] == 3).all()
    assert (y[other] == before.rules[5].label).all(), "rule 6 is right about them"
    return [
        after.right[3], after.covered[3], before.right[3], before.covered[3],
        after.estimates[3], other.sum(),
        y[other][0] + 1, 6, sorted_.errors,
        held.sum(), steps[0].errors, steps[0].conditions, sorted_.conditions,
    ]  # fmt: skip


def one_test_twelve_rules(trial: Trial) -> Numbers:
    steps = trial.steps()
    end = steps[-1]
    kept = sum(bool(rule.kept[0]) for rule in end.rules)
    assert {float(rule.threshold[0]) for rule in end.rules} == {steps[0].rules[0].threshold[0]}
    scene = trial.session.scene_shown
    assert scene
    (pruned,) = re.findall(r"pruned tree (\d+)", scene.caption(len(steps) - 1))
    better = worse = 0
    for sample in range(20):
        data, fresh = (dataset("moons", n, noise=0.5, sample=s)
                       for n, s in ((200, sample), (2000, 1000 + sample)))  # fmt: skip
        held = held_out(200, 0.4, rng=np.random.default_rng([0, 1]), codes=data.labels)
        tree = last(decision_tree(data.X[~held], data.labels[~held])).tree
        pruning, ruling = (
            last(f(tree, data.X[held], data.labels[held])) for f in (prune, rule_post_pruning)
        )
        by_tree, by_rules = (
            np.count_nonzero(model.predict(fresh.X) != fresh.labels) for model in (pruning, ruling)
        )
        better, worse = better + (by_rules < by_tree), worse + (by_rules > by_tree)
    return [kept, end.conditions, steps[0].conditions, end.errors, 75, int(pruned), steps[0].errors,
            20, better, worse]  # fmt: skip


def another_sample_another_tree(trial: Trial) -> Numbers:
    first, *others = trial.steps()
    assert first.tree.feature[0] == 0
    another = [step for step in others if step.event]
    roots = [step.tree.test(0) for step in another]
    assert {feature for feature, _ in roots} == {0, 1}
    near = [threshold for feature, threshold in roots if feature == 0]
    assert np.allclose(near, -1, atol=0.15)
    cells = plane.grid(trial.session.board.bounds, 200)[2]
    says = first.predict(cells)
    area = np.mean([np.mean(step.predict(cells) != says) for step in others])
    points = np.mean([step.changed.mean() for step in others])
    threshold = float(first.tree.threshold[0])
    return [threshold, len(another), len(others), -1, 100 * area, 100 * points]


def play_tennis(trial: Trial) -> Numbers:
    root = trial.steps()[0]
    gains = sorted(((q.gain, q.attribute) for q in root.candidates), reverse=True)
    assert [attribute for _, attribute in gains[:2]] == [0, 2]
    overcast = PLAY_TENNIS.values[0].index("Overcast")
    days = PLAY_TENNIS.labels[PLAY_TENNIS.examples[:, 0] == overcast]
    assert {PLAY_TENNIS.classes[label] for label in days} == {"Yes"}
    return [gain for gain, _ in gains[:2]]


def a_dear_answer(trial: Trial) -> Numbers:
    steps = trial.steps()
    costs = (10.0, 1.0, 2.0, 3.0)
    outlook, _, humidity, _ = steps[0].candidates
    assert steps[1].attribute[0] == 2
    plain = last(id3(PLAY_TENNIS))
    now, before = (tree.spent(PLAY_TENNIS.examples, costs) for tree in (steps[-1], plain))
    for tree in (steps[-1], plain):
        assert (tree.predict(PLAY_TENNIS.examples) == PLAY_TENNIS.labels).all()
    return [
        humidity.gain, 2, humidity.score, outlook.gain, 10, outlook.score, now.mean(),
        before.mean(), (now < before).sum(), (now > before).sum(),
        (steps[-1].attribute >= 0).sum(), (plain.attribute >= 0).sum(), len(now),
    ]  # fmt: skip


def a_day_with_gaps(trial: Trial) -> Numbers:
    steps = trial.steps()
    missing = removed(PLAY_TENNIS, 0.1, rng=np.random.default_rng(1))
    examples = np.where(missing, MISSING, PLAY_TENNIS.examples)
    assert np.flatnonzero(missing[9]).tolist() == [0, 3]
    outlook = examples[:, 0][~missing[:, 0]]
    counts = [int((outlook == v).sum()) for v in range(3)]
    w = steps[-1].fractions(examples)[:, 9]
    (wind,) = np.flatnonzero(steps[-1].attribute == 3)
    assert steps[-1].parent[wind] == 0
    P = [step.predict_proba(examples[9:10])[0, 1] for step in (steps[-1], steps[1])]
    rain = steps[-1].children[wind][:2]
    return [len(outlook), *counts, *w[1:4], *w[rain], *P]


def more_and_more_gaps(trial: Trial) -> Numbers:
    assert trial.steps()[-1].attribute[0] == 3

    def over_seeds(share: float) -> tuple[int, float]:
        roots, wrong = 0, 0
        for seed in range(100):
            missing = removed(PLAY_TENNIS, share, rng=np.random.default_rng(seed))
            end = last(id3_with_missing_values(PLAY_TENNIS, missing))
            roots += end.attribute[0] == 0
            wrong += np.count_nonzero(end.predict(PLAY_TENNIS.examples) != PLAY_TENNIS.labels)
        return int(roots), wrong / 100

    (many, often), (few, seldom) = over_seeds(0.4), over_seeds(0.1)
    return [many, 0, 99, 10, few, 14, often, seldom, 10]


test_the_lesson = claims_test(
    "decision_tree",
    {
        "When to stop": when_to_stop,
        "Does a test keep noise out?": does_a_test_keep_noise_out,
        "A split that gains nothing": a_split_that_gains_nothing,
        "A worse first cut": a_worse_first_cut,
        "Alone and together": alone_and_together,
        "One test, twelve rules": one_test_twelve_rules,
        "Another sample, another tree": another_sample_another_tree,
        "Play tennis?": play_tennis,
        "A dear answer": a_dear_answer,
        "A day with gaps": a_day_with_gaps,
        "More and more gaps": more_and_more_gaps,
    },
)


def test_the_error_sees_no_gain_where_both_sides_keep_the_commonest_class() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        left, right = rng.integers(0, 20, size=(2, 3))
        left[0], right[0] = left.max() + 1, right.max() + 1
        gained = {name: float(gain(left, left + right, name)) for name in CRITERIA}
        assert gained["error"] == pytest.approx(0, abs=1e-12)
        assert max(gained["entropy"], gained["gini"]) > 0


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
