r"""Logistic regression

A line or curve with a probability on either side, found by gradient descent or by Newton's method.

## Idea
Logistic regression scores a point by a weighted sum of its features, $w \cdot x + b$, and turns the
score into a **probability** with an S-shaped curve, the
[sigmoid](glossary#logistic-function). Where the score is 0 both classes have probability 0.5: that
is the thick line. Far from it the model is sure (strong colour), near it the model is undecided
(pale). Points on the wrong side have a thick outline.

The second view has the points in a row by their scores: up at 1 those of the second class, down
at 0 the others. The **loss** of a point (its bar) is how surprised the model is by its true class:
0.69 where it is undecided, next to nothing where it is sure and right, and the more the surer it is
where it is wrong. The weights start at zero and are changed to make the mean of all bars smaller.

- **[Gradient descent](glossary#gradient-descent)** goes a little way downhill at every step. The
  *learning rate* says how far: too small and it crawls, too large and it jumps over the valley, to
  and fro or ever farther.
- **[Newton's method](glossary#newton-method)** also looks at how the slope changes and goes
  straight to where the minimum should be. It needs few steps, each of which costs more.

With **polynomial features** ($x^2$, $xy$, …) the same straight line, drawn in a larger space, is a
curve in the plane. The **[penalty](glossary#penalty)** keeps the weights small: it makes the border
smoother and the probabilities less extreme. Without it, classes that can be separated make the
weights grow for ever, and the S becomes a step. That is no proof of being right: hold some points
out and see what it says of them.

With more than two classes every class has a score of its own, and the
[softmax](glossary#softmax) makes probabilities of them: each is $e$ to the power of its score, as a
share of the sum of all. Drag the cross hair to see the scores of any place.

## Maths
For classes $1, \dots, K$ with weights $w_k$ and intercepts $b_k$

$$
P(k \mid x) = \frac{e^{w_k \cdot x + b_k}}{\sum_l e^{w_l \cdot x + b_l}} .
$$

For two classes the first row is fixed at zero and one row remains:
$P(2 \mid x) = \sigma(w \cdot x + b)$ with $\sigma(z) = 1 / (1 + e^{-z})$. The loss is
the mean negative log-likelihood plus the penalty

$$
f(W, b) = -\frac1n \sum_{i=1}^n \ln P(y_i \mid x_i) + \frac{\lambda}{2} \lVert W \rVert^2
$$

(the intercepts are not penalised). With $a_i = (x_i, 1)$ its gradient is

$$
g_k = \frac1n \sum_{i=1}^n \bigl( P(k \mid x_i) - [y_i = k] \bigr)\, a_i + \lambda\, (w_k, 0) ,
$$

and the two rules, with $\theta = (W, b)$, the learning rate $\eta$ and the Hessian $H$, are

$$
\text{gradient descent:}\quad \theta \leftarrow \theta - \eta\, g
\qquad\qquad \text{Newton:}\quad \theta \leftarrow \theta - s\, H^{-1} g ,
$$

where $s = 1$, halved while the loss would rise; $H$ holds the second derivatives
([Hessian](glossary#hessian)). $f$ is [convex](glossary#convex): it has a single valley, and no
second one to be caught in. A learning rate below $2/L$ never raises the loss, where
$L = \lambda_{\max}/4 + \lambda$ for two classes ($\lambda_{\max}/2 + \lambda$ for more) and
$\lambda_{\max}$ is the largest [eigenvalue](glossary#eigenvalue) of
$\frac1n \sum_i a_i a_i^\top$.

If every point is on its right side and $\lambda = 0$, multiplying all weights and intercepts by 2
lowers the loss: there is no minimum, and the weights grow without bound. The same holds for some of
the weights if one class of several can be separated from the rest.

*Sources: CS725 lecture 23 (16.1), CS337 (logistic regression); Böhning 1992 for the bound.*

## Try this
- [Too fast](?data=moons&method=gradient&rate=100) The learning rate is far above the safe one in
  the note below. Does the loss still fall?
  Do: Step through it, then set the rate to 3.
  Answer: The steps jump to and fro over the valley: the loss rises in about a third of the 300
  steps, up to 6.9, and is above the 0.69 of the start most of the time. Where it stands at the end
  is chance: a change of the data in the last digit changes it. At 3 it never rises, and converges
  at 0.30.
- [Newton's few steps](?data=moons&method=newton) How many steps does Newton's method need, and how
  many gradient descent?
  Do: Go to the end, choose gradient with the rate 3, and compare the paths over the loss surface.
  Answer: 6 against 107, for the same loss of 0.30. Gradient descent comes near soon and then creeps
  along the valley floor; Newton's method knows the valley's shape.
- [Steep is not certain](?data=moons&n=100&noise=0.4&degree=3&method=newton&held=70) At the end
  every point that was learned from is right, and sure to be so. Is the model as sure of the ringed
  points, which it has not seen, and is it right?
  Do: Watch the S become a step, and the two curves of the loss. Then set the penalty to 0.01.
  Answer: As sure, but 26 % of them are wrong. Larger weights keep lowering the training loss, to
  0.00000002, for they make right answers surer. They make wrong ones surer too: the held-out loss
  rises from 0.46 at step 1 to 29. With the penalty it ends at 0.46, and 12 % are wrong.
- [Weights without bound](?data=separable&method=newton&penalty=0) The classes can be separated and
  there is no penalty. What goes on when the line has found its place?
  Do: Go to the end and watch the numbers of w. Then set the penalty to 0.01.
  Answer: From step 10 on the line turns by less than 2°, and $\lVert w \rVert$ still more than
  doubles: the same line, with ever more extreme probabilities. With the penalty
  $\lVert w \rVert$ stays near 3.
- [A curve from a line](?data=circles&degree=1&method=newton) One class is a ring around the other.
  Which degree of the features is enough to tell them apart?
  Do: Go to the end, then raise the degree from 1 to 4.
  Answer: 2: with $x^2$ and $y^2$ a line in the larger space is an ellipse here, and all 200 points
  are right. With degree 1 it is 52 %, as good as a guess. Degree 4 is right about the same points;
  it differs where there are none.
"""

