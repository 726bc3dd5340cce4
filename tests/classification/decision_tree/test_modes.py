import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray

from algorithms.classification.decision_tree.criterion import Criterion
from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.decision_tree.id3 import id3
from algorithms.classification.decision_tree.missing_values import (
    id3_with_missing_values,
    removed,
)
from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS
from algorithms.classification.decision_tree.prune import prune
from algorithms.classification.decision_tree.rule_post_pruning import rule_post_pruning
from algorithms.classification.decision_tree.rules import Rules
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.record import last
from algorithms.core.splits import held_out
from tests.core.figures import answer, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import value
from viz.classification.decision_tree import marks, tree_diagram
from viz.classification.decision_tree.decision_tree import Growing
from viz.classification.decision_tree.id3 import Asking
from viz.classification.decision_tree.missing_values import Fractions
from viz.classification.decision_tree.prune import Pruning
from viz.classification.decision_tree.rule_list import LINES
from viz.classification.decision_tree.rule_post_pruning import RulePruning
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import number

NUMBER = r"(-?\d+\.?\d*)"


def board(name: str = "moons", n: int = 120, noise: float = 0.4) -> Plane:
    return board_of(dataset(name, n, noise=noise))


def growing(data: Plane, share: float = 0.0, **how) -> tuple[tuple, Scene]:
    held = held_out(len(data.X), share, rng=np.random.default_rng(1), codes=data.labels)
    run = Run("", tuple(decision_tree(data.X[~held], data.labels[~held], **how)))
    return run.steps, Growing(run, data, data.X.mean(axis=0), held, Rules(**how)).scene()


def pruning(data: Plane, seed: int = 1) -> tuple[tuple, ndarray, Scene]:
    held = held_out(len(data.X), 0.4, rng=np.random.default_rng(seed))
    grown = Run("", tuple(decision_tree(data.X[~held], data.labels[~held], max_depth=10)))
    run = Run("", tuple(prune(grown.steps[-1].tree, data.X[held], data.labels[held])))
    return run.steps, held, Pruning(run, data, data.X.mean(axis=0), held, grown).scene()


def ruling(data: Plane, depth: int = 5) -> tuple[tuple, ndarray, Scene]:
    held = held_out(len(data.X), 0.4, rng=np.random.default_rng(1))
    X, y = data.X[held], data.labels[held]
    tree = last(decision_tree(data.X[~held], data.labels[~held], max_depth=depth)).tree
    run = Run("", tuple(rule_post_pruning(tree, X, y)))
    pruned = Run("", tuple(prune(tree, X, y)))
    return run.steps, held, RulePruning(run, data, data.X.mean(axis=0), held, pruned).scene()


def rules(scene: Scene) -> str:
    ((_, text),) = scene.details
    return text


def few(name: str) -> Plane:
    X, y = {
        "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 1])),
        "one place": (np.zeros((4, 2)), np.array([0, 1, 1, 1])),
        "gaps in the labels": (np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 1.0]]), np.array([0, 2, 0])),
        "eight classes": (np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 8),
    }[name]
    return Plane(X, y, tuple("abcdefgh"), ("x", "y"), plane.bounds(X))


@pytest.mark.parametrize(("ratio", "score"), [(False, "gain"), (True, "gain ratio")])
def test_id3_says_what_it_compares(ratio: bool, score: str) -> None:
    steps = tuple(id3(PLAY_TENNIS, criterion="gain ratio" if ratio else "gain"))
    how = Criterion("gain ratio" if ratio else "gain")
    scene = Asking(Run("", steps), PLAY_TENNIS, 2, how).scene()
    questions = steps[0].candidates
    named = [f"{PLAY_TENNIS.attributes[q.attribute]} {q.score:.4f}" for q in questions]
    assert not any("-0.0" in scene.caption(i) for i in range(len(steps))), "no negative zeros"
    start, first = (scene.caption(i).split("\n")[:2] for i in (0, 1))
    assert f"{score.capitalize()}s: " in start[1] and all(text in start[1] for text in named)
    best = max(questions, key=lambda q: q.score)
    asked = f"ask about {PLAY_TENNIS.attributes[best.attribute]}, the largest {score}."
    assert first[0].endswith(asked)
    assert (f", ratio {best.score:.4f}; " in first[1]) == ratio
    for text, question in zip(named, questions, strict=True):
        assert question is best or text in first[1]


