"""k-modes against its definition, cell by cell, and what the table shows."""

from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.k_medoids.categories import ANIMALS, by_chance
from algorithms.clustering.k_medoids.k_modes import Event, KModesStep, k_modes
from tests.core.figures import line, unpacked
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from tests.house.checked import Checked
from viz.clustering.k_medoids.k_modes import Modes
from viz.core.scene import Run

ARGUMENTS: dict[str, Any] = {"table": ANIMALS.rows}
DEFINITION = Checked(
    "k_medoids", "The definition of k-modes, cell by cell, at every step", 150, "random tables"
)


def random_run(case: int) -> tuple[ndarray, list[KModesStep]]:
    rng = np.random.default_rng(case)
    n, d, values = (int(rng.integers(1, most)) for most in (25, 7, 6))
    table = rng.integers(values, size=(n, d))
    return table, check_steps(k_modes(table, int(rng.integers(1, min(n, 6) + 1)), rng=rng))


def differ(a: ndarray, b: ndarray) -> int:
    return sum(x != y for x, y in zip(a.tolist(), b.tolist(), strict=True))


def test_every_half_step_is_as_defined() -> None:
    for case in range(DEFINITION.cases):
        table, steps = random_run(case)
        for before, step in zip([None, *steps], steps, strict=False):
            far = [[differ(x, mode) for mode in step.modes] for x in table]
            own = [row[c] for row, c in zip(far, step.labels.tolist(), strict=True)]
            assert step.cost == sum(own)
            if step.phase == "assign":
                assert step.labels.tolist() == [row.index(min(row)) for row in far]
                np.testing.assert_array_equal(step.predict(table), step.labels)
            if before is None:
                continue
            assert step.cost <= before.cost
            if step.phase == "move":
                np.testing.assert_array_equal(step.labels, before.labels)
                check_modes(table, before, step)
            else:
                np.testing.assert_array_equal(step.modes, before.modes)
                stays = (step.labels == before.labels).all()
                assert (step.event == "converged") == stays
        assert steps[-1].event == "converged"


def check_modes(table: ndarray, before: KModesStep, step: KModesStep) -> None:
    for j, column in np.ndindex(step.modes.shape):
        mine = table[step.labels == j, column].tolist()
        old, new = before.modes[j, column], step.modes[j, column]
        commonest = {v for v in mine if mine.count(v) == max(map(mine.count, mine))}
        assert new == (old if old in commonest or not mine else min(commonest))


def test_a_run_from_given_modes() -> None:
    table = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    steps = list(k_modes(table, 2, rng=np.random.default_rng(0), init=np.array([[0, 0], [1, 0]])))
    assert [step.cost for step in steps] == [3, 1, 1]
    assert steps[-1].modes.tolist() == [[0, 0], [1, 1]]


def test_every_event_occurs() -> None:
    found: set[str | None] = set()
    for case in range(100):
        rng = np.random.default_rng(case)
        table, init = rng.integers(3, size=(8, 3)), rng.integers(3, size=(3, 3))
        found |= {step.event for step in k_modes(table, 3, rng=rng, init=init)}
    short = list(k_modes(ANIMALS.rows, 3, rng=np.random.default_rng(12), max_iter=1))
    assert found | {short[-1].event} == {None, *event_names(Event)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 15}, "k must be between 1 and n=14, got k=15"),
        ({"table": np.array([[-1, 0]])}, "table must have whole numbers from 0"),
        ({"table": np.array([[0.5]])}, "table must have whole numbers from 0"),
        ({"table": np.zeros((0, 2), int)}, "table must have whole numbers from 0"),
        ({"init": np.zeros((2, 5), int)}, r"init must have shape \(k, d\) = \(3, 5\)"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"table": ANIMALS.rows, "k": 3, "rng": np.random.default_rng(0)}
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        k_modes(**given | changes)


def test_tables() -> None:
    assert ANIMALS.rows.shape == (14, 5) and len(set(ANIMALS.names)) == 14
    penguin = [v[c] for v, c in zip(ANIMALS.values, ANIMALS.rows[4], strict=True)]
    assert penguin == ["feathers", "2", "swims", "meat", "eggs"]
    changed = ANIMALS.changed(4, 2, 1)
    assert np.argwhere(changed.rows != ANIMALS.rows).tolist() == [[4, 2]]
    drawn = by_chance(rng=np.random.default_rng(0))
    assert drawn.rows.shape == (14, 5) and set(drawn.rows.ravel()) == {0, 1, 2}


