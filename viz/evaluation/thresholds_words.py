"""Words for a threshold on a score: its confusion matrix, its rates and its price."""

from algorithms.evaluation.roc_curve import RocStep, pairs
from viz.core.words import counted, listed, number
from viz.evaluation.thresholds import Thresholds

_EVENTS = {
    "least cost": "no threshold costs less.",
    "first false alarm": "the first false alarm.",
    "no miss left": "no positive is missed any more.",
}


def caption(shown: Thresholds, now: int) -> str:
    """Say who is called positive, with the rates, the price, and on the last step the area."""
    step = shown.steps[now]
    last = now == len(shown.steps) - 1
    price = _area(shown) if last else f"{_cost(shown, step)} {_next(step, shown.steps[now + 1])}"
    return "\n".join([_plainly(step, now, last), _rates(step), price, _query(shown, step)])


def _plainly(step: RocStep, now: int, last: bool) -> str:
    if now == 0:
        return _with_event("No point scores that high: every positive is missed", step)
    if last:
        return _with_event("Every held-out point is called positive, right or wrong", step)
    found = f"{step.true_positives} of {counted(step.positives, 'positive')} found"
    alarms = f"{step.false_positives} of {counted(step.negatives, 'negative')} called positive, too"
    said = f"Positive from a score of {number(step.threshold)} on: {found}, {alarms}"
    return _with_event(said, step)


def _with_event(said: str, step: RocStep) -> str:
    return f"{said}; {_EVENTS[step.event]}" if step.event else f"{said}."


def _rates(step: RocStep) -> str:
    """Put the four counts of the confusion matrix into the rates."""
    TP, FP, FN, TN = counts(step)
    n = TP + FP + FN + TN
    precise = f"{TP}/{TP + FP} = {number(step.precision)}" if TP + FP else "0/0, drawn as 1"
    return (
        f"TPR = {TP}/{TP + FN} = {number(step.true_positive_rate)}, "
        f"FPR = {FP}/{FP + TN} = {number(step.false_positive_rate)}, "
        f"precision = {precise}, accuracy = ({TP} + {TN})/{n} = {number(step.accuracy)}, "
        f"F1 = {2 * TP}/({2 * TP} + {FP} + {FN}) = {number(step.f1)}."
    )


def counts(step: RocStep) -> tuple[int, int, int, int]:
    """Give the confusion matrix: TP, FP, FN, TN."""
    return (
        step.true_positives, step.false_positives, step.false_negatives, step.true_negatives
    )  # fmt: skip


def _cost(shown: Thresholds, step: RocStep) -> str:
    """Add up the price of this threshold, and give that of the cheapest."""
    alarms, misses = step.false_positives, step.false_negatives
    best = shown.steps[shown.best]
    where = "above all scores" if shown.best == 0 else f"at {number(best.threshold)}"
    return (
        f"Cost = {counted(alarms, 'false alarm')} + {number(shown.choice.miss)} × "
        f"{misses} miss{'es' * (misses != 1)} = {number(step.cost, 4)}; "
        f"the least is {number(best.cost, 4)}, {where} (★)."
    )


def _next(step: RocStep, after: RocStep) -> str:
    """Say where the curve goes from here."""
    ups = after.true_positives - step.true_positives
    rights = after.false_positives - step.false_positives
    ways = [
        *([f"{counted(ups, 'positive')} (up)"] if ups else []),
        *([f"{counted(rights, 'negative')} (to the right)"] if rights else []),
    ]
    return f"Next: {listed(ways)}."


def _area(shown: Thresholds) -> str:
    """Say what the whole area is, as a share of pairs."""
    found = pairs(shown.judged.positive, shown.judged.scores)
    step = shown.steps[-1]
    return (
        f"Area under the curve = {number(step.area, 4)}: of {step.positives} × {step.negatives} = "
        f"{found.count} pairs the positive scores more in {found.right}, the same in {found.tied}: "
        f"({found.right} + {found.tied}/2)/{found.count}."
    )


def _query(shown: Thresholds, step: RocStep) -> str:
    score = float(shown.judged.score(shown.choice.query[None])[0])
    t = shown.judged.raw_threshold(step.threshold)
    sign, said = ("≥", "positive") if score >= t else ("<", "negative")
    mapped = "" if (shown.judged.raw == shown.judged.scores).all() else " before the map"
    return f"The picked point scores {number(score)} {sign} {number(t)}{mapped}: {said}."


def note(shown: Thresholds) -> str:
    """Say which points are judged, and what the marks mean."""
    positive, test = shown.data.classes[shown.choice.positive], shown.judged.held_out
    left_out = int((~shown.choice.kept).sum())
    few = f" {counted(left_out, 'positive')}, almost invisible, take no part." if left_out else ""
    return (
        f"Class “{positive}” is the positive one. {shown.choice.name} learned from the "
        f"{int((~test).sum())} small points, standardised; the {int(test.sum())} large ones are "
        f"held out, and all counts are of them.{few} A thick outline: called wrong. A ring: just "
        "called positive. The darker a "
        "place, the more held-out points score between it and the threshold. ★ is the threshold of "
        "least cost, the dashed line through it has thresholds of one cost, the thin dotted line "
        "is what tossing a coin gives. Step 0 has its threshold above every score."
    )
