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
side of the curve the points are, and say medians instead of means. The
[Huber loss](glossary#huber-loss) lies between the two: residuals count in full up to a size δ, and
beyond it no more than δ.

With **two features** all is the same, but the sum is a surface, and a tree cuts the plane. Under
“two features” both columns of the picture are features, and a third one is predicted.

## Maths
For points $(x_i, y_i)$ let $L$ be the squared loss $\frac12 (y - F)^2$, the absolute loss
$\lvert y - F \rvert$ or the Huber loss,

$$
L_\delta = \tfrac12 (y - F)^2 \ \text{ if } \lvert y - F \rvert \le \delta , \qquad
\delta \bigl( \lvert y - F \rvert - \tfrac12 \delta \bigr) \ \text{ beyond it.}
$$

The sum of $t$ trees is

$$
F_t(x) = F_0 + \eta \sum_{s \le t} h_s(x) , \qquad
F_0 = \arg\min_c \sum_i L(y_i, c) ,
$$

the mean of all $y_i$ with the squared loss, their median with the absolute one; with the Huber loss
it starts at the median, too. Round $t$ asks in which direction the loss falls fastest, as
[gradient descent](glossary#gradient-descent) does, but its variables are the values of the curve at
the points:

$$
g_i = -\frac{\partial L}{\partial F(x_i)} = r_i \quad \text{or} \quad \operatorname{sign}(r_i)
\quad \text{or} \quad r_i \text{ within } \pm\delta , \qquad r_i = y_i - F_{t-1}(x_i) .
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
by the share $\eta (2 - \eta)$ of what their mean accounts for. With the absolute loss it is the
median $m$. With the Huber loss it is a step from there: $m$ + the mean of all $r_i - m$, each taken
within $\pm\delta$; and $\delta$ is chosen anew in each round, so that 90 % of the
$\lvert r_i \rvert$, or what is set, are no larger. The errors that are shown are then mean absolute
ones, which do not change with $\delta$.

**Ties.** Equal cuts: that of x, then the lower one. The run ends early when no residual is left.

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
  Do: Go to the end. Take the absolute loss, and Huber with 80 % within δ. Then take 100 rounds.
  Answer: 1.07 (the root of the mean square), 0.47 with the absolute loss, and 0.38 with Huber; both
  are less on all of the samples 0 to 9. But after 100 rounds it is 1.2 with both, and 1.3 with the
  squared loss: a tree that fences the three in has a median of their own, and follows them.
- [Never both](?view=two+features&data=xor&depth=1) Every tree asks for x or for y. Can a sum
  of a hundred of them tell the two classes, as 0 and 1, apart?
  Do: Go to the end, then set depth 2.
  Answer: No. Each tree is a function of x or one of y, and so is their sum: the surface rises from
  left to right by as much above as below. The held-out error is 0.275 at the end, more than the
  0.254 of a constant. With depth 2 it is 0.0255; on samples 0 to 3, below 0.07.
"""

from typing import Any

import numpy as np

from algorithms.core.splits import held_out
from algorithms.data.presets import Dataset
from algorithms.ensembles import gradient_boosting as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.picked_x import picked_x
from pages._shared.split_rng import split_rng
from viz.core.scene import Run
from viz.ensembles import gradient_boosting_scenes as draw

RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
NO_TARGET = (
    "Both columns are features here, and these data have no third one and no classes: nothing is "
    "left to predict. Under “Data” choose a preset with more, such as Penguins or XOR."
)


def boosting(lab: Lab) -> Shown:
    """Grow a tree a round on the residuals, and add a share of it."""
    how, held = asked(lab)
    X, query = lab.plane.X, picked_x(lab)
    run = lab.run(algorithm.gradient_boosting, X[:, :1], X[:, 1], held_out=held, **how)
    return lab.scene(draw.boosting, run, lab.plane, how["loss"], held, query, code=algorithm)


def two_features(lab: Lab) -> Shown:
    """Do so with both columns of the picture as features, and a third one to predict."""
    targets = what_is_left(lab.data)
    if not targets:
        return lab.scene(draw.two_features, Run("", (), NO_TARGET), code=algorithm)
    target = lab.choice("target", "Predict", list(targets), next(iter(targets)))
    how, held = asked(lab)
    query = picked_place(lab, across=0.3, up=0.7)
    run = lab.run(
        algorithm.gradient_boosting, lab.plane.X, targets[target], held_out=held, **how
    )  # fmt: skip
    return lab.scene(
        draw.two_features, run, lab.plane, how["loss"], held, query, target, code=algorithm
    )


def asked(lab: Lab) -> tuple[dict[str, Any], np.ndarray]:
    """Ask how to boost, and draw which points are held out."""
    rounds = lab.slider("rounds", "Rounds", 1, 300, 100)
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.1)
    depth = lab.slider("depth", "Depth of the trees", 1, 6, 2)
    loss = lab.buttons("loss", "Loss", ["squared", "absolute", "Huber"], "squared")
    within = 90
    if loss == "Huber":
        within = lab.slider("within", "Residuals within δ, %", 50, 100, 90, 5)
    part = lab.slider("part", "Points for each tree, %", 10, 100, 100, 10)
    share = lab.slider("held", "Held-out points, %", 0, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the held-out points and the parts.")
    how = {
        "rounds": rounds, "learning_rate": rate, "max_depth": depth, "loss": loss,
        "within": within / 100, "subsample": part / 100, "rng": np.random.default_rng([seed, 2]),
    }  # fmt: skip
    return how, held_out(len(lab.data.X), share / 100, rng=split_rng(seed), at_least=1)


def what_is_left(data: Dataset) -> dict[str, np.ndarray]:
    """Give the columns that are not on the axes, and the number of the class."""
    found = {
        name: data.table[:, j] for j, name in enumerate(data.columns) if j not in (data.x, data.y)
    }
    if len(data.classes) > 1:
        found["number of the class"] = data.labels.astype(float)
    return found


MODES = {"one feature": boosting, "two features": two_features}

if __name__ == "__main__":
    open_lab(__file__, data={"one feature": "sine", "two features": "penguins"}, n=100).show(MODES)
