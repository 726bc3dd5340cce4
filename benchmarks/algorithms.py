"""Our algorithms against scikit-learn: time to fit and time of a 200 x 200 surface, as ratios.

    .venv/bin/python benchmarks/algorithms.py [number of points ...]

Both sides run in one process on one thread, taking turns; below 1 ours is faster. Ours keeps every
step, as the app does; "keeping" is that against dropping each step at once. Medians with the
10-90 % band. The agreement is the share of the surface on which both predict the same class, or the
largest difference between both results, relative to the largest value. Absolute times depend on the
machine and are not printed.
"""

import os

for pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # before NumPy is imported
    os.environ[pool] = "1"

import sys
import time
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from numpy import ndarray
from sklearn.cluster import DBSCAN, AgglomerativeClustering, Birch, KMeans, SpectralClustering
from sklearn.decomposition import PCA, FactorAnalysis, KernelPCA
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Perceptron,
    Ridge,
    SGDRegressor,
)
from sklearn.linear_model import lasso_path as sklearn_lasso_path
from sklearn.metrics import roc_curve as sklearn_roc_curve
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, NearestNeighbors
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC, SVR, OneClassSVM
from sklearn.tree import DecisionTreeClassifier

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.gaussian_discriminant.fisher_axis import fisher_axis
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    gaussian_discriminant,
)
from algorithms.classification.gaussian_discriminant.naive_bayes import gaussian_naive_bayes
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.neighbors.k_nearest_neighbors import k_nearest_neighbors
from algorithms.classification.svm.svm import svm
from algorithms.clustering.adjusted_rand import adjusted_rand_index
from algorithms.clustering.dbscan.dbscan import dbscan
from algorithms.clustering.gaussian_mixture.gaussian_mixture import gaussian_mixture
from algorithms.clustering.hierarchical_clustering.birch import birch
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.kernel_density import kernel_density
from algorithms.clustering.one_class_svm import one_class_svm
from algorithms.clustering.similarity_measures.similarity_measures import (
    MANHATTAN,
    nearest_by_measure,
)
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core.kernels import linear, polynomial, rbf
from algorithms.core.optimizers import Plain
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.data.truths import TRUTHS
from algorithms.ensembles.ada_boost.ada_boost import ada_boost
from algorithms.ensembles.gradient_boosting import gradient_boosting
from algorithms.ensembles.random_forest import random_forest
from algorithms.evaluation.roc_curve import roc_curve
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_perceptron
from algorithms.reduction.factor_analysis.factor_analysis import factor_analysis
from algorithms.reduction.pca.kernel_pca import kernel_pca
from algorithms.reduction.pca.pca import pca
from algorithms.regression.bias_variance.bias_variance import bias_variance
from algorithms.regression.linear_paths.lasso_path import lasso_path, weights_at
from algorithms.regression.linear_paths.ridge_path import ridge_path
from algorithms.regression.linear_regression.gradient_descent import gradient_descent
from algorithms.regression.linear_regression.linear_regression import linear_regression
from algorithms.regression.support_vector_regression import support_vector_regression
from viz.core import plane

REPEATS, FEWEST, PATIENCE = 15, 5, 3.0  # fewer where it takes more seconds than that
SIZES = (100, 300, 1000, 3000)
SVM_CELLS = ((1, 0.5), (100, 0.5), (1, 5.0), (10, 2.0), (100, 2.0), (0.1, 0.5), (1000, 1.0))
PENALTIES = np.logspace(3, -4, 100)


class Case(NamedTuple):
    """One algorithm on one data set, ours and scikit-learn's."""

    name: str
    ours: Callable[[], Iterable]  # gives the steps
    theirs: Callable[[], Any]
    agree: Callable[[list, Any], float] | None = None  # difference; None: compare the surfaces
    X: ndarray | None = None  # where the surface is


def data(n: int, classes: int) -> tuple[ndarray, ndarray]:
    """Draw standardised points: two moons, or round blobs for more classes."""
    name, how = ("moons", {}) if classes == 2 else ("blobs", {"classes": classes})
    noise, rng = (0.3 if classes == 2 else 0.9), np.random.default_rng(0)
    made = DATASETS[name].make(n, noise=noise, rng=rng, **how)
    return (made.X - made.X.mean(axis=0)) / made.X.std(axis=0), made.labels