@pytest.mark.parametrize("name", ["Tan-Schlimmer", "Nunez"])
def test_id3_says_what_a_day_costs(name: str) -> None:
    costs = (10.0, 1.0, 2.0, 3.0)
    steps = tuple(id3(PLAY_TENNIS, criterion=name, costs=costs, w=0.5))
    plain = tuple(id3(PLAY_TENNIS))
    how = Criterion(name, costs, 0.5)
    for day in (1, 7):
        scene = Asking(Run("", steps), PLAY_TENNIS, day, how, Run("", plain)).scene()
        for now, step in enumerate(steps):
            _, second, third = scene.caption(now).split("\n")
            spent = step.spent(PLAY_TENNIS.examples, costs)
            if now:
                said = re.search(
                    rf"cost (?:.* = )?{NUMBER}, those of a day on average {NUMBER}", third
                )
                assert [float(each) for each in said.groups()] == [
                    spent[day - 1], pytest.approx(spent.mean(), abs=0.051),
                ]  # fmt: skip
                q = next(q for q in step.candidates if q.attribute == step.attribute[step.node])
                assert f" = {q.score:.4f}" in second
            assert ("by the gain alone" in third) == (now == len(steps) - 1)
        texts = scene.views[0].draw(0)["data"][1]["text"]
        assert texts[:5] == ["cost", "10", "1", "2", "3"]


def test_the_vote_and_the_fractions_of_a_day_with_gaps() -> None:
    missing = removed(PLAY_TENNIS, 0.3, rng=np.random.default_rng(4))
    steps = tuple(id3_with_missing_values(PLAY_TENNIS, missing))
    examples = np.where(missing, -1, PLAY_TENNIS.examples)
    for day in range(1, 15):
        scene = Fractions(Run("", steps), PLAY_TENNIS, missing, day).scene()
        for now, step in enumerate(steps):
            vote = scene.caption(now).split("\n")[2]
            P = step.predict_proba(examples[day - 1 : day])[0]
            name, said = re.findall(rf"P\((\w+)\) = .*= {NUMBER}[.,]", vote)[0]
            assert PLAY_TENNIS.classes[P.argmax()] == name
            assert float(said.rstrip(".")) == pytest.approx(P.max(), abs=0.006)
            terms = re.findall(rf"{NUMBER} · {NUMBER}", vote)
            if "…" not in vote:
                total = sum(float(w) * float(share) for w, share in terms)
                assert total == pytest.approx(P.max(), abs=0.01 * len(terms))
            assert ("which is wrong" in vote) == (P.argmax() != PLAY_TENNIS.labels[day - 1])
            words = scene.views[0].draw(now)["data"]
            texts = [text for trace in words[2:] for text in trace["text"]]
            assert texts.count("?") == 2 * missing.sum(), "in the bright and in the dim words"
            w = step.fractions(examples)[max(step.node, 0)]
            here = [words[2]["text"][7 * i + 6] for i in range(14)]
            assert [text == "–" for text in here] == (w < 1e-9).tolist()


def test_names_of_columns_are_text() -> None:
    data = replace(board(), names=("<b>x</b>", "y"))
    steps, scene = growing(data)
    tree, why = (view.draw(len(steps) - 1) for view in scene.views[1:])
    assert any("&lt;b&gt;x&lt;/b&gt; ≤" in text for text in tree["data"][2]["text"])
    assert "&lt;b&gt;x" in why["layout"]["xaxis"]["title"]["text"]


