"""The classifiers that labs compare, in teaching order: one entry each, and nothing else to edit.

All of them get standardised points, so that one setting is sensible for any data; k and h can be
set. First come straight borders, then curved ones, then classifiers that look at the points close
by.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.gaussian_discriminant.compare_covariances import n_parameters
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    gaussian_discriminant,
)
from algorithms.classification.gaussian_discriminant.naive_bayes import gaussian_naive_bayes
from algorithms.classification.linear.fisher import fisher
from algorithms.classification.linear.least_squares_classifier import least_squares_classifier
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.linear.nearest_mean import nearest_mean
from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.neighbors.nearest_neighbors import nearest_neighbors
from algorithms.classification.neighbors.parzen import parzen
from algorithms.classification.one_versus_rest import one_versus_rest
from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_multiclass import svm_multiclass
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import linear, rbf
from algorithms.core.pipeline import Mapped
from algorithms.core.record import last

VISITS = 1000  # of points by all perceptrons together, so that large data do not take long
MOVES = 2000  # of duals by a support vector machine
TOL = 1e-3  # of its conditions: a smaller violation moves no border visibly

# What models keep:
_WEIGHTS, _POINTS, _GAUSSIANS = "coefficients", "all training points", "class Gaussians"


@dataclass(frozen=True)
class Classifier:
    """One entry: how to fit it and what to say about it.

    `fit` takes points, labels and a generator and returns a model. `parameters` counts the numbers
    the model keeps. `lab` names the page of its own lab, if it has one. `shape` is that of its
    border, and `why` says what gives it. `setting` is its parameter, such as "k = 15". `keeps` says
    which numbers the model keeps.
    """

    name: str
    fit: Callable[[ndarray, ndarray, Generator], Any]
    parameters: Callable[[Any], int]
    lab: str | None
    shape: str
    why: str
    setting: str = ""
    keeps: str = ""

    @property
    def label(self) -> str:
        """Return the name, with the setting."""
        return f"{self.name}, {self.setting}" if self.setting else self.name


def _perceptron(X: ndarray, y: ndarray, rng: Generator) -> Any:
    machines = len(np.unique(y))
    epochs = max(1, VISITS // (len(X) * (machines if machines > 2 else 1)))

    def machine(X: ndarray, y: ndarray) -> tuple[ndarray, float]:
        model = last(perceptron(X, y, rng=rng, variant="pocket", max_epochs=epochs))
        return model.model_weights, model.model_bias

    return last(one_versus_rest(X, y, machine=machine))


def _linear_svm(X: ndarray, y: ndarray, rng: Generator) -> Any:
    ends = set()

    def machine(X: ndarray, y: ndarray) -> tuple[ndarray, float]:
        model = last(svm(X, y, C=1.0, kernel=linear(), tol=TOL, max_iter=MOVES))
        ends.add(model.event)
        return model.coefficients @ model.points, model.bias

    model = last(one_versus_rest(X, y, machine=machine))
    stopped = "stopped at max_iter" in ends
    return replace(model, event="a machine stopped at max_iter") if stopped else model


def _rbf_svm(X: ndarray, y: ndarray, rng: Generator) -> Any:
    solve = svm if len(np.unique(y)) == 2 else svm_multiclass
    return last(solve(X, y, C=1.0, kernel=rbf(1.0), tol=TOL, max_iter=MOVES))


def _cubic(X: ndarray, y: ndarray, rng: Generator) -> Mapped:
    features = polynomial_features(X, 3)
    return Mapped(features, last(logistic_regression(features(X), y, penalty=1e-3)))


def _neighbors(k: int) -> Callable[[ndarray, ndarray, Generator], Any]:
    return lambda X, y, rng: last(nearest_neighbors(X, y, k=min(k, len(X))))


def _kept(model: Any) -> int:
    return model.points.size + len(model.points)  # the places of the points, and their classes


def _linear(model: Any) -> int:
    return model.weights.size + model.intercepts.size


def _gaussians(covariance: str) -> Callable[[Any], int]:
    def count(model: Any) -> int:
        k, d = model.means.shape
        return n_parameters(covariance, d, k) + k - 1  # the priors sum to 1

    return count


def _support(model: Any) -> int:
    used = np.atleast_2d(model.coefficients) != 0
    return int(used.any(axis=0).sum()) * model.points.shape[1] + int(used.sum()) + len(used)


def _nearest(k: int) -> Classifier:
    where = f"another point becomes one of the {k} nearest" if k > 1 else "another point is nearest"
    shape, why = "Many short straight pieces", f"It turns where {where}."
    return Classifier("k-NN", _neighbors(k), _kept, None, shape, why, f"k = {k}", _POINTS)


def _parzen(h: float) -> Classifier:
    return Classifier(
        "Parzen",
        lambda X, y, rng: last(parzen(X, y, h=h)),
        lambda model: _kept(model) + 1,
        None,
        "A smooth curve",
        f"Equal bumps of width {h:g} on all points, added up by class.",
        f"h = {h:g}",
        f"{_POINTS}, and h",
    )


CLASSIFIERS = (
    Classifier(
        "Nearest mean",
        lambda X, y, rng: last(nearest_mean(X, y)),
        lambda model: model.means.size,
        None,
        "Straight",
        "Perpendicular bisectors of pairs of class means. The spread plays no part.",
        keeps="class means",
    ),
    Classifier(
        "Fisher",
        lambda X, y, rng: last(fisher(X, y)),
        lambda model: model.directions.size + model.projected_means.size,
        None,
        "Straight",
        "Half-way between two means, tilted to follow the spread within the classes.",
        keeps="axes, means",
    ),
    Classifier(
        "Least squares",
        lambda X, y, rng: last(least_squares_classifier(X, y)),
        _linear,
        None,
        "Straight",
        "Two linear outputs are equal there. Far points pull it; it can hide a class.",
        keeps=_WEIGHTS,
    ),
    Classifier(
        "LDA",
        lambda X, y, rng: last(gaussian_discriminant(X, y, covariance="shared")),
        _gaussians("shared"),
        "gaussian_discriminant",
        "Straight",
        "Gaussians of one covariance, so quadratic terms cancel. Priors shift borders.",
        keeps=_GAUSSIANS,
    ),
    Classifier(
        "Perceptron",
        _perceptron,
        _linear,
        "perceptron",
        "Straight",
        "Of all lines during training, the one with the fewest mistakes.",
        keeps=_WEIGHTS,
    ),
    Classifier(
        "Logistic",
        lambda X, y, rng: last(logistic_regression(X, y, penalty=1e-3)),
        _linear,
        "logistic_regression",
        "Straight",
        "The log-odds of two classes are linear in x. Far points hardly pull the line.",
        keeps=_WEIGHTS,
    ),
    Classifier(
        "Linear SVM",
        _linear_svm,
        _linear,
        "svm",
        "Straight",
        "A wide margin (C = 1). Only points on it, in it or on the wrong side count.",
        keeps=_WEIGHTS,
    ),
    Classifier(
        "Cubic logistic",
        _cubic,
        lambda model: _linear(model.model),
        "logistic_regression",
        "A cubic curve",
        "Straight in the space of all products of x and y up to degree 3.",
        keeps=_WEIGHTS,
    ),
    Classifier(
        "QDA",
        lambda X, y, rng: last(gaussian_discriminant(X, y, covariance="separate")),
        _gaussians("separate"),
        "gaussian_discriminant",
        "A quadric",
        "Every class has a covariance of its own, so the quadratic terms stay.",
        keeps=_GAUSSIANS,
    ),
    Classifier(
        "Naive Bayes",
        lambda X, y, rng: last(gaussian_naive_bayes(X, y)),
        _gaussians("diagonal"),
        "gaussian_discriminant",
        "A quadric along the axes",
        "Every class has variances of its own, but no correlation.",
        keeps=_GAUSSIANS,
    ),
    Classifier(
        "RBF SVM",
        _rbf_svm,
        _support,
        "svm",
        "A smooth curve of any shape",
        "Weighted bumps on the support vectors alone (C = 1, γ = 1).",
        keeps="support vectors and their weights",
    ),
    _parzen(0.3),
    _nearest(15),
    Classifier(
        "1-NN",
        _neighbors(1),
        _kept,
        None,
        "Pieces of bisectors between single points",
        "Every training point owns a cell around it.",
        keeps=_POINTS,
    ),
    Classifier(
        "Decision tree",
        lambda X, y, rng: last(decision_tree(X, y, max_depth=5)),
        lambda model: 2 * len(model.tree.inner) + len(model.tree.leaves),
        "decision_tree",
        "Steps along the axes",
        "Every test is one feature against one threshold, at most 5 deep.",
        keeps="its tests and leaves",
    ),
)

TUNED = {"k-NN": _nearest, "Parzen": _parzen}  # by name, those with a setting


def untuned() -> tuple[Classifier, ...]:
    """Return the classifiers without a setting, in teaching order."""
    return tuple(classifier for classifier in CLASSIFIERS if classifier.name not in TUNED)


def tuned(name: str, value: Any) -> tuple[Classifier]:
    """Return one with another setting: "k-NN" with its k, or "Parzen" with its h."""
    return (TUNED[name](value),)


def all_tuned(k: int, h: float) -> tuple[Classifier, ...]:
    """Return all classifiers, in teaching order, with these settings."""
    values = {"k-NN": k, "Parzen": h}
    return tuple(
        TUNED[classifier.name](values[classifier.name]) if classifier.name in TUNED else classifier
        for classifier in CLASSIFIERS
    )
