import re
from dataclasses import replace

import numpy as np
import pytest
from numpy import ndarray

from algorithms.classification.trees.decision_tree import decision_tree, mdl_cost
from algorithms.classification.trees.id3 import PLAY_TENNIS, id3, table
from algorithms.classification.trees.prune import prune
from algorithms.core.record import last
from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from tests.core.figures import accepted_by_plotly, answer, drawn, places
from viz.classification.trees import decision_tree as draw
from viz.classification.trees import decision_tree_scenes as scenes
from viz.classification.trees import id3 as draw_id3
from viz.classification.trees import tree_diagram
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import number

NUMBER = r"(-?\d+\.?\d*)"


def board(name: str = "moons", n: int = 120, noise: float = 0.4) -> Plane:
    made = DATASETS[name].make(n, noise=noise, rng=np.random.default_rng(0))
    names = (made.columns[made.x], made.columns[made.y])
    return Plane(made.X, made.labels, made.classes, names, plane.bounds(made.X))


def growing(data: Plane, criterion: str = "entropy", **how) -> tuple[tuple, Scene]:
    run = Run("", tuple(decision_tree(data.X, data.labels, criterion=criterion, **how)))
    probe, order = data.X.mean(axis=0), how.get("order", "best first")
    return run.steps, scenes.grow(run, data, probe, criterion, order)


def pruning(data: Plane, seed: int = 1) -> tuple[tuple, ndarray, Scene]:
    held = held_out(len(data.X), 0.4, rng=np.random.default_rng(seed))
    grown = Run("", tuple(decision_tree(data.X[~held], data.labels[~held], max_depth=10)))
    run = Run("", tuple(prune(grown.steps[-1].tree, data.X[held], data.labels[held])))
    return run.steps, held, scenes.prune(run, data, data.X.mean(axis=0), held, grown)


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


PRESETS = [name for name, preset in DATASETS.items() if preset.kind == "classes"]
FEW = ["two points", "one place", "gaps in the labels", "eight classes"]


def check(scene: Scene, total: int) -> None:
    """Check that Plotly takes every figure, and that frames give the figures back."""
    for step in range(total):
        for figure in drawn(scene, step):
            accepted_by_plotly(figure)


@pytest.mark.parametrize("name", [*PRESETS, "iris", "penguins", *FEW])
@pytest.mark.parametrize("how", [{}, {"criterion": "error", "max_depth": 8, "gain_ratio": True}])
def test_growing_is_drawn_with_the_same_traces(name: str, how: dict) -> None:
    data = few(name) if name in FEW else board(name)
    steps, scene = growing(data, **how)
    check(scene, len(steps))
    np.testing.assert_allclose(places(scene.views[0].draw(len(steps) - 1)), data.X, rtol=1e-5)
    for i in range(len(steps)):
        lines = scene.caption(i).split("\n")
        assert len(lines) == 3
        assert all(len(line) <= 175 for line in lines)
    assert len(rules(scene).split("\n")) == len(steps)


def test_pruning_is_drawn_with_the_same_traces() -> None:
    data = board(noise=0.7)
    steps, held, scene = pruning(data)
    assert len(steps) > 2
    check(scene, len(steps))
    assert [scene.caption(i).count("\n") for i in range(len(steps))] == [2] * len(steps)
    assert len(rules(scene).split("\n")) == len(steps[-1].tree.leaves)
    assert 0 < held.sum() < len(data.X)


@pytest.mark.parametrize("ratio", [False, True])
def test_id3_is_drawn(ratio: bool) -> None:
    for data in (PLAY_TENNIS, table("A T\n u no\n v yes\n v no")):
        run = Run("", tuple(id3(data, gain_ratio=ratio)))
        scene = draw_id3.ask(run, data, 2)
        check(scene, len(run.steps))
        assert [scene.caption(i).count("\n") for i in range(len(run.steps))] == [2] * len(run.steps)


def test_more_classes_than_colours() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 2)), np.arange(60) % 12
    data = Plane(X, y, tuple("abcdefghijkl"), ("x", "y"), plane.bounds(X))
    steps, scene = growing(data)
    check(scene, len(steps))


def test_names_of_columns_are_text() -> None:
    data = replace(board(), names=("<b>x</b>", "y"))
    _, scene = growing(data)
    tree, why = (view.draw(1) for view in scene.views[1:])
    assert any("&lt;b&gt;x&lt;/b&gt; ≤" in text for text in tree["data"][5]["text"])
    assert "&lt;b&gt;x" in why["layout"]["xaxis"]["title"]["text"]


