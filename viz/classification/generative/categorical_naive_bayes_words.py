"""Words for naive Bayes on binned features."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.generative.categorical_naive_bayes import CategoricalNaiveBayesStep
from viz.classification.generative.categorical_naive_bayes import asks
from viz.classification.generative.gaussian_discriminant_words import names, priors
from viz.core.scene import Plane
from viz.core.words import number

Step = CategoricalNaiveBayesStep


def caption(data: Plane, steps: Sequence[Step], estimate: str, strength: float, now: int) -> str:
    """Say what step `now` counted, with its numbers in the estimate."""
    step = steps[now]
    if step.phase == "priors":
        return (
            f"{priors(step, data)}\n"
            f"No feature is counted yet, so class {names(step, data)[int(step.priors.argmax())]} "
            "wins everywhere. The dotted lines cut each axis into bins of equal width."
        )
    if step.phase == "surface":
        return _surface_caption(step, data)
    return _feature_caption(step, names(step, data), estimate, strength)


def _feature_caption(step: Step, called: list[str], estimate: str, strength: float) -> str:
    feature = step.index or 0
    counts, table = step.value_counts[:, feature], step.tables[:, feature]
    if asks(step):
        question, values = _question(step, feature), slice(1, 2)
        what = f"Question {feature + 1}, {question}? The points that say yes"
    else:
        values = slice(None)
        what = f"Feature {'xy'[feature]}, points in its {len(table[0])} bins"
    held = "; ".join(
        f"{name}: {', '.join(map(str, row[values]))} of {row.sum()}"
        for name, row in zip(called, counts, strict=True)
    )
    spot = 1 if asks(step) else int(counts[0].argmax())
    count, total, size = counts[0, spot], counts[0].sum(), counts.shape[1]
    if estimate == "laplace":
        rule = f"({count} + {strength:g}) / ({total} + {strength:g}·{size})"
    else:
        share = (counts[:, spot].sum() + 1) / (counts.sum() + size)
        rule = f"({count} + {strength:g}·{share:.3f}) / ({total} + {strength:g})"
    where = "yes" if asks(step) else f"bin {spot + 1}"
    rule = f"P({where} | {called[0]}) = {rule} = {table[0, spot]:.3f}"
    if step.event:
        rule = f"{rule}. But a 0 elsewhere means probability 0, whatever else is known."
    return f"{what}, class {held}.\n{rule}"


def _question(step: Step, feature: int) -> str:
    column, edge = divmod(feature, step.edges.shape[1])
    return f"is {'xy'[column]} > {number(step.edges[column, edge])}"


def _surface_caption(step: Step, data: Plane) -> str:
    """Put one point's factors into Bayes' rule."""
    called, wrong = names(step, data), step.mistakes(data.X, data.labels)
    point = data.X[:1]
    factors = step.tables[:, np.arange(step.tables.shape[1]), step.values(point)[:, 0]]
    joint = step.priors * factors.prod(axis=1)
    chances = step.predict_proba(point)[0]
    shown = sorted(np.argsort(-joint, kind="stable")[:2])
    parts = []
    for k in shown:
        product = "·".join(f"{value:.2g}" for value in factors[k][:2])
        if factors.shape[1] > 2:
            product = f"({factors.shape[1]} factors)"
        parts.append(
            f"{called[k]}: {step.priors[k]:.2g}·{product} = {joint[k]:.2g}, P = {chances[k]:.3f}"
        )
    x, y = (number(value) for value in point[0])
    return (
        f"A surface of steps: a point counts only by its bins. Wrong side of the borders: {wrong} "
        f"of {len(data.X)} points.\n"
        f"The first point ({x}, {y}), π times one factor a feature: {'; '.join(parts)}."
    )
