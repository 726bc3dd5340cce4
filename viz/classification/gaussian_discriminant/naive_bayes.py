"""Gaussian naive Bayes: a Gaussian for each feature of each class."""

from collections.abc import Callable

import numpy as np
from numpy import ndarray

from algorithms.classification.gaussian_discriminant.naive_bayes import GaussianNaiveBayesStep
from viz.classification.gaussian_discriminant import questions
from viz.classification.gaussian_discriminant.class_curves import (
    class_curves,
    over_features,
    picked,
)
from viz.classification.gaussian_discriminant.gaussians import Gaussians
from viz.core.question import Question
from viz.core.scene import Figure
from viz.core.words import listed as in_words
from viz.core.words import number


class NaiveBayes(Gaussians[GaussianNaiveBayesStep]):
    """One feature after the other, then the borders; the factors beside them."""

    slider = "smoothing"
    product = "prior times its densities of x and y"

    def opening(self) -> int:
        """Return the last step, whose caption compares the errors of all kinds of covariance."""
        return len(self.steps) - 1

    def densities(self) -> tuple[str, Callable[[int], Figure]]:
        """Return the density of each feature."""
        return "Density of each feature by class: the factors", self.features

    def features(self, now: int) -> Figure:
        """Draw the density of each feature in every class: the factors of naive Bayes.

        Marks on the curves show the densities at the picked point.
        """
        data, step = self.data, self.steps[now]
        left, right, bottom, top = data.bounds
        X = np.column_stack([np.linspace(left, right, 49), np.linspace(bottom, top, 49)])
        ends = self.steps[0], self.steps[-1]
        tops = [max(float(s.densities(X)[:, :, j].max()) for s in ends) for j in (0, 1)]
        heights, marked = step.densities(X), step.densities(self.query[None])[0]
        first, second = (
            class_curves(X[:, j], heights[:, :, j], step.classes, data)
            + picked(float(self.query[j]), marked[:, j], step.classes, tops[j])
            for j in (0, 1)
        )
        return over_features(first, second, data, (tops[0], tops[1]))

    def about(self, after: GaussianNaiveBayesStep) -> Question | None:
        """Ask in which class a feature varies most."""
        return questions.varies_most(after, self.data.classes, self.data.names)

    def estimate(self, now: int) -> str:
        """Write the means or the variances of a feature."""
        return self._means_of(now) if self.steps[now].phase == "means" else self._variances(now)

    def _listed(self, values: ndarray) -> str:
        """Write a number for each class, with the class's name."""
        named = zip(self.names, values, strict=True)
        return ", ".join(f"{number(value)} ({label})" for label, value in named)

    def _means_of(self, now: int) -> str:
        step = self.steps[now]
        j = step.index or 0
        name = "xy"[j]
        listed = self._listed(step.means[:, j])
        return (
            f"Feature {name}: each class gets its own mean; {self.wrong(now)}.\n"
            f"Mean of {name} in each class, sum / number of points: {listed}. The spread is still "
            f"that of all points: {number(np.sqrt(step.variances[0, j]))}."
        )

    def _variances(self, now: int) -> str:
        step = self.steps[now]
        j = step.index or 0
        name = "xy"[j]
        listed = self._listed(step.variances[:, j])
        plainly = f"Feature {name}: each class gets its own spread; {self.wrong(now)}."
        if step.spikes[:, j].any():
            flat = [label for label, no in zip(self.names, step.spikes[:, j], strict=True) if no]
            which = f"Classes {in_words(flat)} do" if len(flat) > 1 else f"Class {flat[0]} does"
            plainly = (
                f"{which} not vary in {name}: a spike has no density, so the spread of all "
                "points stands in. Smoothing > 0 gives it a width."
            )
        return (
            f"{plainly}\nVariance of {name} in each class, the mean of ({name} − μ)² + "
            f"{number(step.added)}: {listed}."
        )