def test_the_gain_in_the_caption_recomputed_from_the_points() -> None:
    data = board()
    steps, scene = growing(data)
    assert not any("-0.0" in scene.caption(i) for i in range(len(steps))), "no negative zeros"
    for i in range(1, len(steps)):
        first, second, last = scene.caption(i).replace("≤ −", "≤ -").split("\n")
        assert last.startswith("The picked point: ")
        x, y = data.X, data.labels
        lower, upper = steps[-1].tree.boxes(2)
        node = steps[i].node
        here = ((lower[node] < x) & (upper[node] >= x)).all(axis=1)
        found = re.match(
            rf"Split {i}{', the last' * (i == len(steps) - 1)}: ([xy]) ≤ {NUMBER} "
            r"cuts the dotted box in two; (the halves are purer on average, but still )?"
            r"(\d+|none) of 120 points (?:is|are) wrong \(before: (\d+)\)\.",
            first,
        )
        axis, threshold, purer, wrong, before = found.groups()
        errors = [np.count_nonzero(steps[j].predict(x) != y) for j in (i - 1, i)]
        assert [before, wrong] == [str(errors[0]), str(errors[1] or "none")]
        goes = x[here, "xy".index(axis)] <= steps[-1].tree.threshold[node]
        assert threshold == number(steps[-1].tree.threshold[node]).replace("−", "-")

        def entropy(labels: np.ndarray) -> float:
            p = np.bincount(labels) / len(labels)
            return -(p[p > 0] * np.log2(p[p > 0])).sum()

        parts = [entropy(y[here]), entropy(y[here][goes]), entropy(y[here][~goes])]
        gain = parts[0] - goes.mean() * parts[1] - (~goes).mean() * parts[2]
        rule = re.match(
            rf"Gain, how far the entropy falls: {NUMBER} − \((\d+)/(\d+)\) · {NUMBER} "
            rf"− \((\d+)/(\d+)\) · {NUMBER} = {NUMBER}",
            second,
        )
        assert [float(rule[j]) for j in (1, 4, 7, 8)] == pytest.approx([*parts, gain], abs=6e-4)
        sizes = [int(rule[j]) for j in (2, 3, 5, 6)]
        assert sizes == [goes.sum(), here.sum(), (~goes).sum(), here.sum()]
        assert bool(purer) == (errors[0] == errors[1] and gain > 1e-9)
        majority = [np.bincount(y[here][side]).argmax() for side in (goes, ~goes)]
        if majority[0] == majority[1]:
            assert f"Both leaves still predict “{data.classes[majority[0]]}”" in second
            assert errors[0] == errors[1]
        else:
            share = re.search(rf"\(n/N\) · gain, \((\d+)/(\d+)\) · {NUMBER} = {NUMBER}", second)
            assert float(share[4]) == pytest.approx(here.mean() * gain, abs=6e-5)


def test_a_cut_without_gain_prepares_another_only_where_a_leaf_is_open() -> None:
    data = board("gates", noise=0.0)
    for depth in (1, 2):
        steps, scene = growing(data, max_depth=depth)
        assert steps[1].gain == pytest.approx(0)
        assert ("prepares the next" in scene.caption(1)) == (depth == 2)


def test_the_errors_in_the_pruning_caption_recomputed() -> None:
    data = board(noise=0.7)
    steps, held, scene = pruning(data)
    for i in range(1, len(steps)):
        first, second, _ = scene.caption(i).split("\n")
        wrong = [steps[j].predict(data.X) != data.labels for j in (i - 1, i)]
        before, after = (int((w & held).sum()) for w in wrong)
        to = f"fall ({before} → {after}" if after < before else f"stay the same ({after}"
        assert first.endswith(f"the held-out errors {to} of {held.sum()}).")
        assert f" = {before - after} held-out errors. " in second
        assert f"Training errors: {(wrong[1] & ~held).sum()} of {(~held).sum()}." in second
    assert f"{steps[0].errors} of {held.sum()} held-out points" in scene.caption(0)


