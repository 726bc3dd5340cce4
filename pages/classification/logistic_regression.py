r"""Logistic regression

A line or curve with a probability on either side, found by gradient descent or by Newton's method.

## Idea
Logistic regression scores a point by a weighted sum of its features, $w \cdot x + b$, and turns the
score into a **probability** with an S-shaped curve. Where the score is 0 both classes have
probability 0.5: that is the black line. Far from it the model is sure (strong colour), near it the
model is undecided (pale). Points on the wrong side have a thick outline.

The weights start at zero and are changed to make the **loss** smaller: how surprised the model is,
on average, by the true classes.

- **Gradient descent** goes a little way downhill at every step. The *learning rate* says how far:
  too small and it crawls, too large and it jumps over the valley, to and fro or ever farther.
- **Newton's method** also looks at how the slope changes and goes straight to where the minimum
  should be. It needs few steps, each of which costs more.

With **polynomial features** ($x^2$, $xy$, …) the same straight line, drawn in a larger space, is a
curve in the plane. The **penalty** keeps the weights small: it makes the border smoother and the
probabilities less extreme. Without it, classes that can be separated make the weights grow for
ever.

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

where $s = 1$, halved while the loss would rise. $f$ is convex, so there is one minimum to find. A
learning rate below $2/L$ never raises the loss, where $L = \lambda_{\max}/4 + \lambda$ for two
classes ($\lambda_{\max}/2 + \lambda$ for more) and $\lambda_{\max}$ is the largest eigenvalue of
$\frac1n \sum_i a_i a_i^\top$.

If every point is on its right side, multiplying all weights by 2 lowers the loss: there is no
minimum, and the weights grow without bound unless $\lambda > 0$. The same holds for some of the
weights if one class of several can be separated from the rest.

*Sources: CS725 lecture 23 (16.1), CS337 (logistic regression); Böhning 1992 for the bound.*

## Try this
- [Too fast](?data=moons&method=gradient&rate=100) The learning rate is far above the safe one
  in the note: the steps jump to and fro over the valley, and the loss rises again and again. Lower
  the rate until the loss only falls.
- [Newton's few steps](?data=blobs&classes=2&noise=1&method=newton) Compare the number of steps, and
  the path over the loss surface, with gradient descent.
- [Weights without bound](?data=separable&method=newton&penalty=0) The classes can be separated and
  there is no penalty. The weights grow without bound while the line settles: from step 10 on it
  turns by less than 2°, and $\lVert w \rVert$ still more than doubles. Then set the penalty to
  0.01: $\lVert w \rVert$ stays near 3.
- [A curve from a line](?data=circles&degree=2&method=newton) Degree 2 is enough for circles, degree
  1 cannot do it. Go from 1 to 4 and back: what changes where there are no points?
- [Three classes](?data=blobs&classes=3&noise=0.8&method=gradient) Softmax draws three borders that
  meet in one point. Move some points of one class and watch.
"""

from algorithms.classification.linear import logistic_regression as algorithm
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import on_features
from pages._shared.lab import Lab, Shown, open_lab
from viz.classification.linear import logistic_regression as draw

RATES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0]
PENALTIES = [0.0, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0]


def descent(lab: Lab) -> Shown:
    """Lower the loss step by step."""
    method = lab.buttons("method", "Method", ["gradient", "newton"], "gradient")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0, help="Used by gradient descent.")
    penalty = lab.log_slider("penalty", "Penalty λ", PENALTIES, 0.0)
    degree = lab.slider("degree", "Degree of the features", 1, 4, 1)
    standardize = lab.toggle("standardize", "Standardise the features", True)
    most = lab.log_slider("steps", "Steps at most", [10, 30, 60, 100, 300, 1000], 60)
    plane = lab.plane
    run = lab.run(
        on_features, algorithm.logistic_regression, plane.X, plane.labels,
        degree=degree, standardize=standardize,
        method=method, learning_rate=rate, penalty=penalty, max_iter=most,
    )  # fmt: skip
    features = lab.later(
        polynomial_features, plane.X, degree, standardize=standardize, columns=plane.names
    )
    return lab.scene(draw.descent, run, plane, features, penalty, method, code=algorithm)


open_lab(__file__, data="moons").show(descent)
