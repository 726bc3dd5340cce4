"""Questions: how is the next ellipse tilted, and where does a feature vary most?"""

from collections.abc import Sequence

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    GaussianDiscriminantStep,
)
from algorithms.classification.gaussian_discriminant.naive_bayes import GaussianNaiveBayesStep
from viz.core.question import Option, Question, question
from viz.core.words import number

_TILTED = 0.1  # a correlation
_CLEAR = 1.05  # times as large


def tilt(
    after: GaussianDiscriminantStep, classes: Sequence[str], features: Sequence[str]
) -> Question | None:
    """Ask whether x and y are correlated positively or negatively in the next covariance."""
    if after.phase != "covariance" or after.index is None:
        return None
    correlation = after.correlation(after.index)
    if abs(correlation) < _TILTED:
        return None
    ways = [Option("up to the right"), Option("down to the right")]
    right, wrong = ways if correlation > 0 else ways[::-1]
    x, y = features
    reason = (
        f"The covariance of {x} and {y} is {number(float(after.covariances[after.index][0, 1]))}, "
        f"a correlation of {number(correlation)}."
    )
    name = classes[after.classes[after.index]]
    text = f"The covariance with class {name} comes next. Which way is its ellipse tilted?"
    return question(text, right, [wrong], reason)


def varies_most(
    after: GaussianNaiveBayesStep, classes: Sequence[str], features: Sequence[str]
) -> Question | None:
    """Ask in which class a feature has the largest variance."""
    if after.phase != "variances" or after.index is None:
        return None
    variances = after.variances[:, after.index].tolist()
    order = sorted(range(len(variances)), key=lambda k: -variances[k])
    first, second, *_ = order
    if variances[first] <= _CLEAR * variances[second]:
        return None
    names = [classes[k] for k in after.classes]
    reason = (
        f"Its variance is {number(variances[first])} in class {names[first]}, and "
        f"{number(variances[second])} in class {names[second]}."
    )
    options = [Option(f"in class {names[k]}") for k in order]
    text = f"In which class does {features[after.index]} vary most?"
    return question(text, options[0], options[1:], reason)
