import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from algorithms.clustering.gaussian_mixture.gaussian_mixture import SHAPES, gaussian_mixture
from algorithms.clustering.gaussian_mixture.mixture_choice import (
    fitted_mixture,
    mixture_choice,
    n_parameters,
)
from tests.core.figures import line
from tests.core.samples import board, points_of, rng
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps
from viz.clustering.gaussian_mixture.mixture_choice import Choice
from viz.core.scene import Run

THEIRS = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}
X = points_of("blobs", 150, noise=0.4, classes=3)


@pytest.mark.parametrize("covariance", SHAPES)
def test_bic_is_that_of_scikit_learn(covariance: str) -> None:
    for step in check_steps(mixture_choice(X, [1, 3], rng=rng(), covariance=covariance)):
        theirs = GaussianMixture(
            step.k,
            covariance_type=THEIRS[covariance],
            random_state=0,
            n_init=10,
            reg_covar=1e-6 * X.var(axis=0).mean(),
        ).fit(X)
        assert step.n_parameters == theirs._n_parameters()
        assert step.bic == pytest.approx(theirs.bic(X), rel=1e-3)
        assert step.bic == pytest.approx(
            step.n_parameters * np.log(150) - 2 * step.mixture.score_samples(X).sum()
        )


def test_both_find_the_three_blobs() -> None:
    choices = check_steps(mixture_choice(X, range(1, 7), rng=rng()))
    assert min(choices, key=lambda choice: choice.bic).k == 3
    assert max(choices, key=lambda choice: choice.held_out).k in (3, 4)
    likelihoods = [choice.log_likelihood for choice in choices]
    assert likelihoods[5] > likelihoods[2] > likelihoods[0], "this one cannot choose"
    assert (choices[2].predict(X) < 3).all()


def test_held_out_points_are_judged_by_mixtures_without_them() -> None:
    """With one component the mixture is a single Gaussian: the fits can be done by hand."""
    (choice,) = mixture_choice(X, [1], rng=rng(5), floor=0.01)
    fold = rng(5).permutation(len(X)) % 5
    total = 0.0
    for held in range(5):
        rest, out = X[fold != held], X[fold == held]
        S = np.cov(rest.T, bias=True) + 0.01 * rest.var(axis=0).mean() * np.eye(2)
        offsets = out - rest.mean(axis=0)
        distances = (offsets @ np.linalg.inv(S) * offsets).sum(axis=1)
        total += (-0.5 * distances - 0.5 * np.log(np.linalg.det(2 * np.pi * S))).sum()
    assert choice.held_out == pytest.approx(total / len(X))


def test_the_best_of_the_starts_is_kept() -> None:
    """Three long clusters: one start is often stuck, and BIC then picks four."""
    picked = []
    for sample in range(6):
        Z = points_of("stretched", 200, sample=sample, noise=0.25)
        choices = {
            starts: list(mixture_choice(Z, [2, 3, 4], rng=rng(), starts=starts, tol=1e-3))
            for starts in (1, 10)
        }
        for one, ten in zip(choices[1], choices[10], strict=True):
            assert (len(one.ends), len(ten.ends)) == (1, 10)
            assert ten.log_likelihood == ten.ends.max() >= one.log_likelihood - 0.2
        picked.append([min(tried, key=lambda choice: choice.bic).k for tried in choices.values()])
    one, ten = np.array(picked).T
    assert (ten == 3).sum() >= 5 > (one == 3).sum()


def test_few_points() -> None:
    (choice,) = check_steps(mixture_choice(X[:2], [1], rng=rng()))
    assert choice.k == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ks": []}, "ks must name at least one number of components, got none"),
        ({"ks": [5]}, "k must be between 1 and points not held out=4, got k=5"),
        ({"X": X[:1]}, "X must have at least 2 points, one to hold out and one to fit, got n=1"),
        ({"folds": 1}, "folds must be at least 2, got folds=1"),
        ({"starts": 0}, "starts must be at least 1, got starts=0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        mixture_choice(**{"X": X[:5], "ks": [1], "rng": rng()} | changes)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("max_iter", "floor"), [(60, 1e-6), (3, 1e-6), (60, 0.0)])
def test_a_fitted_mixture_is_where_the_steps_end(max_iter: int, floor: float) -> None:
    twice = np.repeat(X[:40], 2, axis=0)
    for covariance in SHAPES:
        how = {"covariance": covariance, "max_iter": max_iter, "tol": 1e-4, "floor": floor}
        for k in (1, 3, 35):
            *_, step = gaussian_mixture(twice, k, rng=rng(), **how)
            end = fitted_mixture(twice, k, rng=rng(), init="k-means", **how)
            for name in ("weights", "means", "covariances", "roots", "collapsed"):
                np.testing.assert_array_equal(getattr(end, name), getattr(step, name))
            assert end.log_likelihood == end.lower_bound == step.log_likelihood
            np.testing.assert_allclose(end.responsibilities, end.predict_proba(twice), atol=1e-9)


@pytest.mark.parametrize("covariance", SHAPES)
def test_numbers_of_parameters(covariance: str) -> None:
    iris = points_of("blobs", 60)
    theirs = GaussianMixture(3, covariance_type=THEIRS[covariance], random_state=0).fit(iris)
    assert n_parameters(covariance, 2, 3) == theirs._n_parameters()


# What the mode "choosing k" shows

Z = points_of("stretched", 150)
CHOICES = list(mixture_choice(Z, range(1, 6), rng=rng()))
MODE = Choice(Run("", CHOICES), board(Z), 10, 5)


def test_the_criteria_mark_the_best_of_both() -> None:
    figure = MODE.criteria(1)
    bic, best, here, held, likeliest, there = figure["data"]
    assert line(best)[0, 0] == CHOICES[int(np.argmin(bic["y"]))].k
    assert line(likeliest)[0, 0] == CHOICES[int(np.argmax(held["y"]))].k
    assert here["x"] == there["x"] == [2]
    assert (here["y"], there["y"]) == ([bic["y"][1]], [held["y"][1]])
    assert figure["layout"]["shapes"][0]["x0"] == 2


def test_where_every_start_ended_and_which_one_is_kept() -> None:
    dots, kept = MODE.ends(2)["data"]
    all_ends = [(choice.k, end) for choice in CHOICES for end in choice.ends]
    np.testing.assert_allclose(line(dots), all_ends, rtol=1e-6)
    assert (kept["x"], kept["y"]) == ([3], [pytest.approx(max(CHOICES[2].ends))])


def test_the_captions_recomputed() -> None:
    bics = np.array([-2 * c.log_likelihood + c.n_parameters * np.log(150) for c in CHOICES])
    best = int(bics.argmin())
    for now, choice in enumerate(CHOICES):
        first, second, held = map(numbers, MODE.caption(now).split("\n"))
        np.testing.assert_allclose(first, [choice.k, bics[now]], rtol=6e-3)
        compared = [] if now == best else [bics[now] - bics[best], best + 1]
        np.testing.assert_allclose(numbers(MODE.answer(now)), compared, rtol=6e-3)
        told = [-2, choice.log_likelihood, choice.n_parameters, 150]
        np.testing.assert_allclose(second[:4], told, rtol=6e-3)
        assert second[4:] == first[1:]
        assert held == pytest.approx([choice.held_out], rel=6e-3)
