"""Our algorithms against scikit-learn: time to fit and time of a 200 x 200 surface, as ratios.

    .venv/bin/python benchmarks/algorithms.py [number of points ...]

Both sides run in one process on one thread, taking turns; below 1 ours is faster. Ours keeps every
step, as the app does. The agreement is the share of the surface on which both predict the same.
Absolute times mean nothing here, only the ratios do.
"""

import os

for pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before NumPy is imported
    os.environ[pool] = "1"

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from numpy import ndarray
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from algorithms._record import last
from algorithms.datasets import DATASETS
from algorithms.decision_tree import decision_tree
from algorithms.gaussian_discriminant import gaussian_discriminant
from algorithms.k_means import k_means
from algorithms.kernels import linear, polynomial, rbf
from algorithms.logistic_regression import logistic_regression
from algorithms.naive_bayes import gaussian_naive_bayes
from algorithms.perceptron import perceptron
from algorithms.svm import svm
from viz import plane

REPEATS = 15
SIZES = (100, 300, 1000)


def data(n: int, classes: int) -> tuple[ndarray, ndarray]:
    """Draw standardised points: two moons, or round blobs for more classes."""
    name, how = ("moons", {}) if classes == 2 else ("blobs", {"classes": classes})
    noise, rng = (0.3 if classes == 2 else 0.9), np.random.default_rng(0)
    made = DATASETS[name].make(n, noise=noise, rng=rng, **how)
    return (made.X - made.X.mean(axis=0)) / made.X.std(axis=0), made.labels


def cases(n: int) -> dict[str, tuple[ndarray, ndarray, Callable, Callable]]:
    """Give, by name, the data, our fit (all steps) and scikit-learn's."""
    rng = np.random.default_rng
    X, y = data(n, 2)
    Z, z = data(n, 4)
    start = Z[:5].copy()
    penalty = 1.0 / n  # scikit-learn's C = 1

    def svc(**how: object) -> Callable:
        return lambda: SVC(**how).fit(X, y)

    return {
        "k-means, k = 5": (Z, z, lambda: k_means(Z, 5, rng=rng(0), init=start),
            lambda: KMeans(5, init=start, n_init=1, algorithm="lloyd", tol=0).fit(Z)),
        "logistic, Newton": (X, y, lambda: logistic_regression(X, y, penalty=penalty),
            lambda: LogisticRegression(tol=1e-8, solver="newton-cholesky").fit(X, y)),
        "softmax, 4 classes": (Z, z, lambda: logistic_regression(Z, z, penalty=penalty),
            lambda: LogisticRegression(tol=1e-8, solver="newton-cholesky").fit(Z, z)),
        "naive Bayes": (Z, z, lambda: gaussian_naive_bayes(Z, z), lambda: GaussianNB().fit(Z, z)),
        "discriminant, shared": (Z, z, lambda: gaussian_discriminant(Z, z, covariance="shared"),
            lambda: LinearDiscriminantAnalysis().fit(Z, z)),
        "discriminant, separate": (Z, z, lambda: gaussian_discriminant(Z, z, covariance="separate"),
            lambda: QuadraticDiscriminantAnalysis().fit(Z, z)),
        "perceptron, 10 epochs": (X, y,
            lambda: perceptron(X, y, rng=rng(0), order="cyclic", max_epochs=10),
            lambda: Perceptron(shuffle=False, max_iter=10, tol=None).fit(X, y)),
        "tree, depth 4": (X, y, lambda: decision_tree(X, y, criterion="gini", max_depth=4),
            lambda: DecisionTreeClassifier(max_depth=4).fit(X, y)),
        "tree, depth 10": (X, y, lambda: decision_tree(X, y, criterion="gini", max_depth=10),
            lambda: DecisionTreeClassifier(max_depth=10).fit(X, y)),
        "SVM, RBF, C = 1": (X, y, lambda: svm(X, y, kernel=rbf(0.5)), svc(gamma=0.5)),
        "SVM, RBF, C = 100": (X, y, lambda: svm(X, y, C=100, kernel=rbf(2.0)),
            svc(gamma=2.0, C=100)),
        "SVM, linear, C = 1": (X, y, lambda: svm(X, y, kernel=linear()), svc(kernel="linear")),
        "SVM, cubic, C = 1": (X, y, lambda: svm(X, y, kernel=polynomial(3, 1.0)),
            svc(kernel="poly", degree=3, coef0=1.0, gamma=1.0)),
    }  # fmt: skip


def recorded(run: Callable) -> list:
    """Run to the end and keep every step, as the app does."""
    return list(run())


def ratio(ours: Callable, theirs: Callable) -> str:
    """Time both in turn; give the median of the paired ratios and its 10-90 % band."""
    found = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        ours()
        middle = time.perf_counter()
        theirs()
        found.append((middle - begin) / (time.perf_counter() - middle))
    low, median, high = np.quantile(found, [0.1, 0.5, 0.9])
    return f"{median:.2g} ({low:.2g}–{high:.2g})"


def main() -> None:
    """Print one Markdown table."""
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    warnings.simplefilter("ignore")  # scikit-learn's about the perceptron's epochs
    print("| algorithm | n | fit: ours / scikit-learn | surface | same prediction |")
    print("| --- | --- | --- | --- | --- |")
    for n in sizes:
        for name, (X, _, ours, theirs) in cases(n).items():
            step, model = last(ours()), theirs()
            *_, cells = plane.grid(plane.bounds(X), 200)
            same = np.mean(step.predict(cells) == model.predict(cells))
            fit = ratio(partial(recorded, ours), theirs)
            surface = ratio(partial(step.predict, cells), partial(model.predict, cells))
            print(f"| {name} | {n} | {fit} | {surface} | {100 * same:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
