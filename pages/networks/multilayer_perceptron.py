r"""Multi-layer perceptron

Simple units in layers learn together: each draws a line, all of them draw curves.

## Idea
A [perceptron](glossary#perceptron) draws one straight line. Put several such **units** side by
side, in a **hidden layer**, and let a further unit decide by what they say: now the border can have
bends and islands.

- **Forward**: every unit adds up what comes in, each input times a weight, and its bias, and
  answers with a number: its **activation**. The hidden layer answers the input, the output layer
  answers the hidden layer.
- **Loss**: how far is the answer from the truth? It is large where the network gives the right
  class little probability.
- **Backward**: how much is each weight to blame? The blame of the output, $\delta$, goes back
  through the same weights to the units before it, layer by layer. This is **backpropagation**: one
  pass back gives the [gradient](glossary#gradient) for every weight.
- **Update**: every weight goes a little against its part of the gradient
  ([gradient descent](glossary#gradient-descent)). One [epoch](glossary#epoch) uses every training
  point once, all at once or in small **batches**.

The mode *one step* does all this for a single point, with its numbers. In the picture of the
network every node is a small map of the plane, on which the colour is strong where the unit says
much. The units of layer 1 know straight borders only (the dotted lines); see what the later ones
make of them. Drag the cross hair to ask all units about another place.

What can go wrong:

- A **ReLU** can **die**: if it is 0 at every training point, so is its slope, and the loss does
  not move its weights. A tanh or a sigmoid can be **saturated**: nearly flat at every point.
- Every layer multiplies $\delta$ by weights and slopes. A sigmoid's slope is at most $\frac14$, so
  with many layers and no large weights the gradient **vanishes** on its way back: the first layers
  hardly learn.
- Units that start alike stay alike. That is why the first weights are **random**.
- With many units and epochs the network can learn the noise ([overfitting](glossary#overfitting)):
  then the loss on [held-out points](glossary#held-out-points) rises. A
  [penalty](glossary#penalty) on the weights holds it back: L2 makes all of them smaller, L1 takes
  most from the small ones, and brings some nearly to 0. So does **dropout**: every update
  leaves out some of the hidden units, drawn by lot (crossed out in the network), so that none can
  rely on another. The loss that is shown, and every prediction, is of the whole network. Or one
  stops at the diamond, where the held-out loss is lowest
  ([early stopping](glossary#early-stopping)).

A small learning rate is slow. [Momentum](glossary#momentum) adds up the latest gradients: where
they agree, the weights gather speed. AdaGrad, RMSProp and [Adam](glossary#adam) divide by how large
the gradients of a weight have been: small ones still make steps.

## Maths
With the input $a_0 = x$ (standardised) and the layers $l = 1, \dots, m$, each with weights $W_l$
and biases $b_l$,

$$
z_l = a_{l-1} W_l + b_l , \qquad a_l = g(z_l) \ \text{ for } l < m , \qquad
P(k \mid x) = \frac{e^{z_{m k}}}{\sum_j e^{z_{m j}}} .
$$

Of two classes only the second has an output unit, and $P(2 \mid x) = 1 / (1 + e^{-z_m})$.
The activation $g$ is one of

$$
\tanh z , \quad g' = 1 - a^2 ; \qquad
\frac{1}{1 + e^{-z}} , \quad g' = a (1 - a) ; \qquad
\max(0, z) , \quad g' = [a > 0] .
$$

The loss is the [cross-entropy](glossary#cross-entropy) of the $n$ training points, with a penalty
on the weights $w$, L2 or L1 (the biases go free):

$$
L = -\frac1n \sum_i \ln P(y_i \mid x_i) + \frac{\lambda}{2} \sum w^2
\qquad\text{or}\qquad \dots + \lambda \sum \lvert w \rvert .
$$

To the derivative by $w$ they add $\lambda w$, or the [subgradient](glossary#subgradient)
$\lambda \operatorname{sign}(w)$.

**Backpropagation** is the chain rule, from the end to the start. For one point, and without the
penalty, $\delta_l = \partial L / \partial z_l$ is

$$
\delta_m = P - [y = k] , \qquad
\delta_{l-1} = (\delta_l W_l^\top) \, g'(z_{l-1}) , \qquad
\frac{\partial L}{\partial W_l} = a_{l-1}^\top \delta_l , \quad
\frac{\partial L}{\partial b_l} = \delta_l ,
$$

where the product with $g'$ is unit by unit. The update of every weight is

$$
w \leftarrow w - \eta \, \frac{\partial L}{\partial w} .
$$

With momentum $\beta$, and a velocity $v$ for every weight, which is 0 at first, it is

$$
v \leftarrow \beta v + \eta \, \frac{\partial L}{\partial w} , \qquad w \leftarrow w - v .
$$

With $g$ for that derivative and everything weight by weight, from $v = s = 0$, the others are

$$
\begin{aligned}
\text{AdaGrad:}\quad & s \leftarrow s + g^2, \quad
  w \leftarrow w - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{RMSProp:}\quad & s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  w \leftarrow w - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{Adam:}\quad & v \leftarrow \beta v + (1 - \beta) g, \quad
  s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  w \leftarrow w - \eta\, \hat v / (\sqrt{\hat s} + \varepsilon)
\end{aligned}
$$

where $\hat v = v / (1 - \beta^t)$ and $\hat s = s / (1 - \gamma^t)$ at update $t$; $\beta$ is 0.9
for Adam, $\gamma$ 0.9 for RMSProp and 0.999 for Adam, and $\varepsilon = 10^{-8}$ keeps the divisor
above 0.

With dropout $p$ every update draws for each hidden unit a factor, 0 with probability $p$ and
$\frac{1}{1 - p}$ otherwise, and multiplies by it what the unit says to all points of the batch. So
the next layer is told, on average, what the whole network would tell it.

**Start**: every weight is drawn evenly from $-r$ to $r$, with
$r = \text{spread} \cdot \sqrt{6 / (\text{in} + \text{out})}$ for a layer of so many inputs and
units; all biases are 0. Here a tanh or a sigmoid counts as saturated when its slope is below a
hundredth of the steepest at every training point.

With a hidden layer $L$ is not [convex](glossary#convex): another start can end elsewhere. A random
start is part of the model; try a few seeds.

*Sources: CS337 (neural networks, optimisers), 20APC3316 (backpropagation, multilayer perceptrons);
Glorot and Bengio 2010 for the start; Srivastava et al. 2014 for dropout; Duchi et al. 2011, Hinton
2012, Kingma and Ba 2015 for the optimisers.*

## Try this
- [Exclusive or](?data=xor&hidden=none) Without a hidden layer the border is a straight line. How
  many hidden units does it take here?
  Do: Go to the end, then choose 1, 2 and 4 hidden units.
  Answer: Without any, 57 % of the training points are wrong, with one unit 28 %, with two 6 %, with
  four none. Two are enough for a good border, but not from every start: with seed 2 it is 26 %.
- [All alike](?data=circles&hidden=4&activation=sigmoid&rate=3&spread=0) All first weights are 0.
  What do the four units come to?
  Do: Go to the end and compare the four nodes. Then set the spread to 1.
  Answer: One and the same: their weights stay equal to the last digit. So the border is a straight
  line, and 38 % of the training points are wrong; with random weights none is.
- [A dead layer](?data=circles&hidden=8&activation=relu&rate=10) Eight ReLUs and a large learning
  rate. Does the network learn faster?
  Do: Go to the next event, then to the end. Then set the rate to 1.
  Answer: No: after 6 epochs all eight units are 0 at every training point. From there on only
  the output's bias can change, and 52 % stay wrong. With the rate 1 none is.
- [Gradients that vanish](?data=circles&hidden=8-8-8&activation=sigmoid&seed=1) Three hidden
  layers of sigmoids: which layer has the smallest gradient?
  Do: Look at the gradients by layer at step 0 and go to the end. Then choose tanh. Then go back
  to sigmoid, with the optimiser Adam and the rate 0.03.
  Answer: The first: 0.00086, against 0.23 at the output. Nothing is learned in 300 epochs, 48 % are
  wrong. With tanh the layers' gradients start at 0.02 to 0.03 each, and no point is wrong at the
  end. Nor is one with sigmoids and Adam, from epoch 125 on: it divides the small gradients by their
  own size.
- [Learnt by heart](?data=moons&n=100&noise=0.4&hidden=8-8&rate=0.3&batch=10&epochs=1000) At the
  end no training point is wrong. When is the loss on the held-out points lowest?
  Do: Compare the two curves of the loss. Then set the penalty to 0.01. Then set it back to 0, and
  the dropout to 20 %.
  Answer: At epoch 12, at 0.24; at the end it is 0.86. With the penalty it ends at 0.26, although
  some training points stay wrong. With dropout instead it ends at 0.41, and was at 0.18 before.
  With seed 1, too, it ends at less than half of what it is without.
- [Rolling on](?data=circles&rate=0.1) With a small rate 300 epochs leave 11 % of the training
  points wrong. What can momentum do about it?
  Do: Go to the end, then set the momentum to 0.9.
  Answer: No training point is wrong at epoch 112 and at the end, where the loss is 0.071 in place
  of 0.56. It is so with the seeds 1 and 2, too: the latest gradients agree, and their sum is up to
  ten times as large as one of them.
"""

