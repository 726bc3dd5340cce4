r"""Gradient boosting

Small trees, each grown on what the sum of those before it leaves over.

## Idea
A [tree](glossary#decision-tree) of two or three cuts is a crude curve: a few steps. Gradient
boosting adds up many of them, one a round, each grown on the mistakes of the sum so far.

- **Start**: the same number everywhere, the mean of the points' y.
- **[Residuals](glossary#residual)**: how far is each point above or below the curve?
- **Tree**: cut the x axis so that the residuals differ as little as can be within each part, and
  let the tree say the mean residual of the part.
- **Add** a share η of the tree to the curve. The residuals shrink, and the next tree is grown on
  what is left.

Why only a share, the [learning rate](glossary#learning-rate)? With η = 1 every tree takes all that
it sees for true, noise included, and the next ones build on that. With small steps many trees
have to agree before the curve has gone all the way, and single points count for less. The price is
the number of rounds.

In contrast to a [forest](glossary#random-forest), more trees can do harm: when the curve has found
what there is to find, the residuals are noise, and the trees learn it by heart. Points that are
[held out](glossary#held-out-points) of the learning tell when: mostly their error falls first and
rises later. Its lowest place is the number of rounds to take.

Two more brakes are of the same kind. Shallow trees cannot fence single points in so soon. And each
tree can be grown on a **part of the points**, drawn anew every round: then no point has a say in
every tree.

With the **absolute** loss a far point counts no more than any other: the trees see only on which
side of the curve the points are, and say medians instead of means.

## Maths
For points $(x_i, y_i)$ let $L$ be the squared loss $\frac12 (y - F)^2$ or the absolute loss
$\lvert y - F \rvert$. The sum of $t$ trees is

$$
F_t(x) = F_0 + \eta \sum_{s \le t} h_s(x) , \qquad
F_0 = \arg\min_c \sum_i L(y_i, c) ,
$$

the mean or the median of all $y_i$. Round $t$ asks in which direction the loss falls fastest, as
[gradient descent](glossary#gradient-descent) does, but its variables are the values of the curve at
the points:

$$
g_i = -\frac{\partial L}{\partial F(x_i)} = r_i \quad \text{or} \quad \operatorname{sign}(r_i) ,
\qquad r_i = y_i - F_{t-1}(x_i) .
$$

Only for the points is this direction known. A tree carries it over to all x: it is grown on the
$(x_i, g_i)$ by the cuts that lower the sum of squares most. Of $m$ values with mean $\bar g$, a cut
behind the first $k$ of them, in the order of x, lowers it by

$$
\frac{m}{k (m - k)} \Bigl( \sum_{i \le k} (g_i - \bar g) \Bigr)^2 .
$$

Each leaf $R$ then says what is best for its own points, and a share of the tree is added:

$$
h_t(x) = \arg\min_c \sum_{x_i \in R} L(r_i, c) \ \text{ for } x \in R , \qquad
F_t = F_{t-1} + \eta \, h_t .
$$

With the squared loss that is the mean residual, and the squared error of the points in $R$ falls
by the share $\eta (2 - \eta)$ of what their mean accounts for.

**Ties.** Equal cuts: the lower one. The run ends early when no residual is left.

*Source: Friedman 2001, and 2002 for the part of the points. It is not in the course notes: their
chapter on boosting (CIS787) ends with AdaBoost.*

## Try this
- [When to stop](?rounds=300) The training error falls all the time. When is the error on the
  held-out points lowest, and what is it at the end?
  Do: Go to the next event, then to the end.
  Answer: At round 22, at 0.165; the noise alone is 0.16. At the end it is 0.408, although the
  training error has fallen to 0.005: the last trees have learnt the noise. On 7 of the samples 0 to
  9 the held-out error ends at least a quarter above its lowest value.
- [Learnt by heart](?rate=1&depth=6) Deep trees, added whole. How many rounds does it take until no
  residual is left, and how good is the curve?
  Do: Step to the end, and compare the two errors. Then take η = 0.1 and depth 2.
  Answer: 6 rounds. The curve goes through every training point, and the held-out error is 0.45; the
  first round alone had 0.4. With η = 0.1 and depth 2 its lowest is 0.165.
- [Too careful](?rate=0.01) A very small learning rate cannot overfit soon. Are 100 rounds enough?
  Do: Go to the end, then try 300 rounds.
  Answer: No: the training error is still 0.443, and the last round is the best so far, with a
  held-out error of 0.362. With 300 rounds the best is round 216, with 0.168: as good as η = 0.1, in
  ten times as many rounds.
- [Half of the points](?depth=4&part=50) Each tree sees half of the training points, drawn anew.
  Does it do worse for it?
  Do: Read the lowest held-out error, then let every tree see all of them.
  Answer: No, better: 0.172, with all points 0.19. So it is on 9 of the samples 0 to 9. Trees of
  depth 4 can fence single points in; but no point is in every tree's half.
- [Fallen points](?data=line+with+outliers&depth=1&rounds=30&held=0) Three points have fallen to
  the bottom; the others follow y = 0.8 x + 0.3. How far off that line is the curve?
  Do: Go to the end, then take the absolute loss. Then take 100 rounds.
  Answer: 1.07 (the root of the mean square), and 0.47 with the absolute loss; it is less on all of
  the samples 0 to 9. But after 100 rounds it is 1.2: a tree that fences the three in has a median
  of their own, and follows them after all.
"""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles import gradient_boosting as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_x import picked_x
from viz.ensembles import gradient_boosting_scenes as draw

RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]


def boosting(lab: Lab) -> Shown:
    """Grow a tree a round on the residuals, and add a share of it."""
    rounds = lab.slider("rounds", "Rounds", 1, 300, 100)
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.1)
    depth = lab.slider("depth", "Depth of the trees", 1, 6, 2)
    loss = lab.buttons("loss", "Loss", ["squared", "absolute"], "squared")
    part = lab.slider("part", "Points for each tree, %", 10, 100, 100, 10)
    share = lab.slider("held", "Held-out points, %", 0, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the held-out points and the parts.")
    X, query = lab.plane.X, picked_x(lab)
    # Streams of their own: the one that drew the points would hold out a part of the shape.
    held = held_out(len(X), share / 100, rng=np.random.default_rng([seed, 1]), at_least=1)
    run = lab.run(
        algorithm.gradient_boosting, X[:, :1], X[:, 1], rounds=rounds, learning_rate=rate,
        max_depth=depth, loss=loss, subsample=part / 100, held_out=held,
        rng=np.random.default_rng([seed, 2]),
    )  # fmt: skip
    return lab.scene(draw.boosting, run, lab.plane, loss, held, query, code=algorithm)


MODES = {"boosting": boosting}

if __name__ == "__main__":
    open_lab(__file__, data="sine", n=100).show(MODES)
