r"""Random forest

Deep trees, each grown on its own resample of the points, vote: their mistakes differ.

## Idea
A deep [tree](glossary#decision-tree) follows its points closely, and a few points more or less can
make it another tree. A forest makes use of that: it grows many trees that differ, and takes their
mean.

- **Bag**: draw as many points as there are, with replacement, a [bootstrap](glossary#bootstrap)
  resample. Some points come twice or more (large), about 37 % not at all (pale).
- **Tree**: grow a tree on the bag. At every split only some of the features are tried, drawn anew.
  On this plane there are two; with one of them, chance decides in which direction each cut goes.
  With both it is [bagging](glossary#bagging).
- **Vote**: every tree gives the class shares in its leaf; the forest takes the mean over all trees
  so far, and the class with the largest mean share.

What the trees have in common stays in the mean; what only one of them saw in its bag is averaged
out. That is why the trees should be good on their own, so they are grown deep, and **unlike each
other**, so they get different bags and features.

The points that a tree has not seen are its own test. Let every point be judged only by the trees
that have not seen it: the share of the points that these votes get wrong is the
[out-of-bag](glossary#out-of-bag-points) error. It needs no held-out points, and comes near to the
error on them.

The ring marks the point about which the trees disagree most. Drag the cross hair to see how the
trees vote elsewhere: the bars are the shares of one tree after the other, the lines their mean.

## Maths
With $n$ points and $d$ features, tree $b$ is grown on $n$ draws with replacement, and at every node
takes the best cut, by the [gini impurity](glossary#gini-impurity), of $M \le d$ drawn features. A
point is missing from its bag with probability

$$
\left(1 - \tfrac1n\right)^n \approx e^{-1} \approx 0.37 .
$$

With $p_s(k \mid x)$, the share of class $k$ in the leaf of tree $s$ that $x$ falls into, the vote
of $b$ trees is

$$
P_b(k \mid x) = \frac1b \sum_{s=1}^{b} p_s(k \mid x) , \qquad
\text{class} = \arg\max_k P_b(k \mid x) .
$$

The **out-of-bag vote** on point $i$ is the same mean over those trees $s \le b$ alone whose bag
lacks $i$; these are its judges. The **disagreement** of the trees about a point is the variance of
their votes, with $v_k$ the share of the trees that say $k$:

$$
\sum_k v_k (1 - v_k) = 1 - \sum_k v_k^2 .
$$

**Why the mean helps.** Let each tree's share at $x$ have the [variance](glossary#variance)
$\sigma^2$ over all the training sets, bags and features that might have been drawn, and any two
trees the [correlation](glossary#correlation) $\rho$. Then

$$
\operatorname{Var}(P_b) = \rho \, \sigma^2 + \frac{1 - \rho}{b} \, \sigma^2 ,
$$

while the [bias](glossary#bias) is that of one tree. More trees take the second part away and bring
nothing back: $P_b$ comes nearer to its mean. That does no harm but where this mean itself is on the
wrong side. The first part stays; fewer features mostly lower $\rho$, but make the single tree
worse. A learner that hardly changes with its bag has $\rho \approx 1$: there is nothing to gain.

**Ties.** Equal cuts: the more even one, then the first feature, then the lower threshold. Equal
shares: the first class.

*Sources: CS337 (bagging, random forests); Breiman 1996 and 2001.*

## Try this
- [Half-blind trees](?data=moons&noise=0.5&n=400) At every split a tree may use only one of the two
  features, drawn by lot. What does that do to the trees, and what to their vote?
  Do: Go to the end and read the held-out errors. Then let both features be tried.
  Answer: The trees get worse, 14.5 % wrong on average instead of 13.5 %, but less alike, and the
  vote is no worse: 11.6 % instead of 12.5 %. On other samples, too, the vote is about as good
  either way, and clearly better than its trees.
- [An error for nothing](?data=moons&noise=0.5&n=1000&held=50) The out-of-bag error needs no point
  that is held out. How near does it come to the error on the points that no tree has seen?
  Do: Compare the two curves at the beginning and at the end.
  Answer: At the end it is 9.27 %, the held-out error 9.96 %; on other samples they mostly differ
  by less than 3 percentage points. In the first steps it is too high: few trees judge a point.
- [One question each](?data=circles&noise=0.15&depth=1&trees=50) A stump cuts the plane in two, and
  gets a third of this ring wrong. Can the mean of fifty stumps be round?
  Do: Go to the end. Then try depth 20, then depth 1 on the preset XOR with noise 0.3.
  Answer: Partly: 18.2 % of the held-out points are wrong, a stump alone gets 32.9 % wrong; deep
  trees leave 1.82 %. The mean of stumps is a curve along x plus a curve along y, which can be a
  ring, but never an exclusive or: there it is no better than a coin.
- [Too many trees?](?data=moons&n=400&noise=0.7&held=50&trees=100) On these points AdaBoost with
  trees of depth 2 gets worse when it goes on for long. Does a forest, too?
  Do: Compare the held-out error after 10 trees (step 9) and after 100.
  Answer: No: 18.9 % after 10 trees, 17.9 % after 100. On most samples it is no higher after 100
  trees than after 10.
- [A steady learner](?data=moons&noise=0.3&n=500&depth=1&tried=2) Thirty stumps, each free to use
  both features, see thirty different bags. How much better than a single one is their vote?
  Do: Go to the end and read the held-out errors; look at the dotted lines on the way. Then try
  depth 20.
  Answer: Not at all: a stump gets 22.1 % wrong on average, the vote 22.5 %. Nearly all the stumps
  cut across y, and three quarters of what one gets wrong another gets wrong as well: no vote mends
  that. Deep trees share about half of their mistakes: 3.75 % on average, their vote 1.99 %.
"""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles import random_forest as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from viz.ensembles import random_forest as draw

MOST_LEARNED = 150_000  # points of all trees together: these take three seconds at most


def grow(lab: Lab) -> Shown:
    """Grow a tree a step, on resamples of the points that are held in."""
    trees = lab.slider(
        "trees",
        "Trees",
        1,
        100,
        30,
        help=f"All together learn from {MOST_LEARNED:,} points at most.",
    )
    tried = lab.buttons(
        "tried", "Features tried at a split", [1, 2], 1,
        help="1: drawn anew at every split. 2: both, which is bagging.",
    )  # fmt: skip
    depth = lab.slider("depth", "Depth at most", 1, 20, 20)
    share = lab.slider("held", "Held-out points, %", 0, 60, 30)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 0, help="Draws the held-out points, the bags and the features."
    )
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    run = lab.run(
        algorithm.random_forest, X[~held], y[~held],
        n_trees=affordable(trees, int((~held).sum())), max_features=tried, max_depth=depth,
        rng=np.random.default_rng([seed, 2]),
    )  # fmt: skip
    sums = lab.later(algorithm.account, run, X, y, held)
    return lab.scene(draw.grow, run, lab.plane, held, sums, picked_point(lab), code=algorithm)


def affordable(trees: int, n: int) -> int:
    """Give how many of the trees are grown, on n points each."""
    return min(trees, MOST_LEARNED // max(n, 1))


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point on which every tree's vote is shown: at first where there are few others."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"grow": grow}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES)
