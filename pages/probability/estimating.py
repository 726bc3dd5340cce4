"""The modes of the lab; its lesson is estimating.md."""

import numpy as np

from algorithms.probability import beta_bernoulli as algorithm
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.probability.estimating import Estimating

MOST_COINS = 50


def beta(lab: Lab) -> Shown:
    """Update the beliefs of two students by the same flips."""
    truth = lab.slider("truth", "True share of heads", 0.0, 1.0, 0.7, 0.05)
    n = lab.slider("flips", "Flips", 1, 300, 40)
    a = lab.slider("a", "Student A: heads in the prior", 1, MOST_COINS, 2)
    b = lab.slider("b", "Student A: tails in the prior", 1, MOST_COINS, 2)
    a2 = lab.slider("a2", "Student B: heads in the prior", 1, MOST_COINS, 3)
    b2 = lab.slider("b2", "Student B: tails in the prior", 1, MOST_COINS, 12)
    seed = lab.number("seed", "Seed", 0, 9999, 0)
    flips = algorithm.coin(truth, n, rng=np.random.default_rng(seed))
    run = lab.run_apart(algorithm.beta_bernoulli, flips, a=float(a), b=float(b))
    other = lab.run_apart(algorithm.beta_bernoulli, flips, a=float(a2), b=float(b2))
    return lab.scene(Estimating, run, other, truth, code=algorithm)


MODES = {"beta, flip by flip": beta}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
