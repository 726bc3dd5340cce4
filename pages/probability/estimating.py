"""The modes of the lab; its lesson is estimating.md."""

import numpy as np

from algorithms.probability import beta_bernoulli as algorithm
from algorithms.probability import dirichlet, gaussian_likelihood, maximum_entropy
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core.triangle import CORNERS, shares_at
from viz.probability.estimating.beta_bernoulli import Estimating
from viz.probability.estimating.dirichlet import Dirichlet
from viz.probability.estimating.gaussian_likelihood import WINDOW, Likelihood
from viz.probability.estimating.maximum_entropy import MaximumEntropy

MOST_COINS = 50
MEAN, SPREAD = 5.0, 1.2  # that the points of the likelihood are drawn with
TRIANGLE = (0.0, 1.0, 0.0, float(CORNERS[2, 1]))


def beta(lab: Lab) -> Shown:
    """Update the beliefs of two students by the same flips."""
    truth = lab.slider("truth", "True share of heads", 0.0, 1.0, 0.7, 0.05)
    n = lab.slider("flips", "Flips", 1, 300, 40)
    a = lab.slider("a", "Student A: heads in the prior", 1, MOST_COINS, 5)
    b = lab.slider("b", "Student A: tails in the prior", 1, MOST_COINS, 5)
    a2 = lab.slider("a2", "Student B: heads in the prior", 1, MOST_COINS, 3)
    b2 = lab.slider("b2", "Student B: tails in the prior", 1, MOST_COINS, 12)
    seed = lab.number("seed", "Seed", 0, 9999, 0)
    flips = algorithm.coin(truth, n, rng=np.random.default_rng(seed))
    run = lab.run_apart(algorithm.beta_bernoulli, flips, a=float(a), b=float(b))
    other = lab.run_apart(algorithm.beta_bernoulli, flips, a=float(a2), b=float(b2))
    return lab.scene(Estimating, run, other, truth, code=algorithm)


def three_sides(lab: Lab) -> Shown:
    """Update a prior over dice with three sides."""
    corner = lab.places(
        "die", "The true die", np.array([[0.65, 0.433]]), look="query", within=TRIANGLE
    )
    truth = np.maximum(shares_at(corner)[0], 0.0)
    truth /= truth.sum()
    n = lab.slider("rolls", "Rolls", 1, 200, 40)
    prior = [lab.slider(f"side{k}", f"Side {k} in the prior", 1, MOST_COINS, 2) for k in (1, 2, 3)]
    seed = lab.number("throw", "Seed", 0, 9999, 0)
    rolls = np.random.default_rng(seed).choice(3, n, p=truth)
    run = lab.run_apart(dirichlet.dirichlet, rolls, prior=np.array(prior, float))
    return lab.scene(Dirichlet, run, truth, code=dirichlet)


def likelihood(lab: Lab) -> Shown:
    """Move a Gaussian up its likelihood."""
    start = lab.places(
        "start", "Start", np.array([[2.0, 3.0]]), look="query", within=WINDOW, view=1
    )[0]
    n = lab.slider("points", "Points", 2, 100, 12)
    rate = lab.log_slider("rate", "Step size", [0.02, 0.05, 0.1, 0.2, 0.5, 0.9], 0.2)
    seed = lab.number("sample", "Seed", 0, 9999, 0)
    x = np.clip(np.random.default_rng(seed).normal(MEAN, SPREAD, n), *WINDOW[:2])
    run = lab.run_apart(
        gaussian_likelihood.gaussian_likelihood, x, start=(float(start[0]), float(start[1])),
        rate=rate,
    )  # fmt: skip
    return lab.scene(Likelihood, run, x, code=gaussian_likelihood)


def flattest(lab: Lab) -> Shown:
    """Find the die with the largest entropy for a mean."""
    mean = lab.slider("mean", "Mean of the die", 1.2, 5.8, 4.5, 0.1)
    run = lab.run_apart(maximum_entropy.maximum_entropy, mean)
    return lab.scene(MaximumEntropy, run, mean, code=maximum_entropy)


MODES = {
    "beta, flip by flip": beta,
    "three sides": three_sides,
    "likelihood": likelihood,
    "maximum entropy": flattest,
}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
