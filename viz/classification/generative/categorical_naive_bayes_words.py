"""Words for naive Bayes on binned features."""

from algorithms.classification.generative.categorical_naive_bayes import CategoricalNaiveBayesStep
from viz.classification.generative.bayes_words import (
    names,
    picked_point,
    priors,
    shares,
    wrong,
)
from viz.classification.generative.categorical_naive_bayes import asks
from viz.classification.generative.fit import Fit
from viz.core.words import number

Step = CategoricalNaiveBayesStep

_FEW = 3  # classes that a sentence has room for


def caption(fit: Fit[Step], now: int, *, estimate: str, strength: float) -> str:
    """Say what step `now` counted, with its numbers in the estimate, and what of the picked point.

    estimate, strength : of the smoothing.
    """
    step = fit.steps[now]
    if step.phase == "priors":
        text = (
            f"{priors(fit, step)}\n"
            f"{shares(fit, step)} The dotted lines cut each axis into bins of equal width."
        )
    elif step.phase == "surface":
        text = (
            f"All features together make a border of steps; {wrong(fit, step)}.\n"
            "A point counts only by its bins: P(class | point) ∝ π times one factor a feature."
        )
    else:
        rule = _rule(step, names(step, fit.data)[0], estimate, strength)
        text = f"{_plainly(step, names(step, fit.data))}\n{rule}"
    product = "π·(answers about x)·(about y)" if asks(step) else "π·P(bin of x)·P(bin of y)"
    return f"{text}\n{picked_point(fit, step, product)}"


def _plainly(step: Step, called: list[str]) -> str:
    """Say in one sentence what the new table tells of the classes."""
    table, counts = (of[:, step.index or 0] for of in (step.tables, step.value_counts))
    if step.event:
        never = [
            f"class {name} is never {_value(step, int(row.argmin()))}"
            for name, row in zip(called, table, strict=True)
            if not row.all()
        ]
        return (
            f"{_counted(step)}: {_listed(never)}. What was never seen has probability 0, whatever "
            "else is known."
        )
    if asks(step):
        said = [
            f"{number(100 * row[1] / row.sum())} % of class {name} say yes"
            for name, row in zip(called, counts, strict=True)
        ]
    else:
        said = [
            f"class {name} is most often {_value(step, int(row.argmax()))}"
            for name, row in zip(called, counts, strict=True)
        ]
    return f"{_counted(step)}: {_listed(said)}."


def _value(step: Step, value: int) -> str:
    return ("a no", "a yes")[value] if asks(step) else f"in bin {value + 1}"


def _listed(parts: list[str]) -> str:
    return ", ".join(parts[:_FEW]) + (", ..." if len(parts) > _FEW else "")


def _counted(step: Step) -> str:
    """Name the feature of a step."""
    feature = step.index or 0
    if not asks(step):
        return f"Feature {'xy'[feature]} is counted"
    column, edge = divmod(feature, step.edges.shape[1])
    where = number(step.edges[column, edge])
    return f"Question {feature + 1} of {step.tables.shape[1]}, is {'xy'[column]} > {where}"


def _rule(step: Step, name: str, estimate: str, strength: float) -> str:
    """Put the counts of the first class into the estimate of its commonest value."""
    feature = step.index or 0
    counts, table = step.value_counts[:, feature], step.tables[:, feature]
    spot = 1 if asks(step) else int(counts[0].argmax())
    count, total, size = counts[0, spot], counts[0].sum(), counts.shape[1]
    if estimate == "laplace":
        rule = f"({count} + {strength:g}) / ({total} + {strength:g}·{size})"
    else:
        share = (counts[:, spot].sum() + 1) / (counts.sum() + size)
        rule = f"({count} + {strength:g}·{share:.3f}) / ({total} + {strength:g})"
    if asks(step):
        what, where = f"{count} of {total} points of class {name} say yes", "yes"
    else:
        bins = ", ".join(map(str, counts[0]))
        what, where = (
            f"Class {name} has {bins} of its {total} points in the bins",
            f"bin {spot + 1}",
        )
    return f"{what}: P({where} | {name}) = {rule} = {table[0, spot]:.3f}."