from functools import partial

import numpy as np

from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import on_features
from algorithms.core.splits import held_out
from algorithms.networks import backpropagation as one_update
from algorithms.networks import multilayer_perceptron as algorithm
from algorithms.networks.training_account import account
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from pages._shared.training_choice import HELD_OUT, RATES, SPREAD, SPREADS, choose_training
from pages._shared.what_if import another_rate, what_if
from viz.networks import multilayer_perceptron_scenes as draw
from viz.networks.multilayer_perceptron import Updates

SMALL = {"1": (1,), "2": (2,), "3": (3,), "2-2": (2, 2)}


def training(lab: Lab) -> Shown:
    """Train the network, epoch by epoch, on points that are held in."""
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    held = held_out(len(X), HELD_OUT, rng=split_rng(0), codes=y)
    chosen = choose_training(lab, int((~held).sum()))
    features = lab.later(polynomial_features, X[~held], 1, columns=names)
    picked = picked_point(lab, "Picked point")

    def show(later: tuple[int, float] | None = None) -> Shown:
        run = lab.run(
            on_features, algorithm.multilayer_perceptron, X[~held], y[~held],
            rng=np.random.default_rng([chosen.seed, 2]), later=later, **chosen.how,
        )  # fmt: skip
        sums = lab.later(account, run, features, X[held], y[held])
        updates = Updates(chosen.rule, chosen.size, later)
        return lab.scene(
            draw.training, run, lab.plane, features, sums, held, picked, updates, code=algorithm
        )

    return what_if(lab, show, partial(another_rate, RATES, chosen.rule.learning_rate))