def classifiers(n: int) -> list[Case]:
    """Compare k-means and the classifiers."""
    rng = np.random.default_rng
    X, y = data(n, 2)
    Z, z = data(n, 4)
    start = Z[:5].copy()
    penalty = 1.0 / n  # scikit-learn's C = 1

    def support(name: str, C: float, own: Any, **how: Any) -> Case:
        return Case(
            f"SVM, {name}",
            lambda: svm(X, y, C=C, kernel=own, max_iter=100_000),
            lambda: SVC(C=C, **how).fit(X, y),
            X=X,
        )

    return [
        Case("k-means, k = 5", lambda: k_means(Z, 5, rng=rng(0), init=start),
            lambda: KMeans(5, init=start, n_init=1, algorithm="lloyd", tol=0).fit(Z), X=Z),
        Case("logistic, Newton", lambda: logistic_regression(X, y, penalty=penalty),
            lambda: LogisticRegression(tol=1e-8, solver="newton-cholesky").fit(X, y), X=X),
        Case("softmax, 4 classes", lambda: logistic_regression(Z, z, penalty=penalty),
            lambda: LogisticRegression(tol=1e-8, solver="newton-cholesky").fit(Z, z), X=Z),
        Case("naive Bayes", lambda: gaussian_naive_bayes(Z, z),
            lambda: GaussianNB().fit(Z, z), X=Z),
        Case("discriminant, shared", lambda: gaussian_discriminant(Z, z, covariance="shared"),
            lambda: LinearDiscriminantAnalysis().fit(Z, z), X=Z),
        Case("discriminant, separate", lambda: gaussian_discriminant(Z, z, covariance="separate"),
            lambda: QuadraticDiscriminantAnalysis().fit(Z, z), X=Z),
        Case("perceptron, 10 epochs",
            lambda: perceptron(X, y, rng=rng(0), order="cyclic", max_epochs=10),
            lambda: Perceptron(shuffle=False, max_iter=10, tol=None).fit(X, y), X=X),
        Case("tree, depth 4", lambda: decision_tree(X, y, criterion="gini", max_depth=4),
            lambda: DecisionTreeClassifier(max_depth=4).fit(X, y), X=X),
        Case("tree, depth 10", lambda: decision_tree(X, y, criterion="gini", max_depth=10),
            lambda: DecisionTreeClassifier(max_depth=10).fit(X, y), X=X),
        Case("k-nearest neighbours, k = 15", lambda: k_nearest_neighbors(Z, z, k=15),
            lambda: KNeighborsClassifier(15).fit(Z, z), X=Z),
        Case("gradient boosting, 100 trees",
            lambda: gradient_boosting(X[:, :1], X[:, 1], rounds=100, max_depth=2, rng=rng(0)),
            lambda: GradientBoostingRegressor(n_estimators=100, max_depth=2).fit(X[:, :1], X[:, 1]),
            lambda steps, model: difference(
                steps[-1].predict(X[:, :1]), model.predict(X[:, :1]))),
        Case("random forest, 100 trees",
            lambda: random_forest(X, y, n_trees=100, rng=rng(0)),
            lambda: RandomForestClassifier(100, max_features=1, random_state=0).fit(X, y),
            lambda steps, model: np.nan),
        Case("network, 8 units, 100 epochs",
            lambda: multilayer_perceptron(
                X, y, hidden=(8,), learning_rate=0.2, epochs=100, batch_size=len(X), rng=rng(0)),
            lambda: MLPClassifier((8,), activation="tanh", solver="sgd", alpha=0, momentum=0,
                learning_rate_init=0.2, batch_size=len(X), max_iter=100, tol=0,
                n_iter_no_change=1000).fit(X, y),
            lambda steps, model: np.nan),
        *(Case(f"AdaBoost, 100 trees of depth {depth}",
            lambda depth=depth: ada_boost(X, y, rounds=100, max_depth=depth),
            lambda depth=depth: AdaBoostClassifier(
                DecisionTreeClassifier(max_depth=depth), n_estimators=100, random_state=0
            ).fit(X, y), X=X)
            for depth in (1, 2)),
        *(support(f"RBF, C = {C}, γ = {gamma}", C, rbf(gamma), gamma=gamma)
            for C, gamma in SVM_CELLS),
        support("linear, C = 1", 1, linear(), kernel="linear"),
        support("linear, C = 1000", 1000, linear(), kernel="linear"),
        support("cubic, C = 1", 1, polynomial(3, 1.0), kernel="poly", degree=3, coef0=1, gamma=1),
    ]  # fmt: skip


