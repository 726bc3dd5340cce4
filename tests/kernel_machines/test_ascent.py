"""The solver that support vector machine, its regression, nu and one-class machine share."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.classification.svm import nu_svm as nu_file
from algorithms.classification.svm import svm as svm_file
from algorithms.clustering import one_class_svm as one_class_file
from algorithms.core.iterate import iterate
from algorithms.core.kernels import rbf
from algorithms.kernel_machines.ascent import Ascent, last_argmax, last_argmin
from algorithms.kernel_machines.moves import PairMove
from algorithms.regression import support_vector_regression as tube_file

ROOT = Path(__file__).parents[2]
_random = np.random.default_rng(0)
X = _random.normal(size=(60, 2))
LABELS = (X[:, 0] + 0.5 * _random.normal(size=60) > 0).astype(int)
Y = np.sin(2 * X[:, 0]) + 0.3 * _random.normal(size=60)

RUNS: dict[str, tuple[Any, Callable[[], Any]]] = {
    "svm": (svm_file, lambda: svm_file.svm(X, LABELS, kernel=rbf(1.0))),
    "nu": (nu_file, lambda: nu_file.nu_svm(X, LABELS, nu=0.4)),
    "one class": (one_class_file, lambda: one_class_file.one_class_svm(X, nu=0.3)),
    "tube": (tube_file, lambda: tube_file.support_vector_regression(X, Y, epsilon=0.2)),
}
CONDITIONS = {  # in the lesson of each machine
    "svm": ("classification/svm", r"g_i > g_j"),
    "nu": ("classification/svm", r"g_i > g_j"),
    "one class": ("clustering/densities", r"o_i < o_j"),
    "tube": ("regression/support_vector_regression", r"\text{up}_i > \text{down}_j"),
}
every_machine = pytest.mark.parametrize("name", RUNS)


@every_machine
def test_the_next_step_is_a_function_of_the_step(name: str) -> None:
    file, start = RUNS[name]
    steps = list(start())
    kept = [step.coefficients.copy() for step in steps]
    run = Ascent(steps[0].task, steps[0].coefficients, pairs=None)
    for now in (7, 0, 3, 12, 12, 1):
        after = file.advance(run, steps[now])
        expected = steps[now + 1]
        assert (after.index, after.pair, after.event) == (now + 1, expected.pair, expected.event)
        np.testing.assert_allclose(after.coefficients, expected.coefficients, atol=1e-9)
        np.testing.assert_allclose(after.outputs, expected.outputs, atol=1e-9)
        assert after.dual_objective == pytest.approx(expected.dual_objective, abs=1e-9)
    again = list(iterate(steps[5], partial(file.advance, run), most=10_000))
    assert again[-1].event == "converged"
    assert again[-1].dual_objective == pytest.approx(steps[-1].dual_objective, rel=1e-4)
    for step, coefficients in zip(steps, kept, strict=True):
        np.testing.assert_array_equal(step.coefficients, coefficients)


def slopes(step: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the slopes of D for rising and for falling duals, as in the lessons."""
    task, beta = step.task, step.coefficients
    g = task.linear - task.kernel(task.points, task.points) @ beta
    up = np.where(beta < task.high, g - np.where(beta >= 0, 1, -1) * task.epsilon, -np.inf)
    down = np.where(beta > task.low, g - np.where(beta > 0, 1, -1) * task.epsilon, np.inf)
    return up, down


@every_machine
def test_the_rule_of_the_lesson_chooses_and_moves_the_pair(name: str) -> None:
    steps = list(RUNS[name][1]())
    literal = 0
    for before, after in pairwise(steps):
        if not isinstance(after.move, PairMove):
            continue
        up, down = slopes(before)
        i, j = after.pair
        gains, chosen = [], np.nan
        for group in before.task.groups:
            members = np.arange(60)[group]
            first = j if j in members else members[down[group].argmin()]
            assert down[first] == pytest.approx(down[group].min(), abs=1e-9)
            eta = 2 - 2 * before.task.kernel(X, X)[first]
            above = up - down[first]
            gain = np.where(np.isfinite(up), above**2 / np.maximum(eta, 1e-12), -1)[group]
            allowed = np.where(above[group] > 0, gain, -1)
            gains.append(allowed.max())
            if j in members:
                chosen = allowed[members == i].item()
                literal += gain.max() > allowed.max() * (1 + 1e-9)
        assert chosen == pytest.approx(max(gains), rel=1e-6)
        eta = 2 - 2 * before.task.kernel(X, X)[j]
        assert after.move.slope == pytest.approx(up[i] - down[j], abs=1e-9)
        assert after.move.wanted == pytest.approx(after.move.slope / eta[i], rel=1e-6)
        beta, task = before.coefficients, before.task
        low, high = (np.where(task.epsilon > 0, 0, end) for end in (task.low, task.high))
        room = (np.where(beta < 0, high, task.high) - beta)[i]
        room = min(room, (beta - np.where(beta > 0, low, task.low))[j])
        assert after.move.taken == pytest.approx(min(after.move.wanted, room), rel=1e-9)
        ends = [(up[group].max(), down[group].min()) for group in before.task.groups]
        assert before.violation == pytest.approx(max(a - b for a, b in ends), abs=1e-9)
        assert before.bias == pytest.approx(np.mean(ends), abs=1e-9)
        change = after.coefficients - before.coefficients
        expected = after.move.taken * ((np.arange(60) == i) * 1.0 - (np.arange(60) == j))
        np.testing.assert_allclose(change, expected, atol=1e-12)
    lesson, condition = CONDITIONS[name]
    assert literal > 0, f"without {condition} the rule would take another pair"
    assert condition in (ROOT / f"pages/{lesson}.md").read_text(encoding="utf-8")


def test_in_a_tie_the_last_one_is_chosen() -> None:
    values = np.array([2.0, 1, 3, 1, 3, 2])
    assert (last_argmin(values), last_argmax(values)) == (3, 4)
