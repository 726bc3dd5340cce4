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
  It does not stop at a separator; it approaches the line with the least squared error, also where
  the classes overlap.

Points on the wrong side have a thick outline.

## Maths
With $y = -1$ for the first class and $y = +1$ for the second, $o = w \cdot x + b$ and the learning
rate $\eta$, one visit to a sample $(x, y)$ does

$$
\text{perceptron:}\quad \text{if } y\,o \le 0: \quad (w, b) \leftarrow (w, b) + \eta\, y\,(x, 1)
\qquad\qquad \text{delta rule:}\quad (w, b) \leftarrow (w, b) + \eta\, (y - o)\,(x, 1) .
$$

Both are stochastic gradient descent, on
$E = \frac1n \sum_i \max(0, -y_i o_i)$ and on $E = \frac1n \sum_i \frac12 (y_i - o_i)^2$.

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
- [Which line is left?](?data=almost separable&variant=pocket) Three samples are in the wrong place.
  Compare plain, averaged and pocket at the last step.
- [Right is not enough](?data=outlier&variant=delta rule&delta_rate=0.03&order=cyclic)
  The far sample is on its right side, yet the delta rule lets it pull the line. Erase it and
  watch. Then try rates above the one in the note.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from algorithms.classification.linear import perceptron as algorithm
from algorithms.classification.linear.perceptron import delta_rule, largest_stable_rate, perceptron
from algorithms.classification.linear.perceptron_bound import Separator, proof, separate
from algorithms.core.features import polynomial_features
from pages._shared.lab import open_lab
from viz.classification.linear import perceptron as draw
from viz.classification.linear.logistic_regression import preprocessing

RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
MOST_VISITS = 20_000

lab = open_lab(__file__, task="classification", data="separable", n=40, noise=1.0)
variant = lab.choice("variant", "Rule", ["plain", "averaged", "pocket", "delta rule"], "plain")
delta = variant == "delta rule"
rate = lab.log_slider(
    "delta_rate" if delta else "rate", "Learning rate η", RATES, 0.03 if delta else 1.0
)
order = lab.buttons("order", "Order of the samples", ["shuffled", "cyclic"], "shuffled")
init = lab.buttons("init", "Weights at the start", ["zeros", "ones"], "zeros")
epochs = lab.log_slider("epochs", "Epochs at most", [1, 2, 5, 10, 20, 50, 100, 200], 50)
seed = lab.number("seed", "Seed", 0, 9999, 0, help="Shuffles the samples, anew in every epoch.")
standardize = lab.toggle("rescale", "Standardise the features", False)

X, y = lab.data.X, lab.data.labels
allowed = max(1, MOST_VISITS // max(1, len(X)))


def fit(X: np.ndarray, y: np.ndarray, standardize: bool, variant: str, **how) -> Iterator:
    """Standardise the features if asked, then run."""
    F = polynomial_features(X, 1, standardize=standardize)(X)
    if variant == "delta rule":
        return delta_rule(F, y, **how)
    return perceptron(F, y, variant=variant, **how)


run = lab.run(
    fit, X, y, standardize, variant, rng=np.random.default_rng(seed), learning_rate=rate,
    max_epochs=min(epochs, allowed), order=order, init=init,
)  # fmt: skip
views, caption, most = {}, None, None
if run:
    features = polynomial_features(X, 1, standardize=standardize, columns=lab.axes)
    F = features(X)
    known = lab.once(separate, F, y)
    scene = draw.Scene(X, y, features, run, known, delta)
    views = {"The line and the sample visited": partial(
        draw.picture, scene, bounds=lab.bounds, names=lab.axes
    ), "Weight space (w₁ across, w₂ up): the update, tip to tail": partial(
        draw.weight_space, scene, draw.path(run)
    )}  # fmt: skip
    if isinstance(known, Separator) and not delta:
        squeeze = lab.once(proof, run, known, learning_rate=rate)
        most = squeeze.bound
        views[draw.bound_title(squeeze, init)] = partial(
            draw.bound, draw.bound_curves(squeeze), squeeze, run
        )
    else:
        views[draw.progress_title(scene)] = partial(
            draw.progress, scene, lab.once(draw.sampled, scene)
        )
    caption = partial(
        draw.caption, scene, rate=rate, most=most, classes=lab.data.classes, names=features.names
    )
lab.stage(run, views, caption=caption)
if run:
    stable = f" Learning rates below {largest_stable_rate(F):.3g} keep the delta rule stable."
    fewer = f" With {len(X)} points there are at most {allowed} epochs."
    lab.note(preprocessing(features, lab.axes) + stable * delta + fewer * (allowed < epochs))
lab.lesson(code=algorithm)