def others(n: int) -> list[Case]:
    """Compare mixtures, regression and the reduction of dimensions."""
    rng = np.random.default_rng
    Z, _ = data(n, 4)
    wide = rng(0).normal(size=(n, 8)) @ (np.eye(8) + 0.3 * rng(1).normal(size=(8, 8)))
    target = wide @ np.array([2.0, -1, 0, 0, 1, 0, 0.5, 0]) + 0.5 * rng(2).normal(size=n)
    centred, residual = np.asfortranarray(wide - wide.mean(axis=0)), target - target.mean()
    first = last(gaussian_mixture(Z, 4, rng=rng(0), init=Z[:4].copy(), max_iter=1))
    halves = np.arange(n) % 2
    scores = halves + rng(3).normal(size=n)
    truth = TRUTHS["sine"]
    x = np.linspace(truth.low, truth.high, 81)

    def mixture() -> GaussianMixture:
        return GaussianMixture(
            4, tol=1e-3, max_iter=100, weights_init=first.weights, means_init=first.means,
            precisions_init=np.linalg.inv(first.covariances),
        ).fit(Z)  # fmt: skip

    def twenty_sets() -> ndarray:
        draw, mean = rng(0), np.zeros((len(POLYNOMIALS), len(x)))
        for _ in range(20):
            t = draw.uniform(truth.low, truth.high, size=(n, 1))
            values = truth(t[:, 0]) + 0.3 * draw.normal(size=n)
            for row, model in zip(mean, POLYNOMIALS, strict=True):
                row += model.fit(t, values).predict(x[:, None]) / 20
        return mean

    cases = [
        *(Case(f"merges, {linkage}",
            lambda linkage=linkage: hierarchical_clustering(Z, linkage=linkage),
            lambda linkage=linkage: AgglomerativeClustering(
                linkage=linkage, compute_distances=True, compute_full_tree=True
            ).fit(Z),
            lambda steps, model: difference(
                np.sort(steps[-1].linkage_matrix[:, 2]), np.sort(model.distances_)
            ))
            for linkage in ("single", "complete", "average", "ward")),
        Case("BIRCH, T = 0.3, B = 8",
            lambda: birch(Z, 4, threshold=0.3, branching_factor=8),
            lambda: Birch(threshold=0.3, branching_factor=8, n_clusters=4).fit(Z),
            lambda steps, model: difference(
                np.sort(steps[-1].centers, axis=0), np.sort(model.subcluster_centers_, axis=0))),
        Case("EM, 4 Gaussians",
            lambda: gaussian_mixture(Z, 4, rng=rng(0), init=Z[:4].copy(), tol=1e-3, max_iter=100),
            mixture, lambda steps, model: difference(
                steps[-1].score_samples(Z), model.score_samples(Z))),
        Case("least squares, d = 8", lambda: linear_regression(wide, target),
            lambda: LinearRegression().fit(wide, target),
            lambda steps, model: difference(steps[-1].weights, model.coef_)),
        Case("stochastic gradient, 1 epoch",
            lambda: gradient_descent(wide, target, Plain(0.001), rng=rng(0), batch=1, max_iter=n,
                tol=0.0),
            lambda: SGDRegressor(penalty=None, learning_rate="constant", eta0=0.002, max_iter=1,
                tol=None).fit(wide, target), lambda steps, model: np.nan),
        Case("ridge, 100 penalties", lambda: ridge_path(wide, target, PENALTIES),
            lambda: [Ridge(penalty).fit(wide, target) for penalty in PENALTIES],
            lambda steps, models: difference(
                np.stack([step.weights for step in steps]),
                np.stack([model.coef_ for model in models]))),
        Case("lasso path, d = 8", lambda: lasso_path(wide, target),
            lambda: sklearn_lasso_path(centred, residual, alphas=100),
            lambda steps, found: difference(weights_at(steps, found[0] * n), found[1].T)),
        *(Case(f"support vector regression, RBF, C = {C}",
            lambda C=C: support_vector_regression(Z[:, :1], Z[:, 1], C=C, kernel=rbf(0.5)),
            lambda C=C: SVR(C=C, gamma=0.5).fit(Z[:, :1], Z[:, 1]),
            lambda steps, model: difference(steps[-1].predict(Z[:, :1]), model.predict(Z[:, :1])))
            for C in (1.0, 100.0)),
        Case("one-class SVM, nu = 0.1", lambda: one_class_svm(Z, nu=0.1, kernel=rbf(0.5)),
            lambda: OneClassSVM(nu=0.1, gamma=0.5).fit(Z),
            lambda steps, model: difference(
                steps[-1].decision_function(Z), model.decision_function(Z))),
        Case("kernel density", lambda: kernel_density(Z, bandwidth=0.3),
            lambda: KernelDensity(bandwidth=0.3).fit(Z),
            lambda steps, model: difference(
                steps[-1].score_samples(Z), model.score_samples(Z))),
        Case("nearest by Manhattan, k = 20",
            lambda: nearest_by_measure(Z, k=20, measure=MANHATTAN),
            lambda: NearestNeighbors(n_neighbors=20, p=1).fit(Z),
            lambda steps, model: difference(steps[-1].order[:20],
                model.kneighbors(steps[-1].query[None], return_distance=False)[0])),
        Case("Fisher's axis, all angles", lambda: fisher_axis(Z, halves),
            lambda: LinearDiscriminantAnalysis(solver="eigen").fit(Z, halves),
            lambda steps, model: difference(
                np.abs(next(s for s in steps if s.event == "most separation").direction),
                np.abs(model.scalings_[:, 0] / np.linalg.norm(model.scalings_[:, 0])))),
        Case("DBSCAN, eps 0.3", lambda: dbscan(Z, eps=0.3, min_samples=5),
            lambda: DBSCAN(eps=0.3, min_samples=5).fit(Z),
            lambda steps, model: difference(steps[-1].labels, model.labels_)),
        Case("ROC curve", lambda: roc_curve(halves, scores),
            lambda: sklearn_roc_curve(halves, scores, drop_intermediate=False),
            lambda steps, curve: difference(
                np.array([step.true_positive_rate for step in steps]), curve[1])),
        Case("PCA, d = 8", lambda: pca(wide), lambda: PCA().fit(wide),
            lambda steps, model: difference(
                np.abs(steps[-1].components), np.abs(model.components_))),
        Case("factor analysis, d = 8, 2 factors",
            lambda: factor_analysis(wide, n_components=2, tol=1e-2),
            lambda: FactorAnalysis(2).fit(wide),
            lambda steps, model: difference(
                np.array([steps[-1].log_likelihood / n]), np.array([model.score(wide)]))),
    ]  # fmt: skip
    small = [  # ours take 1,000 points at most
        Case("bias and variance, 20 sets, 13 degrees",
            lambda: bias_variance(truth, degrees=range(13), n=n, noise=0.3, n_sets=20, rng=rng(0)),
            twenty_sets, lambda steps, mean: np.nan),
        Case("spectral, 2 clusters",
            lambda: spectral_clustering(Z, 2, gamma=8.0, rng=rng(0)),
            lambda: SpectralClustering(2, gamma=8.0, random_state=0).fit(Z),
            lambda steps, model: 1 - adjusted_rand_index(steps[-1].labels, model.labels_)),
        Case("kernel PCA, 2 components", lambda: kernel_pca(Z, kernel=rbf(0.5)),
            lambda: KernelPCA(2, kernel="rbf", gamma=0.5).fit(Z),
            lambda steps, model: difference(steps[-1].eigenvalues[:2], model.eigenvalues_)),
    ]  # fmt: skip
    return cases + (small if n <= 1000 else [])


