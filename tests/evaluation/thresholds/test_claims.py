"""The lesson's statements on thresholds, and the controls of the page."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from algorithms.evaluation.cost_by_halves import cheapest as cheapest_threshold
from algorithms.evaluation.cost_by_halves import cost, cost_by_halves
from algorithms.evaluation.held_out_scores import BY_NAME, judged, split
from algorithms.evaluation.roc_curve import RocStep
from algorithms.evaluation.rotating_folds import RotatingFoldsStep, rotating_folds, spread
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp
from tests.house.claims import Numbers, Trial, check_numbers, claims_test
from tests.house.experiments import experiment_of

(THRESHOLDS,) = (lab for lab in LABS if lab.name == "thresholds")


def cheapest(steps: Sequence[RocStep]) -> RocStep:
    return next(step for step in steps if step.event == "least cost")


def at_zero(steps: Sequence[RocStep]) -> RocStep:
    """Return the lowest threshold that is not negative: the classifier's own decision."""
    return [step for step in steps if step.threshold >= 0][-1]


def what_an_error_costs(trial: Trial) -> Numbers:
    for sample in range(1, 5):
        pair = [
            cheapest(trial.steps(sample=str(sample), miss=price)).threshold
            for price in ("0.1", "10")
        ]
        assert pair[0] > pair[1]
    low, steps = cheapest(trial.steps()), trial.steps(miss="10")
    high = cheapest(steps)
    assert low.false_positives == 0
    found = [low.threshold, low.true_positives, low.positives]
    found += [high.threshold, high.true_positives, high.positives]
    return [*found, high.false_positives, high.negatives, 0, at_zero(steps).cost, high.cost]


def a_rare_class(trial: Trial) -> Numbers:
    for sample in range(1, 5):
        few = trial.steps(sample=str(sample))
        many = trial.steps(sample=str(sample), kept="100")
        assert few[0].accuracy > 0.95
        eight, alike = (
            next(step for step in steps if step.true_positive_rate >= 0.8) for steps in (few, many)
        )
        assert eight.precision < alike.precision - 0.1
    rare, common = trial.steps(), trial.steps(kept="100")
    n = rare[0].positives + rare[0].negatives
    assert (rare[0].positives, n) == (10, 257)
    found = next(step for step in rare if step.true_positives == 8)
    same = next(step for step in common if step.true_positive_rate >= 0.8)
    right = [round(step.accuracy * n) for step in (rare[0], found)]
    numbers = [right[0], n, 100 * rare[0].accuracy, 8, 10, found.precision, right[1]]
    return [*numbers, 100 * found.accuracy, same.precision, rare[-1].area, common[-1].area]


def most_found(steps: Sequence[RocStep], alarms: int) -> int:
    return max(step.true_positives for step in steps if step.false_positives <= alarms)


def two_curves_cross(trial: Trial) -> Numbers:
    numbers = []
    for sample in range(6):
        extra = {"sample": str(sample)} if sample else {}
        both = trial.steps(**extra), trial.steps(classifier="Logistic", **extra)
        sure = [most_found(steps, 0) for steps in both]
        some = [most_found(steps, 25) for steps in both]
        assert sure[1] > sure[0]
        assert some[1] < some[0]
        numbers.append([*some, *(steps[-1].area for steps in both)])
        if sample == 0:
            step = both[0][0]
            assert sure[0] == 0, "none"
            found = [sure[1], step.positives, 25, step.negatives]
    return [*found, *numbers[0]]


def only_the_order_counts(trial: Trial) -> Numbers:
    ranks = trial.steps()
    counts = [(step.true_positives, step.false_positives) for step in ranks]
    assert len(ranks) == 1 + 97
    for scores in ("as they are", "cubed"):
        steps = trial.steps(scores=scores)
        assert [(step.true_positives, step.false_positives) for step in steps] == counts
        assert steps[-1].area == ranks[-1].area
        assert steps[5].threshold != ranks[5].threshold
    pairs = ranks[0].positives * ranks[0].negatives
    return [97, ranks[-1].area, ranks[-1].area * pairs, pairs]