def test_held_out_points_have_dots_and_a_curve_and_words() -> None:
    data = board(noise=0.5)
    steps, scene = growing(data, share=0.4, significance=0.05, corrected=True)
    held = held_out(120, 0.4, rng=np.random.default_rng(1), codes=data.labels)
    now = len(steps) - 1
    picture, _, errors, _ = (view.draw(now) for view in scene.views)
    np.testing.assert_array_equal(unpacked(picture["points"]["held"]), held)
    training, mark, out, _ = errors["data"]
    assert (training["name"], out["name"]) == ("training", "held out")
    for curve, part in ((training, ~held), (out, held)):
        shares = [np.mean(step.predict(data.X[part]) != data.labels[part]) for step in steps]
        np.testing.assert_allclose(unpacked(curve["y"]), 100 * np.array(shares), rtol=1e-5)
    assert (mark["x"], mark["y"]) == ([now], [pytest.approx(unpacked(training["y"])[now])])
    wrong = steps[now].predict(data.X) != data.labels
    assert f"and {(wrong & held).sum()} of {held.sum()} held-out points" in scene.caption(now)
    for i in range(1, len(steps)):
        cut, tried = steps[i].chosen, sum(c.tried for c in steps[i].candidates)
        said = re.search(r"P = (\S+), times (\d+) cuts (\S+), ≤ α = 0.05", scene.caption(i))
        assert int(said[2]) == tried
        for text, p in ((said[1], cut.p_value), (said[3], cut.p_value * tried)):
            assert value(text) == pytest.approx(p, rel=0.06)
            assert p <= 0.05
    assert "held out" in scene.note
    assert "held out" not in growing(data)[1].note


def test_regions_show_what_the_tree_predicts() -> None:
    """The slices of the leaves' boxes, cell for cell against predicting every cell."""
    data = board("blobs", noise=0.8)
    steps, scene = growing(data, max_depth=7)
    tree = steps[-1].tree
    lower, upper = tree.boxes(2)
    x, y, cells = plane.grid(data.bounds, marks.CELLS)
    leaf = tree.apply(cells)
    assert ((cells > lower[leaf]) & (cells <= upper[leaf])).all()
    says = tree.predict(cells).reshape(len(y), len(x))
    share = (tree.predict_proba(cells).max(axis=1) - 1 / 3) / (2 / 3)
    shade = 0.15 + 0.65 * share
    by_hand = plane.regions(says, shade.reshape(says.shape), data.bounds, signs=False)
    assert scene.views[0].draw(len(steps) - 1)["data"][0] == by_hand


def test_a_region_without_its_points_has_the_name_of_its_class() -> None:
    data = board()
    first = growing(data)[1].views[0].draw(0)["data"]
    (sign,) = (trace for trace in first if trace.get("name") == "class of the region")
    assert sign["mode"] == "text", "no ring, which means wrong"
    assert sign["text"] == [f"class {data.classes[0]}"]


def test_rules_say_what_the_tree_predicts() -> None:
    data = board("blobs", noise=0.9)
    steps, scene = growing(data)
    predicted, label = np.full(len(data.X), -1), -1
    for line in rules(scene).replace("−", "-").split("\n"):
        if "⇐" in line:
            label = data.classes.index(line.split("⇐")[0].strip())
        here = np.ones(len(data.X), bool)
        for test in re.search(r"\( (.*) \)", line)[1].split(" ∧ "):
            low, name, high = re.match(rf"(?:{NUMBER} < )?([xy])(?: ≤ {NUMBER})?", test).groups()
            above = re.match(rf"[xy] > {NUMBER}", test)
            column = data.X[:, "xy".index(name)]
            here &= column > float(low or (above[1] if above else -np.inf)) - 0.006
            here &= column <= float(high or np.inf) + 0.006
        predicted[here] = label
    assert (predicted == steps[-1].predict(data.X)).mean() > 0.97  # the texts are rounded