POLYNOMIALS = [make_pipeline(PolynomialFeatures(p), LinearRegression()) for p in range(13)]


def difference(ours: ndarray, theirs: ndarray) -> float:
    """Return the largest difference, relative to the largest value."""
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def ratio(ours: Callable, theirs: Callable) -> str:
    """Time both in turn; return the median of the paired ratios and its 10-90 % band."""
    found: list[float] = []
    start = time.perf_counter()
    while len(found) < REPEATS:
        if len(found) >= FEWEST and time.perf_counter() - start > PATIENCE:
            break
        begin = time.perf_counter()
        ours()
        middle = time.perf_counter()
        theirs()
        found.append((middle - begin) / (time.perf_counter() - middle))
    low, median, high = np.quantile(found, [0.1, 0.5, 0.9])
    return f"{median:.2g} ({low:.2g}–{high:.2g})"


def row(case: Case, n: int) -> str:
    """Measure one case."""
    steps, model = list(case.ours()), case.theirs()
    if case.agree is None:
        *_, cells = plane.grid(plane.bounds(case.X), 200)
        agreement = f"{100 * np.mean(steps[-1].predict(cells) == model.predict(cells)):.1f} %"
        surface = ratio(partial(steps[-1].predict, cells), partial(model.predict, cells))
    else:
        apart, surface = case.agree(steps, model), "–"
        agreement = "–" if np.isnan(apart) else f"{apart:.0e}"
    fit = ratio(lambda: list(case.ours()), case.theirs)
    keeping = ratio(lambda: list(case.ours()), lambda: last(case.ours()))
    return f"| {case.name} | {n} | {fit} | {surface} | {agreement} | {keeping} |"


def main() -> None:
    """Print one Markdown table."""
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    warnings.simplefilter("ignore")  # scikit-learn's about runs that are not at their end
    print("| algorithm | n | fit: ours / scikit-learn | surface | agreement | keeping |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n in sizes:
        for case in classifiers(n) + others(n):
            print(row(case, n), flush=True)


if __name__ == "__main__":
    main()
