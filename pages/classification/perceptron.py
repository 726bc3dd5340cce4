r"""Perceptron

One sample at a time: where the line is wrong about it, the line is moved towards being right.

## Idea
A line $w \cdot x + b = 0$ cuts the plane in two. The perceptron visits the samples one after the
other (the ring). If the line is right about a sample, nothing happens. If it is wrong, the sample's
own vector is added to the weights, or subtracted, depending on its class. The view beside the
picture shows that as **vectors, tip to tail**: the weights before in grey, what is added in the
colour of the sample's class, the new weights in ink. The line turns with them, at a right angle to
the weights (dashed: where it was). Each update makes the score of its sample better, not always
good, and it may spoil others.

**Does it end?** If some line separates the classes, yes, and there is a limit for the number of
mistakes that does not even depend on the number of samples. The second view shows the proof at
work: the length of $(w, b)$ cannot grow fast, its part along the best separator $u$ (the dotted
ray) cannot grow slowly, and where floor and ceiling meet it is over.

If no line separates the classes, the perceptron never ends. Then the picture shows a proof: at the
cross, points of one class and points of the other can be mixed (averaged with weights) into the
same place, so no line has one class all on one side. The weights wander, or **cycle** if the
samples come in the same order every time. Two variants make the best of it:

- **averaged** predicts with the mean of all weights so far; **pocket** keeps the weights with the
  fewest errors so far. The solid line (and the diamond) is what predicts, the dashed one is the
  perceptron's own.
- The **delta rule** corrects at every sample, right or wrong, by how far the score is from $\pm 1$.
  It does not stop at a separator; it comes near the line with the least squared error, also where
  the classes overlap: the smaller the learning rate, the nearer (and the later).

Points on the wrong side have a thick outline.

## Maths
With $y = -1$ for the first class and $y = +1$ for the second, $o = w \cdot x + b$ and the learning
rate $\eta$, one visit to a sample $(x, y)$ does

$$
\text{perceptron:}\quad \text{if } y\,o \le 0: \quad (w, b) \leftarrow (w, b) + \eta\, y\,(x, 1)
\qquad\qquad \text{delta rule:}\quad (w, b) \leftarrow (w, b) + \eta\, (y - o)\,(x, 1) .
$$

Both are stochastic gradient descent, on
$E = \frac1n \sum_i \max(0, -y_i o_i)$ and on $E = \frac1n \sum_i \frac12 (y_i - o_i)^2$. The first
is least, 0, at $w = 0$, $b = 0$ as well, which is no line at all. Runs start there by default and
leave it only because $o = 0$ counts as a mistake: the rule looks for a separator, not for less
loss. With a constant $\eta$ the second is brought near its minimum only: a run in cyclic order
settles beside it, as every sample pulls last in its turn, and ends in it as $\eta \to 0$.

**The bound.** Write $t = (w, b)$ and $a_i = (x_i, 1)$, so that the bias is one of the weights. Let
$R = \max_i \lVert a_i \rVert$, and let $u$ with $\lVert u \rVert = 1$ be the best separator,
$\gamma = \max_u \min_i y_i\, u \cdot a_i > 0$. (This margin is measured in the space of the $a_i$,
in which the separator passes through the origin.) After $k$ mistakes, starting at $t_0$,

$$
t_k \cdot u \ge t_0 \cdot u + k \eta \gamma \quad \text{(floor)}, \qquad
\lVert t_k \rVert^2 \le \lVert t_0 \rVert^2 + k \eta^2 R^2 \quad \text{(ceiling)} ,
$$

the first because each update adds $\eta\, y\, a \cdot u \ge \eta \gamma$, the second because
$y\, t \cdot a \le 0$ at a mistake. Since $t_k \cdot u \le \lVert t_k \rVert$, $k$ cannot pass the
place where floor and ceiling meet. From $t_0 = 0$ that is

$$
k \le \left( \frac{R}{\gamma} \right)^2 , \quad \text{whatever } \eta \text{ is.}
$$

**No separator.** By linear programming, either some $t$ has $y_i\, t \cdot a_i > 0$ for all $i$, or
there are $\lambda_i \ge 0$, of sum 1 over each class, with
$\sum_{y_i = +1} \lambda_i x_i = \sum_{y_i = -1} \lambda_i x_i$: the cross.

*Sources: CS725 lecture 20, CS337, 20APC3316 (delta rule); Block and Novikoff 1962; Gallant 1990;
Freund and Schapire 1999.*

## Try this
- [Every mistake is one vector](?data=gates&second=1&n=4&noise=0&order=cyclic) The logic gate AND:
  four samples. Step through it and do the sums of the caption by hand.
- [A cycle](?data=gates&second=2&n=4&noise=0&order=cyclic&init=ones) XOR has no separator. The
  weights come back to where they were, and so the same mistakes are made for ever. Start at zeros,
  then shuffle the order.
- [A narrow margin](?data=outlier&order=shuffled) One far sample makes R large, and the classes are
  close: many more mistakes are possible. Drag the far point nearer and watch the bound.
- [Which line is left?](?data=almost separable&variant=plain&seed=3) Three samples are in the wrong
  place. At the last step plain has whatever line it stopped at: 41 of 100 points wrong. Compare
  averaged and pocket: 3. Take other seeds: plain changes, the two others do not.
- [Right is not enough](?data=outlier&variant=delta rule&delta_rate=0.03&order=cyclic)
  The far sample is on its right side, yet the delta rule lets it pull the line. Erase it and
  watch. Then try rates above the one in the note.
"""