def test_every_node_has_a_row_of_its_own_and_tests_stand_between_their_branches() -> None:
    data = board(noise=0.8)
    tree = last(decision_tree(data.X, data.labels, max_depth=6)).tree
    place = tree_diagram.layout(tree.parent)
    leaves = np.flatnonzero(tree.feature < 0)
    assert sorted(place.row[leaves]) == list(range(len(leaves)))
    assert len(set(place.row)) == len(place.row)
    for node in tree.inner:
        left, right = tree.left[node], tree.right[node]
        below = [leaf for leaf in leaves if node in above(tree, leaf)]
        upper = [leaf for leaf in below if left in above(tree, leaf)]
        rows = place.row[upper].max(), place.row[np.setdiff1d(below, upper)].min()
        assert rows == (place.row[node] - 0.5, place.row[node] + 0.5)
        assert place.depth[left] == place.depth[right] == place.depth[node] + 1


def above(tree: Tree, node: int) -> list[int]:
    """Return the nodes on the way from the root to a node."""
    way = [int(node)]
    while tree.parent[way[-1]] >= 0:
        way.append(int(tree.parent[way[-1]]))
    return way


@pytest.mark.parametrize(("noise", "depth", "all_written"), [(0.3, 5, True), (0.8, 8, False)])
def test_texts_in_the_diagram_lie_neither_on_each_other_nor_on_lines(
    noise: float, depth: int, all_written: bool
) -> None:
    data = board(noise=noise, n=300)
    tree = last(decision_tree(data.X, data.labels, max_depth=depth)).tree
    diagram = marks.diagram_of(tree, ("length", "width"))
    place, written = diagram.place, diagram.written
    shown = [i for i, text in enumerate(written) if text.strip()]
    tests = np.flatnonzero(tree.feature[place.nodes] >= 0)
    assert 0 in shown and set(shown) <= set(tests)
    assert (len(shown) == len(tests)) == all_written
    x, y = place.depth * 380 / diagram.columns, place.row * 250 / place.rows
    boxes = [(x[i] + 12, x[i] + 14 + 6 * len(written[i]), y[i]) for i in shown]
    for j, (start, end, row) in enumerate(boxes):
        for other_start, other_end, other in boxes[:j]:
            assert abs(row - other) >= 11 or end < other_start or other_end < start
        for node in range(1, len(x)):
            if node != shown[j] and abs(y[node] - row) < 4:
                assert x[node] < start or x[place.parent[node]] > end


def test_sizes_are_beside_the_leaves_of_a_small_tree() -> None:
    data = board(noise=0.3, n=200)
    for depth, some in ((3, True), (8, False)):
        tree = last(decision_tree(data.X, data.labels, max_depth=depth)).tree
        sizes = [str(n) for n in tree.counts.sum(axis=1)]
        diagram = replace(marks.diagram_of(tree, ("x", "y")), sizes=sizes)
        leaves = np.flatnonzero(tree.feature[diagram.place.nodes] < 0)
        written = [diagram.counted[i] for i in leaves]
        assert (len(leaves) <= 10) == some
        assert written == (
            [sizes[diagram.place.nodes[i]] for i in leaves] if some else [" "] * len(leaves)
        )


def test_a_large_tree_leaves_its_deepest_levels_out() -> None:
    random = np.random.default_rng(0)
    tree = last(
        decision_tree(random.normal(size=(800, 2)), random.integers(4, size=800), max_depth=10)
    ).tree
    place = tree_diagram.layout(tree.parent)
    assert len(place.nodes) <= tree_diagram.MOST_DRAWN < len(tree.feature)
    assert (tree.depth[place.nodes] == place.depth).all()


@pytest.mark.parametrize(
    ("name", "n", "noise", "depth"),
    [("moons", 200, 0.3, 5), ("moons", 200, 0.5, 8), ("spirals", 1000, 0.3, 8)],
)
def test_what_is_sent_stays_small(name: str, n: int, noise: float, depth: int) -> None:
    data = board(name, n, noise)
    steps, scene = growing(data, max_depth=depth)
    assert len(answer(scene, steps)) < 150_000
    steps, _, scene = pruning(data)
    assert len(answer(scene, steps)) < 150_000


