"""What the thresholds lab's lesson says of its experiments, on the runs that their links set up."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from algorithms.evaluation.held_out_scores import BY_NAME
from algorithms.evaluation.roc_curve import RocStep
from algorithms.evaluation.rotating_folds import RotatingFoldsStep, rotating_folds, spread
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(THRESHOLDS,) = (lab for lab in LABS if lab.name == "thresholds")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(THRESHOLDS, title).answer


def cheapest(steps: Sequence[RocStep]) -> RocStep:
    return next(step for step in steps if step.event == "least cost")


def at_zero(steps: Sequence[RocStep]) -> RocStep:
    """The lowest threshold that is not negative: the classifier's own decision."""
    return [step for step in steps if step.threshold >= 0][-1]


def number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def test_what_an_error_costs(watched: Session) -> None:
    title = "What an error costs"
    said = answer(title)
    low = cheapest(steps_of(watched, THRESHOLDS, title))
    steps = steps_of(watched, THRESHOLDS, title, miss="10")
    high = cheapest(steps)
    assert (low.false_positives, low.positives, high.negatives) == (0, 41, 56)
    assert f"score of {number(low.threshold)}, which finds {low.true_positives} of 41" in said
    assert f"at {number(high.threshold)}, which finds {high.true_positives} of 41" in said
    assert f"with {high.false_positives} of 56" in said
    own = at_zero(steps)
    assert f"cost {own.cost:.3g} in place of {high.cost:.3g}" in " ".join(said.split())
    for sample in range(1, 5):
        pair = [
            cheapest(steps_of(watched, THRESHOLDS, title, sample=str(sample), miss=price))
            for price in ("0.1", "10")
        ]
        assert pair[0].threshold > pair[1].threshold


def test_a_rare_class(watched: Session) -> None:
    title = "A rare class"
    said = " ".join(answer(title).split())
    rare = steps_of(watched, THRESHOLDS, title)
    assert (rare[0].positives, rare[0].positives + rare[0].negatives) == (10, 257)
    assert f"{100 * rare[0].accuracy:.1f} %" in said
    found = next(step for step in rare if step.true_positives == 8)
    assert f"precision: {found.precision:.3g}" in said
    assert f"at step 0, {100 * found.accuracy:.1f} %" in said
    common = steps_of(watched, THRESHOLDS, title, kept="100")
    same = next(step for step in common if step.true_positive_rate >= 0.8)
    assert f"precision of {same.precision:.1f}" in said
    assert same.precision == pytest.approx(0.9, abs=0.005)
    assert f"{rare[-1].area:.3f} and {common[-1].area:.3f}" in said
    for sample in range(1, 5):
        few = steps_of(watched, THRESHOLDS, title, sample=str(sample))
        many = steps_of(watched, THRESHOLDS, title, sample=str(sample), kept="100")
        assert few[0].accuracy > 0.95
        eight, alike = (
            next(step for step in steps if step.true_positive_rate >= 0.8) for steps in (few, many)
        )
        assert eight.precision < alike.precision - 0.1


def test_two_curves_cross(watched: Session) -> None:
    title = "Two curves cross"
    said = " ".join(answer(title).split())
    for sample in range(6):
        extra = {"sample": str(sample)} if sample else {}
        machine = steps_of(watched, THRESHOLDS, title, **extra)
        logistic = steps_of(watched, THRESHOLDS, title, classifier="Logistic", **extra)
        sure = [most_found(steps, 0) for steps in (machine, logistic)]
        some = [most_found(steps, 25) for steps in (machine, logistic)]
        assert sure[1] > sure[0]
        assert some[1] < some[0]
        if sample == 0:
            assert (machine[0].positives, machine[0].negatives) == (235, 247)
            assert sure[0] == 0
            assert f"finds {sure[1]} of 235 positives and the SVM none" in said
            assert f"SVM finds {some[0]} and logistic regression {some[1]}" in said
            assert f"{machine[-1].area:.3f} and {logistic[-1].area:.3f}" in said


def most_found(steps: Sequence[RocStep], alarms: int) -> int:
    return max(step.true_positives for step in steps if step.false_positives <= alarms)


def test_the_curve_beside_it_is_that_of_the_other_classifier(watched: Session) -> None:
    watched.open(THRESHOLDS, **experiment_of(THRESHOLDS, "Two curves cross").link)
    names = [trace.get("name") for trace in watched.figure(0, 1)["data"] if trace.get("showlegend")]
    assert names == ["RBF SVM, AUC 0.925", "Logistic, AUC 0.932"]