from collections.abc import Callable, Iterable

import numpy as np

from algorithms.classification.linear import perceptron as algorithm
from algorithms.classification.linear.perceptron_bound import separate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import on_features
from pages._shared.lab import Lab, Shown, open_lab
from viz.classification.linear import perceptron_scenes as draw
from viz.classification.linear.perceptron_words import Settings
from viz.core.scene import Scene

RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
EPOCHS = [1, 2, 5, 10, 20, 50, 100, 200]
MOST_VISITS = 50_000


def plain(lab: Lab) -> Shown:
    """Predict with the weights as they are."""
    return correct_mistakes(lab, "plain")


def averaged(lab: Lab) -> Shown:
    """Predict with the mean of all weights so far."""
    return correct_mistakes(lab, "averaged")


def pocket(lab: Lab) -> Shown:
    """Predict with the weights that had the fewest errors so far."""
    return correct_mistakes(lab, "pocket")


def correct_mistakes(lab: Lab, variant: str) -> Shown:
    """Correct the weights where they are wrong about a sample."""
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    return train(lab, algorithm.perceptron, draw.mistakes, rate, variant=variant)


def delta_rule(lab: Lab) -> Shown:
    """Correct the weights at every sample."""
    rate = lab.log_slider("delta_rate", "Learning rate η", RATES, 0.03)
    return train(lab, algorithm.delta_rule, draw.delta_rule, rate)


def train(
    lab: Lab,
    rule: Callable[..., Iterable],
    show: Callable[..., Scene],
    rate: float,
    **how: str,
) -> Shown:
    """Ask for what all rules need, and show one of them."""
    order = lab.buttons("order", "Order of the samples", ["shuffled", "cyclic"], "shuffled")
    init = lab.buttons("init", "Weights at the start", ["zeros", "ones"], "zeros")
    epochs = int(lab.log_slider("epochs", "Epochs at most", EPOCHS, 50))
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Shuffles the samples, anew in every epoch.")
    standardize = lab.toggle("rescale", "Standardise the features", False)
    plane = lab.plane
    allowed = max(1, MOST_VISITS // max(1, len(plane.X)))
    run = lab.run(
        on_features, rule, plane.X, plane.labels, standardize=standardize,
        rng=np.random.default_rng(seed), learning_rate=rate, max_epochs=min(epochs, allowed),
        order=order, init=init, **how,
    )  # fmt: skip
    features = lab.later(
        polynomial_features, plane.X, 1, standardize=standardize, columns=plane.names
    )
    known = lab.later(on_features, separate, plane.X, plane.labels, standardize=standardize)
    settings = Settings(rate, init, epochs, allowed)
    return lab.scene(show, run, plane, features, known, settings, code=algorithm)


open_lab(__file__, data="separable", n=40, noise=1.0).show(
    {"plain": plain, "averaged": averaged, "pocket": pocket, "delta rule": delta_rule},
    name="variant",
    label="Rule",
    menu=True,
)