def test_the_numbers_in_the_caption_of_a_removal_recomputed() -> None:
    data = board(noise=0.6)
    steps, held, scene = ruling(data)
    X, y = data.X[held], data.labels[held]
    for now in range(1, len(steps) - 1):
        first, second, third = scene.caption(now).replace("−", "-").split("\n")
        step, r = steps[now], steps[now].rule
        covered = [each.rules[r].holds(X) for each in steps[now - 1 : now + 1]]
        n = [int(each.sum()) for each in covered]
        right = [int((each & (y == step.rules[r].label)).sum()) for each in covered]
        assert first.startswith(f"Rule {r + 1} loses ")
        if n[0] == n[1]:
            assert f"the same {n[0]} held-out point" in first
        else:
            says = f"right for {right[1]}, not {right[0]}."
            if right[0] == right[1]:
                says = f"still right for {right[1]}."
            assert first.endswith(f"holds for {n[1]} held-out points, not {n[0]}, and is {says}")
        k, c = (
            len(step.classes),
            [(a + 1) / (b + len(step.classes)) for a, b in zip(right, n, strict=True)],
        )
        assert second.startswith(
            f"A = ({right[1]} + 1)/({n[1]} + {k}) = {c[1]:.3f} ≥ ({right[0]} + 1)/({n[0]} + {k}) "
            f"= {c[0]:.3f} with it."
        )
        place = data.X.mean(axis=0)
        decides = next(i for i in step.order if step.rules[i].holds(place[None])[0])
        assert third.startswith(f"The picked point: rule {decides + 1} decides, ")
    end = scene.caption(len(steps) - 1)
    wrong = int((steps[-1].predict(X) != y).sum())
    assert f": {wrong or 'none'} of {held.sum()} held-out points" in end
    tree, pruned = steps[0].errors, int(re.search(r"pruned tree (\d+)", end)[1])
    grown = last(decision_tree(data.X[~held], data.labels[~held], max_depth=5)).tree
    assert tree == (grown.predict(X) != y).sum()
    assert pruned == last(prune(grown, X, y)).errors


@pytest.mark.parametrize("depth", [3, 8])
def test_the_list_strikes_out_the_conditions_that_are_gone(depth: int) -> None:
    data = board(noise=0.8)
    steps, _, scene = ruling(data, depth)
    for now in (0, 1, len(steps) // 2, len(steps) - 1):
        _, numbers, holds, right, A = scene.views[1].draw(now)["data"][:5]
        assert len(holds["text"]) == LINES
        shown = [int(text) - 1 for text in numbers["text"] if text.strip()]
        order = steps[now].order.tolist()
        assert shown == order[order.index(shown[0]) :][: len(shown)], "in the order of the rules"
        at = steps[now].rule if steps[now].rule >= 0 else order[0]
        assert at in shown, "the rule at hand is in the window"
        starts = [i for i, text in enumerate(numbers["text"]) if text.strip()]
        for i, end in pairwise([*starts, LINES]):
            r = int(numbers["text"][i]) - 1
            text = " ".join(holds["text"][i:end])
            rule = steps[now].rules[r]
            if end < LINES:  # all of it is in the window
                assert text.count("<s>") == np.count_nonzero(~rule.kept)
                assert len(re.findall("≤|&gt;", text)) == len(rule.kept)
            assert right["text"][i] == f"{steps[now].right[r]} of {steps[now].covered[r]}"
            assert A["text"][i] == f"{steps[now].estimates[r]:.3f}"


def test_the_rules_decide_about_every_cell_and_only_their_own_points_stand_out() -> None:
    data = board("blobs", noise=0.8)
    steps, held, scene = ruling(data)
    cells = plane.grid(data.bounds, marks.CELLS)[2]
    for now in (0, len(steps) // 2, len(steps) - 1):
        found = scene.found(now).classes.ravel() if scene.found else None
        np.testing.assert_array_equal(found, steps[now].predict(cells))
    now = len(steps) // 2
    strength = unpacked(scene.views[0].draw(now)["points"]["strength"])
    own = held & steps[now].rules[steps[now].rule].holds(data.X)
    np.testing.assert_array_equal(strength == 255, own)
    assert len(answer(scene, steps)) < 150_000