# Pictures and words

STEPS = list(k_modes(ANIMALS.rows, 3, rng=np.random.default_rng(12)))
MODE = Modes(Run("", STEPS), ANIMALS, 4, 3)


@pytest.mark.parametrize("now", range(len(STEPS)))
def test_rows_stand_below_their_mode_and_frames_are_what_they_cost(now: int) -> None:
    step = STEPS[now]
    _, _, modes, rows, frames, signs, moved, picked = MODE.picture(now)["data"]
    names, height = np.array(rows["text"])[::6], line(rows)[::6, 1]
    assert names.tolist() == [*ANIMALS.names]
    mode_at = dict(zip(modes["text"][::6], line(modes)[::6, 1], strict=True))
    above = [mode_at[f"<b>mode {j + 1}</b>"] for j in step.labels]
    assert all(top > own for top, own in zip(above, height, strict=True))
    order = np.argsort(-height)
    assert (np.diff(step.labels[order]) >= 0).all()
    assert len(line(frames)) == 6 * step.cost
    np.testing.assert_allclose(line(picked)[0, 1], height[4], rtol=1e-6)
    np.testing.assert_allclose(line(signs)[:, 1], height)
    changed = step.labels != STEPS[max(now - 1, 0)].labels
    if changed.any():
        np.testing.assert_allclose(line(moved)[:, 1], height[changed])
    else:
        assert np.isnan(line(moved)).all()


@pytest.mark.parametrize("now", [0, 3, len(STEPS) - 1])
def test_the_bars_count_the_rows(now: int) -> None:
    for j, bars in enumerate(MODE.by_value(now)["data"]):
        food = ANIMALS.rows[STEPS[now].labels == j, 3].tolist()
        assert unpacked(bars["y"]).tolist() == [food.count(v) for v in range(3)]
        solid = [opacity == 1 for opacity in bars["marker"]["opacity"]]
        assert solid.index(True) == STEPS[now].modes[j, 3] and sum(solid) == 1


@pytest.mark.parametrize("now", range(1, len(STEPS)))
def test_the_captions_recomputed(now: int) -> None:
    step, before = STEPS[now], STEPS[now - 1]
    first, rule, picked = MODE.caption(now).split("\n")
    assert first.startswith(step.phase.capitalize())
    assert numbers(first)[-1] == step.cost
    assert numbers(rule)[:2] == [before.cost, step.cost]
    if step.phase == "assign":
        moved = np.flatnonzero(step.labels != before.labels)
        tied = [
            ANIMALS.names[i] for i in moved
            if differ(ANIMALS.rows[i], step.modes[before.labels[i]])
            == differ(ANIMALS.rows[i], step.modes[step.labels[i]])
        ]  # fmt: skip
        assert ("in a tie the first mode takes the row" in rule) == bool(tied)
        assert len(tied) > 3 or all(name in rule.lower() for name in tied)
    far = [differ(ANIMALS.rows[4], mode) for mode in step.modes]
    nearest = [j + 1 for j, distance in enumerate(far) if distance == min(far)]
    said = numbers(picked)
    assert said[: len(nearest) + 1] == [*nearest, min(far)]
    assert (" alike, " in picked) == (len(nearest) > 1)
    assert said[len(nearest) + 1 :: 2] == [distance for distance in far if distance > min(far)]
    if step.phase == "move" and (changed := int((step.modes != before.modes).sum())):
        assert numbers(first)[0] == changed
        value, column = rule.split(": ")[1].split(" is in")[0], rule.split(", ")[1].split(":")[0]
        c, j = ANIMALS.columns.index(column), int(numbers(rule)[2]) - 1
        own = ANIMALS.rows[step.labels == j, c].tolist()
        v = ANIMALS.values[c].index(value)
        assert step.modes[j, c] == v and before.modes[j, c] != v
        assert f"{value} is in {own.count(v)} of its {len(own)} row" in rule
