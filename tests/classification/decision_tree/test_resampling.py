"""Pictures and captions of trees on resamples, recomputed from the steps."""

import re
from dataclasses import replace

import numpy as np
import pytest

from algorithms.classification.decision_tree.resampled_trees import (
    ResampledTreeStep,
    resampled_trees,
)
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.core.samples import dataset
from viz.classification.decision_tree.resampled_trees import Resampling
from viz.core import plane
from viz.core.scene import Plane, Run, Scene

QUERY = np.array([0.5, 0.3])


def made(name: str = "moons", n: int = 200, **how) -> tuple[Plane, list[ResampledTreeStep], Scene]:
    data = dataset(name, n, noise=0.4)
    board = Plane(data.X, data.labels, data.classes, ("x", "y"), plane.bounds(data.X))
    rng = np.random.default_rng([0, 1])
    steps = list(resampled_trees(data.X, data.labels, rng=rng, **how))
    return board, steps, Resampling(Run("", steps), board, QUERY).scene()


BOARD, STEPS, SCENE = made(resamples=12)


def test_borders_are_where_the_trees_change_their_minds() -> None:
    figure = drawn(SCENE, 7)[0]
    _, *before, first, latest, _, _ = figure["data"]
    for trace, tree in ((first, STEPS[0].tree), (latest, STEPS[7].tree)):
        path = line(trace).reshape(-1, 3, 2)
        across = np.where(path[:, 0, :1] == path[:, 1, :1], [1e-4, 0], [0, 1e-4])
        for share in (0.1, 0.5, 0.9):
            middle = path[:, 0] + share * (path[:, 1] - path[:, 0])
            assert (tree.predict(middle - across) != tree.predict(middle + across)).all()
    there = np.concatenate([line(trace) for trace in before if trace["visible"]])
    borders = [line(drawn(SCENE, b)[0]["data"][-3]) for b in range(1, 7)]
    np.testing.assert_allclose(
        there[~np.isnan(there).any(axis=1)],
        np.concatenate([border[~np.isnan(border[:, 0])] for border in borders]),
    )


def test_points_are_as_large_as_they_are_often_drawn_and_ringed_where_they_change() -> None:
    figure, step = drawn(SCENE, 5)[0], STEPS[5]
    size = unpacked(figure["points"]["size"]) / plane.SIZES
    here = step.drawn > 0
    np.testing.assert_allclose(size[here], np.sqrt(step.drawn[here]), atol=0.02)
    assert (size[~here] < 1).all()
    np.testing.assert_array_equal(unpacked(figure["points"]["strength"]) < 255, ~here)
    changed = step.predict(BOARD.X) != STEPS[0].predict(BOARD.X)
    np.testing.assert_array_equal(unpacked(figure["marks"]["kind"]).astype(bool), changed)
    np.testing.assert_allclose(places(figure), BOARD.X, rtol=1e-5)


def test_the_bars_tell_how_much_of_the_plane_changes() -> None:
    same, another, mark = drawn(SCENE, 5)[2]["data"]
    cells = plane.grid(BOARD.bounds, 200)[2]
    first = STEPS[0].predict(cells)
    share = {b: 100 * np.mean(STEPS[b].predict(cells) != first) for b in range(1, 13)}
    bars = dict(zip(same["x"] + another["x"], same["y"] + another["y"], strict=True))
    assert bars == pytest.approx(share)
    assert another["x"] == [b for b, step in enumerate(STEPS) if step.event]
    assert (mark["x"], mark["y"]) == ([5], [pytest.approx(share[5])])


def test_the_captions_recomputed() -> None:
    cells = plane.grid(BOARD.bounds, 200)[2]
    first = STEPS[0]
    areas, others = [], 0
    for now, step in enumerate(STEPS):
        plain, so_far, query = SCENE.caption(now).split("\n")
        says = BOARD.classes[int(step.predict(QUERY[None])[0])]
        assert query.startswith(f"The picked point: “{says}”")
        if now == 0:
            wrong = np.count_nonzero(first.predict(BOARD.X) != BOARD.labels)
            assert f"it gets {wrong} of them wrong" in plain
            continue
        areas.append(100 * np.mean(step.predict(cells) != first.predict(cells)))
        others += step.event is not None
        which = "another" if step.event else "nearly the same"
        changed = np.count_nonzero(step.predict(BOARD.X) != first.predict(BOARD.X))
        assert plain.startswith(f"Resample {now}: {which} first question, ")
        assert plain.endswith(
            f"; {changed} of 200 points and {areas[-1]:.3g} % of the plane change class."
        )
        assert so_far.startswith(f"{np.count_nonzero(step.drawn)} of 200 points were drawn, ")
        assert (
            f"{others} of {now} trees ask another first question; on average {np.mean(areas):.3g} %"
            in so_far
        )
        agree = sum(
            BOARD.classes[int(s.predict(QUERY[None])[0])] == says for s in STEPS[1 : now + 1]
        )
        assert query.endswith(f"; {agree} of {now} resampled trees so far agree.")


def test_a_tree_of_one_leaf_asks_nothing() -> None:
    _, _, scene = made(n=40, growing={"min_samples_leaf": 30})
    assert scene.caption(0).startswith("The tree of all 40 points asks nothing; it gets 20 of them")


def test_a_diagram_for_every_tree_with_its_root_marked_if_it_asks_another_question() -> None:
    for now, step in enumerate(STEPS):
        tree = drawn(SCENE, now)[1]["data"]
        root, mark = tree[2]["text"][0], tree[-1]
        assert re.match(r"[xy] ≤ ", root)
        assert root.startswith("xy"[step.tree.feature[0]])
        assert (mark["y"][0] < 200) == (step.event is not None)
        assert all(tree[2]["text"]), "Plotly never draws where a text was empty once"


def test_what_is_sent_stays_small() -> None:
    for n, resamples in ((200, 30), (1000, 20)):
        _, steps, scene = made("spirals", n, resamples=resamples)
        assert len(answer(scene, steps)) < 150_000


def test_names_of_columns_are_text() -> None:
    data = replace(BOARD, names=("<b>x</b>", "<i>y</i>"))
    scene = Resampling(Run("", STEPS), data, QUERY).scene()
    texts = scene.views[1].draw(3)["data"][2]["text"]
    assert not any("<" in text for text in texts)