def one_step(lab: Lab) -> Shown:
    """Learn from one point, layer by layer."""
    hidden = SMALL[lab.choice("hidden", "Hidden units by layer", list(SMALL), "2")]
    kind = lab.buttons("activation", "Activation g", ["tanh", "sigmoid", "relu"], "sigmoid")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 1.0)
    spread = lab.log_slider("spread", "Spread of the start", SPREADS, 1.0, help=SPREAD)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first weights.")
    X, y, names = lab.plane.X, lab.plane.labels, lab.plane.names
    place = picked_point(lab, "Learn from the point nearest to this")
    row = one_update.nearest_row(X, place) if len(X) else 0
    run = lab.run(
        on_features, one_update.backpropagation, X, y, hidden=hidden, activation=kind,
        learning_rate=rate, row=row, rng=np.random.default_rng([seed, 2]), spread=spread,
    )  # fmt: skip
    features = lab.later(polynomial_features, X, 1, columns=names)
    return lab.scene(draw.one_point, run, lab.plane, features, row, rate, code=one_update)


def picked_point(lab: Lab, label: str) -> np.ndarray:
    """Give the place that the units are asked about: at first up on the left."""
    return picked_place(lab, across=0.25, up=0.8, label=label)


MODES = {"training": training, "one step": one_step}

if __name__ == "__main__":
    open_lab(__file__, data="moons").show(MODES)