def five_folds_or_ten(trial: Trial) -> Numbers:
    steadier = []
    for sample in range(1, 4):  # as the page runs it, without its pictures
        data = dataset("moons", 200, sample=sample, noise=0.6)
        how = {"repeats": 20, "classifier": "Logistic"}
        five, ten = (
            list(rotating_folds(data.X, data.labels, rng=rng([0, 1]), folds=k, **how))
            for k in (5, 10)
        )
        assert mean_spread(ten) > mean_spread(five)
        steadier.append(spread(ten[-1].estimates) < spread(five[-1].estimates))
    five, ten = (trial.steps(folds=k) for k in ("5", "10"))
    assert mean_spread(ten) > mean_spread(five)
    assert np.mean([True, *steadier]) >= 0.7, "“as on most samples”"
    single = [100 * steps[-1].spread for steps in (ten, five)]
    estimates = [100 * spread(steps[-1].estimates) for steps in (ten, five)]
    assert estimates[0] < estimates[1]
    return [*single, ten[-1].held_out.sum(), len(ten[-1].estimates), *estimates]


def mean_spread(steps: Sequence[RotatingFoldsStep]) -> float:
    return float(np.mean([step.spread for step in steps if step.event]))


CLAIMS = {
    "What an error costs": what_an_error_costs,
    "A rare class": a_rare_class,
    "Two curves cross": two_curves_cross,
    "Only the order counts": only_the_order_counts,
    "Five folds or ten": five_folds_or_ten,
}
test_what_the_lesson_says = claims_test("thresholds", CLAIMS)


def test_the_least_cost_is_optimistic() -> None:
    """The lesson's numbers, on samples 20 to 39; 4,000 fresh points of each are the truth."""
    costs = []
    for sample in range(20, 40):
        data = dataset("moons", 200, sample=sample, noise=0.6)
        fresh = dataset("moons", 4000, sample=1000 + sample, noise=0.6)
        found = judged(
            data.X, data.labels, positive=1, classifier="Logistic", scale="as they are",
            held_out=split(data.labels == 1, 0.5, rng=rng([0, 1])), rng=rng(),
        )  # fmt: skip
        t = cheapest_threshold(found.positive == 1, found.scores, 1.0)
        halves = cost_by_halves(found.positive, found.scores, rng=rng())
        assert halves
        here = cost(t, found.positive == 1, found.scores, 1.0)
        there = cost(t, fresh.labels == 1, found.score(fresh.X), 1.0)
        costs.append([here, there, halves.chosen, halves.judged])
    more = sum(there > here for here, there, *_ in costs)
    means = 100 * np.mean(costs, axis=0)
    said = THRESHOLDS.texts["Maths"].partition("samples 20 to 39")[2].partition("\n\n")[0]
    check_numbers([means[0], 4000, means[1], more, 20, *means[2:]], said, stated="100")


def test_the_curve_beside_it_is_that_of_the_other_classifier(session: Session) -> None:
    session.open(THRESHOLDS, **experiment_of(THRESHOLDS, "Two curves cross").link)
    names = [trace.get("name") for trace in session.figure(0, 1)["data"] if trace.get("showlegend")]
    assert names == ["RBF SVM, AUC 0.925", "Logistic, AUC 0.932"]


def test_leaving_one_out_has_one_deal_with_as_many_folds_as_points(session: Session) -> None:
    session.open(THRESHOLDS, view="folds", folds="leave one out", n="40")
    assert session.run_shown is not None
    assert len(session.run_shown.steps) == 40
    assert {float(step.error) for step in session.run_shown.steps} <= {0.0, 1.0}


def test_of_several_classes_one_is_positive(session: Session) -> None:
    session.open(THRESHOLDS, data="row", positive="2")
    assert session.run_shown is not None
    step = session.run_shown.steps[0]
    assert step.positives < step.negatives
    assert "Class “2” is the positive one" in watched_note(session)
    session.open(THRESHOLDS, data="moons", noise="0.6")
    assert "Class “2” is the positive one" in watched_note(session)


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


def test_the_picked_point_is_a_query_where_the_link_says(session: Session) -> None:
    session.open(THRESHOLDS, query="0.5,0.25")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], handles["places"]) == (
        "query",
        "query",
        [[0.5, 0.25]],
    )
