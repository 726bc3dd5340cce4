r"""Linear regression

Least squares by formula, by gradient descent in its variants, and against outliers.

## Idea
The straight line $y = w x + b$ that fits best is the one with the smallest **mean squared error**:
the average area of the squares between the points and the line. There are two ways to find it.

**Closed form.** Write all targets as one long arrow $y$, with an entry for each point. Everything a
line can predict is a plane in that space. The best prediction is the shadow of $y$ on the plane:
what is left over, the [residual](glossary#residual), stands at a **right angle** to it. That gives
the formula for $w$ and $b$ at once. The view draws that triangle with its true lengths.

**Leverage.** Lift one point, and the line follows it by a share $h_i$ of the way, its
[leverage](glossary#leverage). It depends on where the point is along $x$ alone: near the middle the
others hold the line, far out the point has it nearly for itself. So a far point can make its own
residual small, and a small residual does not show that a point fits in.

**Gradient descent.** The error, drawn over slope and intercept, is a **bowl**. Start somewhere and
go downhill, again and again. How long should a step be?

- *too small*: it **creeps**;
- *right*: it **converges**;
- *too large*: it jumps over the valley, lands higher on the other side, and **diverges**.

The steepest direction decides what is too large, the flattest one how long it takes. So a long,
narrow valley is hard, and the rules differ in what they do about it. *Momentum* keeps rolling.
*AdaGrad*, *RMSProp* and *Adam* give the slope and the intercept a rate each. **Stochastic** and
**mini-batch** descent look at a few points per step: cheap steps, but not always downhill, and they
never quite come to rest.

**Absolute loss.** A point ten times as far off counts a hundred times in the squared error. So a
few [outliers](glossary#outlier) can tilt the line. The absolute error counts it ten times: each
point then pulls with the same force, and the line stays with the many.

## Maths
With $a_i = (x_i, 1)$, the matrix $A$ of rows $a_i$ and $\theta = (w, b)$ the objective is

$$
f(\theta) = \frac1n \sum_{i=1}^n (y_i - \theta \cdot a_i)^2 = \frac1n \lVert y - A\theta \rVert^2 .
$$

At the minimum the residual is orthogonal to the columns, $A^\top (y - A\theta) = 0$, so

$$
\theta = (A^\top A)^{-1} A^\top y ,
\qquad
w = \frac{S_{xy}}{S_{xx}} = \frac{\sum_i (x_i - \bar x)(y_i - \bar y)}{\sum_i (x_i - \bar x)^2} ,
\qquad b = \bar y - w \bar x .
$$

By Pythagoras $\lVert y - \bar y \rVert^2 = \lVert \hat y - \bar y \rVert^2 + \lVert y - \hat y
\rVert^2$, and $R^2 = \lVert \hat y - \bar y \rVert^2 / \lVert y - \bar y \rVert^2$ is the squared
cosine of the angle between $y - \bar y$ and its shadow.

**Leverage.** The fitted values are a projection of $y$, $\hat y = H y$ with
$H = A (A^\top A)^{-1} A^\top$. Raise $y_i$ by $\delta$, and

$$
\hat y_i \leftarrow \hat y_i + h_i \delta , \qquad
h_i = H_{ii} = \frac1n + \frac{(x_i - \bar x)^2}{S_{xx}} , \qquad
w \leftarrow w + \delta\, \frac{x_i - \bar x}{S_{xx}} .
$$

The $h_i$ sum to 2, one for each of $w$ and $b$, so that their average is $2 / n$ (unless all $x_i$
are the same).

**Descent.** With a batch of $B$ points $g = -\frac2B \sum_i (y_i - \theta \cdot a_i)\, a_i$; with
everything entry by entry, and $v = s = 0$ at the start, the rules are

$$
\begin{aligned}
\text{gradient:}\quad & \theta \leftarrow \theta - \eta g \\
\text{momentum:}\quad & v \leftarrow \beta v + \eta g, \quad \theta \leftarrow \theta - v \\
\text{AdaGrad:}\quad & s \leftarrow s + g^2, \quad
  \theta \leftarrow \theta - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{RMSProp:}\quad & s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  \theta \leftarrow \theta - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{Adam:}\quad & v \leftarrow \beta v + (1 - \beta) g, \quad
  s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  \theta \leftarrow \theta - \eta\, \hat v / (\sqrt{\hat s} + \varepsilon)
\end{aligned}
$$

where $\hat v = v / (1 - \beta^t)$ and $\hat s = s / (1 - \gamma^t)$ at step $t$. RMSProp has
$\gamma = 0.9$ here, Adam $\gamma = 0.999$, and $\varepsilon = 10^{-8}$ keeps the divisor above 0.

$f$ is a quadratic with the [curvatures](glossary#curvature) $l \le L$, the eigenvalues of
$\frac2n A^\top A$. A plain step multiplies the distance to the minimum, along a direction of
curvature $c$, by $1 - \eta c$. It never raises $f$ if

$$
\eta < \frac{2}{L} , \qquad\text{and with momentum it is stable if}\quad
\eta < \frac{2 (1 + \beta)}{L} .
$$

**Absolute loss.** $f_1(\theta) = \frac1n \sum_i \lvert y_i - \theta \cdot a_i \rvert$ has no
formula. As $\lvert r \rvert = r^2 / \lvert r \rvert$, the steps fit a *weighted* least squares line
with $u_i = 1 / \lvert r_i \rvert$ from the line before. The last one is exact, by linear
programming.

*Sources: CS337 lectures 2, 3 and 5 and optimisers; CS725 19.2; Duchi et al. 2011; Hinton 2012;
Hoaglin and Welsch 1978; Kingma and Ba 2015; Schlossmacher 1973.*

## Try this
- [Too small, too large](?data=line&view=descent&rule=gradient&eta=0.003) The rate η = 0.003 creeps:
  after 100 steps 3.6 % of the way down is left. Does a larger rate always get there sooner?
  Do: Raise the rate step by step up to 0.4, and compare it with 2/L in the caption of step 0.
  Answer: No. With η = 0.1 it takes 44 steps, with 0.2 only 20, with 0.25 again 23, and with 0.3 it
  jumps to and fro for more than 100. Beyond 2/L = 0.315 it diverges.
- [A narrow valley](?data=iris&view=descent&rule=gradient&eta=0.05) The lengths are all above 0, so
  slope and intercept can stand in for each other: the bowl is a narrow valley. Which is nearer to
  its floor after 100 steps, plain descent or momentum?
  Do: Step to the end and read off by how much f is above the least, then choose momentum. Then go
  back to the gradient, standardise x and y and raise η to 0.1.
  Answer: Momentum: it overshoots at first, but has 0.0008 % of the way down left, plain descent
  0.054 %. Standardised, the contours are circles and no rule is needed: 53 steps will do.
- [A few points at a time](?data=line&view=descent&rule=gradient&eta=0.1&batch=4&steps=300) Each
  step looks at 4 of the 60 points only. Does the line come to rest?
  Do: Step to the end. Compare 1, 4 and 16 points per step, then lower the rate to 0.01. Last, take
  0.1 again, go to step 10 and press What if: 0.01 from there.
  Answer: No: every batch has a bowl of its own, so it wanders. Over the last 100 steps f is on
  average 0.22 above the least with 1 point, 0.041 with 4 and 0.0054 with 16. With 4 points and
  η = 0.01 it is 0.00085: the slower, the nearer. But at step 20 that one is still 0.18 above the
  least; with 0.1 for ten steps and 0.01 from there it is 0.0056, and as near at the end.
- [One far point](?view=leverage&data=outlier) Two points are lifted by the same amount: the one in
  the middle, and the one far out on the right. Which of them takes the line along?
  Do: Drag the point on the right, then choose the middle.
  Answer: The far one: the line follows it by 32.6 % of the way, and the slope rises by 0.076 for
  every unit. The one in the middle moves it by 1.78 % of the way, and the slope by 0.0047.
- [Outliers](?view=outliers&data=line+with+outliers) Three of 60 points have fallen to the bottom.
  What can they do to the line of least squares, and what to that of the absolute loss?
  Do: Step to the end. Then erase the three.
  Answer: The 57 others follow y = 0.8 x + 0.3. Least squares is tilted to a slope of 0.576, the
  absolute loss only to 0.773: each point pulls with the same force there, however far away it is.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from algorithms.regression.least_squares import (
    absolute_loss,
    gradient_descent,
    leverage,
    linear_regression,
)
from algorithms.regression.least_squares.on_plane import (
    ENDS,
    descend_on_plane,
    near_one,
    pull_on_plane,
)
from algorithms.regression.least_squares.optimizers import RULES, Rule
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_x import picked_x
from pages._shared.what_if import Ways, another_rate, seen, what_if
from viz.core.scene import Run
from viz.regression.least_squares import linear_regression_scenes as scenes
from viz.regression.least_squares.gradient_descent_words import Rules

RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.6]
ALL_RATES = [*RATES, 0.8, 1.0, 1.5]
ALL, ZEROS, PLACED = "all", "w = b = 0", "placed by hand"
WITH_MEMORY = ("momentum", "Adam")


def descent(lab: Lab) -> Shown:
    """Go down the bowl of the squared error, step by step."""
    points = lab.plane.X
    rule = choose_rule(lab)
    size = lab.buttons("batch", "Points per step", [ALL, "1", "4", "16", "64"], ALL)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Shuffles the points for the batches.")
    most = lab.log_slider("steps", "Steps at most", [10, 30, 60, 100, 300, 1000, 3000], 100)
    begin = lab.buttons("begin", "Start", [ZEROS, PLACED], ZEROS)
    wide = not near_one(points)  # two switches: each remembers what was chosen for data of its kind
    standardize = lab.toggle("scaled_wide" if wide else "scaled", "Standardise x and y", wide)
    placed = lab.places("line", "The line at the start", falling(lab)) if begin == PLACED else None
    query = picked_x(lab)

    def show(**later: Any) -> Shown:
        run = lab.run(
            descend_on_plane, points, rule, standardize=standardize, places=placed,
            rng=np.random.default_rng(seed), max_iter=most,
            batch=None if size == ALL else min(int(size), len(points)), **later,
        )  # fmt: skip
        rules, data = Rules(rule, later.get("later")), seen(lab.plane, **later)
        return lab.scene(
            scenes.descent, run, data, query, rules, standardize, unused(lab),
            code=gradient_descent,
        )  # fmt: skip

    return what_if(lab, show, partial(another_rule, rule), points=True)


def another_rule(rule: Rule, ways: Ways, was: Run, step: int) -> dict[str, Any]:
    """Ask for another learning rate for the rule."""
    how = another_rate(ALL_RATES, rule.learning_rate, ways, was, step)
    return {name: (at, replace(rule, learning_rate=rate)) for name, (at, rate) in how.items()}


def formula(lab: Lab) -> Shown:
    """Project on one column after the other."""
    x, y = lab.plane.X.T
    run = lab.run(linear_regression.linear_regression, x[:, None], y)
    query = picked_x(lab)
    return lab.scene(scenes.formula, run, lab.plane, query, unused(lab), code=linear_regression)


def pull(lab: Lab) -> Shown:
    """Pull one point up and down: how far does the line follow?"""
    end = lab.buttons("end", "Point to pull", list(ENDS), "right")
    low, high = lab.plane.bounds[2:]
    run = lab.run(pull_on_plane, lab.plane.X, end, low=low, high=high)
    return lab.scene(scenes.leverage, run, lab.plane, end, unused(lab), code=leverage)


def outliers(lab: Lab) -> Shown:
    """Go from least squares to the absolute loss."""
    x, y = lab.plane.X.T
    run = lab.run(absolute_loss.absolute_loss, x[:, None], y)
    query = picked_x(lab)
    return lab.scene(scenes.outliers, run, lab.plane, query, unused(lab), code=absolute_loss)


def choose_rule(lab: Lab) -> Rule:
    """Ask for the rule that turns gradients into steps, and for its numbers."""
    name = lab.choice("rule", "Rule", list(RULES), "gradient")
    eta = lab.log_slider("eta", "Learning rate η", ALL_RATES, 0.1)
    rule = RULES[name](eta)
    if name in WITH_MEMORY:
        rule = replace(rule, beta=lab.slider("beta", "Memory β", 0.0, 0.99, 0.9, 0.01))
    return rule


def falling(lab: Lab) -> np.ndarray:
    """Give two places on a falling line, to be dragged elsewhere."""
    left, right, bottom, top = lab.plane.bounds
    low, high = np.array([left, bottom]), np.array([right, top])
    return low + (high - low) * [[0.1, 0.6], [0.9, 0.4]]


def unused(lab: Lab) -> int:
    """Count the columns of the table that are not on the plane."""
    return len(lab.data.columns) - 2


OPENS_ON = {"descent": "line", "outliers": "line with outliers"}

MODES = {
    "descent": descent,
    "formula": formula,
    "leverage": pull,
    "outliers": outliers,
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
