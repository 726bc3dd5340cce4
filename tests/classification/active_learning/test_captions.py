"""What the reader who gives the labels is asked."""

import numpy as np
import pytest

from algorithms.classification.active_learning.active_learning import active_learning
from algorithms.classification.active_learning.starts_compared import asking_rng, first_labels
from tests.core.figures import unpacked
from viz.classification.active_learning.active_learning import Queries
from viz.core import plane
from viz.core.scene import Plane, Run


@pytest.mark.parametrize(
    ("given", "said", "sign"),
    [(2, "Query 3 waits for you: ", True), (3, "You have answered all 3 queries.", False)],
)
def test_nobody_waits_for_an_answer_after_the_last(given: int, said: str, sign: bool) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    y, held = np.arange(20) % 2, np.zeros(20, bool)
    run = active_learning(
        X, y, first_labels(y, held, 1, 0), rng=asking_rng(0), rule="margin", degree=1,
        held_out=held, max_iter=given,
    )  # fmt: skip
    data = Plane(X, y, ("a", "b"), ("x", "y"), plane.bounds(X))
    show = Queries(Run("", list(run)), data, held, "margin", np.zeros((2, 0)), most=3)
    assert show.caption(given).startswith(said)
    traces = [*show.picture(given)["data"], *show.wanted(given)["data"]]
    marked = [
        bool(np.isfinite(unpacked(trace["x"])).any())
        for trace in traces
        if trace.get("name") in ("point that is asked now", "next query")
    ]
    assert marked == [sign, sign]


def test_the_means_of_the_rule_and_of_chance_are_said_to_be_of_many_starts() -> None:
    X = np.random.default_rng(1).normal(size=(20, 2))
    y, held = np.arange(20) % 2, np.arange(20) >= 14
    run = list(
        active_learning(
            X, y, first_labels(y, held, 1, 0), rng=asking_rng(0), rule="margin", degree=1,
            held_out=held, max_iter=3,
        )
    )  # fmt: skip
    data = Plane(X, y, ("a", "b"), ("x", "y"), plane.bounds(X))
    show = Queries(Run("", run), data, held, "margin", np.array([[3.0, 1.75, 1], [3, 2.25, 1.5]]))
    for now, rule, chance in ((1, "1.75", "2.25"), (2, "1", "1.5")):
        wrong = int((run[now].predict(X) != y)[held].sum())
        first = show.caption(now).split("\n")[0]
        queries = "1 query" if now == 1 else f"{now} queries"
        assert first.startswith(f"After {queries}, {wrong or 'none'} of 6 held-out points ")
        assert first.endswith(
            f" wrong from this start (mean of 20 starts: {rule} by margin, {chance} by chance)."
        )
    assert "mean" not in show.caption(3).split("\n")[0]  # chance was not measured so far
