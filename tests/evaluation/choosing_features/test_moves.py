"""The pictures of the mode "moves", recomputed from the data."""

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from algorithms.evaluation.choosing_features.stepwise_selection import SelectionStep, every_error
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import drawn, line
from tests.core.told import NUMBER, value
from viz.core.plane import unpacked
from viz.core.scene import Scene

(LAB,) = (lab for lab in LABS if lab.name == "choosing_features")
SETS = [F for k in range(6) for F in combinations(range(5), k)]
LINKS = pytest.mark.parametrize(
    "link",
    [
        {"direction": direction, "sample": sample}
        for direction in ("forward", "backward")
        for sample in ("a proxy", "two of five", "only together")
    ],
)


def opened(
    session: Session, link: dict[str, str]
) -> tuple[Scene, Sequence[SelectionStep], dict[tuple[int, ...], float]]:
    """Return the scene, the steps, and E of all sets with the folds that the run was dealt."""
    session.open(LAB, **link)
    assert not session.errors and not session.state.refused
    assert session.scene_shown and session.run_shown and session.run_shown.call
    X, y = session.run_shown.call.args
    errors = every_error(X, y, folds=5, rng=np.random.default_rng([6, 1]))
    return session.scene_shown, session.run_shown.steps, errors


@LINKS
def test_every_set_that_was_tried_keeps_its_error_to_the_end(
    session: Session, link: dict[str, str]
) -> None:
    scene, steps, errors = opened(session, link)
    best = min(errors, key=errors.__getitem__)
    tried = {steps[0].selected}
    for now, step in enumerate(steps):
        tried |= {tuple(sorted({*step.before} ^ {j})) for j in step.movable}
        over = {best} if now == len(steps) - 1 else set()
        (texts,) = (
            trace["text"]
            for trace in drawn(scene, now)[0]["data"]
            if len(trace.get("text", [])) == 32
        )
        for F, text in zip(SETS, texts, strict=True):
            plain = re.sub("<[^>]*>", " ", text)
            found = re.search(NUMBER, plain)
            assert bool(found) == (F in tried | over), (now, F)
            if found:
                assert value(found[0]) == pytest.approx(errors[F], rel=0.006)


@LINKS
def test_the_axis_of_the_moves_holds_those_of_the_step_and_shows_small_differences(
    session: Session, link: dict[str, str]
) -> None:
    scene, steps, errors = opened(session, link)
    verb = "drop" if link.get("direction") == "backward" else "add"
    for now, step in enumerate(steps):
        figure = drawn(scene, now)[1]
        level, dots = figure["data"]
        axis, columns = figure["layout"]["xaxis"], list(step.movable or range(5))
        assert axis["tickvals"] == list(range(len(columns)))
        assert axis["ticktext"] == [f"{verb} {'abcde'[j]}" for j in columns]
        assert axis["range"] == pytest.approx([-0.6, len(columns) - 0.4])
        low, high = figure["layout"]["yaxis"]["range"]
        assert line(level)[:, 1] == pytest.approx(errors[step.before])
        assert low < errors[step.before] < high
        shown = {columns[int(x)]: y for x, y in line(dots) if np.isfinite(y)}
        assert shown == {
            j: pytest.approx(errors[tuple(sorted({*step.before} ^ {j}))]) for j in step.movable
        }
        assert all(low < y < high for y in shown.values())
        symbols = dots["marker"]["symbol"]
        assert [j for j in range(5) if symbols[j] != 0] == [step.moved] * (step.moved is not None)
        heights = [*shown.values(), errors[step.before]]
        if len(heights) > 1:
            assert max(heights) - min(heights) > 0.6 * (high - low)


@LINKS
def test_no_move_runs_through_the_words_below_a_set(session: Session, link: dict[str, str]) -> None:
    scene, steps, _ = opened(session, link)
    figure = drawn(scene, len(steps) - 1)[0]
    points, edges = figure["points"], figure["edges"]
    levels = unpacked(points["y"])
    starts, ends = unpacked(edges["places"]).reshape(-1, 4)[:, [1, 3]].T
    assert len(starts) == 80
    rows = np.unique(levels)  # from the lowest one
    upper = np.searchsorted(rows, starts - 1e-3)  # of the upper set
    row = rows[upper]
    assert (ends > rows[upper - 1]).all() and set(upper) == set(range(1, 6))
    bottom, top = figure["layout"]["yaxis"]["range"]
    below = (row - starts) / (top - bottom) * 510  # pixels, at the usual size
    assert (below[row < 0] > 45).all() and (below[row == 0] == 0).all()
    texts = next(trace for trace in figure["data"] if len(trace.get("text", [])) == 32)["text"]
    two = [any("<br>" in text for text in np.array(texts)[levels == each]) for each in row]
    least = np.where(two, 43, 28)  # pixels on a phone, from a node to the lower edge of its words
    assert (below / 510 * 344 > least)[row < 0].all()


@LINKS
def test_the_star_is_on_the_best_set_at_the_end_alone(
    session: Session, link: dict[str, str]
) -> None:
    scene, steps, errors = opened(session, link)
    last = len(steps) - 1
    best = SETS.index(min(errors, key=errors.__getitem__))
    for now in range(last + 1):
        data = drawn(scene, now)[0]["data"]
        (star,) = (trace for trace in data if trace.get("name") == "the best of all sets")
        (texts,) = (trace for trace in data if len(trace.get("text", [])) == 32)
        node, key = (
            next(trace for trace in data if trace.get("text", [""])[0].startswith(text))
            for text in ("each node", "star")
        )
        if now < last:
            assert np.isnan(line(star)).all() and np.isnan(line(key)).all()
            assert np.isfinite(line(node)).all()
        else:
            assert line(star)[0] == pytest.approx(line(texts)[best])
            assert np.isfinite(line(key)).all() and np.isnan(line(node)).all()
