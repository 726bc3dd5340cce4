"""Where is a bin likeliest, and whom does the next table bring to another class?"""

from numpy.random import Generator

from algorithms.classification.generative.categorical_naive_bayes import CategoricalNaiveBayesStep
from viz.classification.generative.categorical_naive_bayes import asks
from viz.classification.generative.fit import Fit
from viz.classification.generative.gaussian_discriminant_questions import changes
from viz.core.question import Ask, Option, Question, asking
from viz.core.question_kinds import which_most
from viz.core.words import number


def ask(fit: Fit[CategoricalNaiveBayesStep]) -> Ask:
    """Ask in which class a bin has the largest probability, and who changes classes."""

    def about(now: int, rng: Generator) -> Question | None:
        after = fit.steps[now + 1]
        if rng.random() < 0.5:
            return _likeliest(rng, fit, after) or changes(fit, now, rng)
        return changes(fit, now, rng) or _likeliest(rng, fit, after)

    return asking(len(fit.steps), about)


def _likeliest(
    rng: Generator, fit: Fit[CategoricalNaiveBayesStep], after: CategoricalNaiveBayesStep
) -> Question | None:
    """Ask for the class with the largest entry in a column of the table that comes next."""
    if after.index is None:
        return None
    names = [fit.data.classes[k] for k in after.classes]
    value = 1 if asks(after) else int(rng.integers(after.tables.shape[2]))
    chances = after.tables[:, after.index, value].tolist()
    if asks(after):
        column, edge = divmod(after.index, after.edges.shape[1])
        what = f"that {fit.data.names[column]} > {number(after.edges[column, edge])}"
    else:
        what = f"bin {value + 1} of {fit.data.names[after.index]}, counted from the least on,"

    def reason(first: int, second: int) -> str:
        return (
            f"Its probability is {number(chances[first])} in class {names[first]}, and "
            f"{number(chances[second])} in class {names[second]}."
        )

    text = f"In which class is {what} most probable?"
    return which_most(text, [Option(f"in class {name}") for name in names], chances, reason)