def test_the_gain_in_the_caption_recomputed_from_the_points() -> None:
    data = board()
    steps, scene = growing(data)
    for i in range(1, len(steps)):
        first, second, _ = scene.caption(i).replace("≤ −", "≤ -").split("\n")
        x, y = data.X, data.labels
        lower, upper = steps[-1].tree.boxes(2)
        node = steps[i].node
        here = ((lower[node] < x) & (upper[node] >= x)).all(axis=1)
        found = re.match(rf"Split ([xy]) ≤ {NUMBER}: (\d+) points → (\d+) \+ (\d+)", first)
        axis, threshold, n, left, right = found.groups()
        goes = x[here, "xy".index(axis)] <= steps[-1].tree.threshold[node]
        assert threshold == number(steps[-1].tree.threshold[node]).replace("−", "-")
        assert (int(n), int(left), int(right)) == (here.sum(), goes.sum(), (~goes).sum())

        def entropy(labels: np.ndarray) -> float:
            p = np.bincount(labels) / len(labels)
            return -(p[p > 0] * np.log2(p[p > 0])).sum()

        parts = [entropy(y[here]), entropy(y[here][goes]), entropy(y[here][~goes])]
        gain = parts[0] - goes.mean() * parts[1] - (~goes).mean() * parts[2]
        rule = re.match(
            rf"gain = {NUMBER} − (\d+)/(\d+) · {NUMBER} − (\d+)/(\d+) · {NUMBER} = {NUMBER}", second
        )
        assert [float(rule[j]) for j in (1, 4, 7, 8)] == pytest.approx([*parts, gain], abs=6e-4)
        share = re.search(rf"gain: (\d+)/(\d+) · {NUMBER} = {NUMBER}", first)
        assert float(share[4]) == pytest.approx(here.mean() * gain, abs=6e-5)
        wrong = re.search(r"Wrong (\d+) → (\d+), MDL cost (\d+) bits", first)
        assert int(wrong[2]) == np.count_nonzero(steps[i].predict(x) != y)
        assert int(wrong[3]) == sum(mdl_cost(steps[i].tree, 2))


def test_the_errors_in_the_pruning_caption_recomputed() -> None:
    data = board(noise=0.7)
    steps, held, scene = pruning(data)
    for i in range(1, len(steps)):
        first, second, _ = scene.caption(i).split("\n")
        before, fall, after = map(int, re.search(r"errors (\d+) − (\d+) = (\d+)", first).groups())
        wrong = [steps[j].predict(data.X) != data.labels for j in (i - 1, i)]
        assert (before, after) == tuple(int((w & held).sum()) for w in wrong)
        assert before - fall == after
        assert f"{after} of {held.sum()} held-out" in second
        assert f"{(wrong[1] & ~held).sum()} of {(~held).sum()} training" in second


def test_regions_show_what_the_tree_predicts() -> None:
    """The slices of the leaves' boxes, cell for cell against predicting every cell."""
    data = board("blobs", noise=0.8)
    steps, scene = growing(data, max_depth=7)
    tree = steps[-1].tree
    lower, upper = tree.boxes(2)
    x, y, cells = plane.grid(data.bounds, draw._CELLS)
    leaf = tree.apply(cells)
    assert ((cells > lower[leaf]) & (cells <= upper[leaf])).all()
    says = tree.predict(cells).reshape(len(y), len(x))
    share = (tree.predict_proba(cells).max(axis=1) - 1 / 3) / (2 / 3)
    by_hand = plane.regions(says, share.reshape(says.shape), data.bounds)
    assert scene.views[0].draw(len(steps) - 1)["data"][0] == by_hand


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


def test_every_leaf_has_a_place_of_its_own_and_parents_stand_above_the_middle() -> None:
    data = board(noise=0.8)
    tree = last(decision_tree(data.X, data.labels, max_depth=6)).tree
    place = tree_diagram.layout(tree.parent)
    leaves = np.flatnonzero(tree.feature < 0)
    assert sorted(place.x[leaves]) == list(range(len(leaves)))
    for node in tree.inner:
        left, right = tree.left[node], tree.right[node]
        assert place.x[node] == (place.x[left] + place.x[right]) / 2
        assert place.x[left] < place.x[right]
        assert place.depth[left] == place.depth[node] + 1


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