from functools import partial
from typing import Any

import numpy as np

from algorithms.classification.linear import logistic_regression as algorithm
from algorithms.core.features import polynomial_features
from algorithms.core.moved_points import PointsMoved
from algorithms.core.pipeline import on_features
from algorithms.core.splits import held_out
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from pages._shared.what_if import another_rate, seen, what_if
from viz.classification.linear import logistic_regression_scenes as draw
from viz.classification.linear.logistic_regression import account
from viz.classification.linear.logistic_regression_scenes import Asked

RATES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0]
PENALTIES = [0.0, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0]
STEPS = [10, 30, 60, 100, 300, 1000]


def descent(lab: Lab) -> Shown:
    """Lower the loss step by step."""
    method = lab.buttons("method", "Method", ["gradient", "newton"], "gradient")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 3.0, help="Used by gradient descent.")
    penalty = lab.log_slider("penalty", "Penalty λ", PENALTIES, 0.0)
    degree = lab.slider("degree", "Degree of the features", 1, 4, 1)
    standardize = lab.toggle("standardize", "Standardise the features", True)
    most = lab.log_slider("steps", "Steps at most", STEPS, 300)
    share = lab.slider("held", "Held-out points, %", 0, 80, 0, 5)
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    held = held_out(len(X), share / 100, rng=split_rng(0), codes=y)
    features = lab.later(
        polynomial_features, X[~held], degree, standardize=standardize, columns=names
    )
    picked = picked_point(lab)

    def show(points_moved: PointsMoved | None = None, **later: Any) -> Shown:
        data, learned = seen(lab.plane, points_moved), among(~held, points_moved)
        run = lab.run(
            on_features, algorithm.logistic_regression, X[~held], y[~held],
            degree=degree, standardize=standardize,
            method=method, learning_rate=rate, penalty=penalty, max_iter=most, **later, **learned,
        )  # fmt: skip
        known = lab.later(account, run, data, features, held, penalty)
        asked = Asked(method, held, picked, **later)
        return lab.scene(draw.descent, run, data, features, known, asked, code=algorithm)

    if method == "newton":
        return show()
    return what_if(lab, show, partial(another_rate, RATES, rate), points=True)


def among(kept: np.ndarray, points_moved: PointsMoved | None) -> dict[str, Any]:
    """Give the moved points that are among the (n,) kept ones, by their place among these."""
    if points_moved is None or not kept[points_moved[1]].any():
        return {}
    at, rows, places = points_moved
    return {"points_moved": (at, (kept.cumsum() - 1)[rows[kept[rows]]], places[kept[rows]])}


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose score and probability are told: at first up on the right."""
    return picked_place(lab, across=0.75, up=0.8)


MODES = {"descent": descent}

if __name__ == "__main__":
    open_lab(__file__, data="moons").show(MODES)