def test_only_the_order_counts(watched: Session) -> None:
    title = "Only the order counts"
    ranks = steps_of(watched, THRESHOLDS, title)
    counts = [(step.true_positives, step.false_positives) for step in ranks]
    assert len(ranks) == 1 + 97
    assert f"AUC is {ranks[-1].area:.4f}" in answer(title)
    for scores in ("as they are", "cubed"):
        steps = steps_of(watched, THRESHOLDS, title, scores=scores)
        assert [(step.true_positives, step.false_positives) for step in steps] == counts
        assert steps[-1].area == ranks[-1].area
        assert steps[5].threshold != ranks[5].threshold
    assert "2125" in watched.captions[-1]
    assert "2296 pairs" in watched.captions[-1]


def test_five_folds_or_ten(watched: Session) -> None:
    title = "Five folds or ten"
    said = " ".join(answer(title).split())
    steadier = []
    for sample in range(4):
        if sample == 0:
            five, ten = (steps_of(watched, THRESHOLDS, title, folds=k) for k in ("5", "10"))
        else:  # as the page runs it, without its pictures
            data = DATASETS["moons"].make(200, noise=0.6, rng=np.random.default_rng(sample))
            five, ten = (
                list(
                    rotating_folds(
                        data.X, data.labels, rng=np.random.default_rng([0, 1]), folds=k,
                        repeats=20, classifier="Logistic",
                    )
                )
                for k in (5, 10)
            )  # fmt: skip
        assert mean_spread(ten) > mean_spread(five)
        steadier.append(spread(ten[-1].estimates) < spread(five[-1].estimates))
        if sample == 0:
            assert ten[-1].held_out.sum() == 20
            a, b = (f"{100 * steps[-1].spread:.3g}" for steps in (ten, five))
            assert f"by {a} percentage points in place of {b}" in said
            a, b = (f"{100 * spread(steps[-1].estimates):.3g}" for steps in (ten, five))
            assert f"20 estimates differ less, by {a} in place of {b}" in said
            assert steadier[0]
    assert np.mean(steadier) >= 0.7, "“as on most samples”"


def mean_spread(steps: Sequence[RotatingFoldsStep]) -> float:
    return float(np.mean([step.spread for step in steps if step.event]))


def test_leaving_one_out_has_one_deal_with_as_many_folds_as_points(watched: Session) -> None:
    watched.open(THRESHOLDS, view="folds", folds="leave one out", n="40")
    assert watched.run_shown is not None
    assert len(watched.run_shown.steps) == 40
    assert {float(step.error) for step in watched.run_shown.steps} <= {0.0, 1.0}


def test_of_several_classes_one_is_positive(watched: Session) -> None:
    watched.open(THRESHOLDS, data="row", positive="2")
    assert watched.run_shown is not None
    step = watched.run_shown.steps[0]
    assert step.positives < step.negatives
    assert "Class “2” is the positive one" in watched_note(watched)
    watched.open(THRESHOLDS, data="moons", noise="0.6")
    assert "Class “2” is the positive one" in watched_note(watched)


def watched_note(session: Session) -> str:
    return " ".join(caption.value for caption in session.app.caption)


def test_too_few_points_are_a_sentence() -> None:
    session = Session()
    with AsInTheApp():
        session.open(THRESHOLDS, n="2", against="RBF SVM")
        assert "y must name positives and others among the points" in session.stage["error"]
        session.open(THRESHOLDS, view="folds", n="3")
        assert "folds must be between 2 and n=3" in session.stage["error"]


def test_a_classifier_beside_it_that_refuses_the_points_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("X must please QDA")

    refusing = replace(BY_NAME["QDA"], fit=refuse)
    monkeypatch.setitem(BY_NAME, "QDA", refusing)
    with AsInTheApp():
        session = Session().open(THRESHOLDS, against="QDA", seed="4321")  # used nowhere else
        assert session.stage["error"] == "X must please QDA"


def test_what_one_fit_draws_does_not_change_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def draws(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> Any:
        seen.append(rng.random())
        return BY_NAME["LDA"].fit(X, y, rng)

    monkeypatch.setitem(BY_NAME, "QDA", replace(BY_NAME["QDA"], fit=draws))
    with AsInTheApp():
        Session().open(THRESHOLDS, classifier="QDA", against="QDA", seed="4322")  # nowhere else
        Session().open(THRESHOLDS, classifier="Logistic", against="QDA", seed="4323")
    assert len(seen) >= 3
    assert len(set(seen)) == 1


def test_the_picked_point_is_a_query_where_the_link_says(watched: Session) -> None:
    watched.open(THRESHOLDS, query="0.5,0.25")
    (handles,) = watched.stage["handles"]
    assert (handles["name"], handles["look"], handles["places"]) == (
        "query",
        "query",
        [[0.5, 0.25]],
    )
