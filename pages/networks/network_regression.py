r"""Network regression

Units in layers answer with a number: their sum is a curve through the points.

## Idea
A multi-layer perceptron need not decide between classes. Leave out the last step, from a score to a
probability, and its answer is a number: the output unit adds up what the last hidden layer says,
each unit times a weight, and its bias. That is [regression](glossary#regression), with a curve that
bends.

The thin lines in the picture are the parts: each shows what one unit of the last hidden layer adds,
above or below the output's bias. A tanh or a sigmoid is level, then rises or falls, then is level
again; a ReLU is 0 up to a corner, and straight from there on. Where they stand, and how high, is
**learned**: all weights go against the [gradient](glossary#gradient) of the squared error, which
[backpropagation](glossary#backpropagation) takes back through the layers, as it does for classes.

Drag the ring at the bottom: each node shows its unit over x, and what it says at the picked x.

- **When to stop.** With many units and epochs the curve follows the noise
  ([overfitting](glossary#overfitting)): the loss on the
  [held-out points](glossary#held-out-points) has been lower before. To stop there, at the diamond,
  is [early stopping](glossary#early-stopping).
- **Penalties.** L2 takes from every weight a part of it, so that all get smaller. L1 takes the same
  from each: a weight that the points do not need comes down to 0. Or nearly: where the slope jumps,
  at 0, a step of gradient descent goes across and the next one comes back.
- **Optimisers.** The gradient is long where it is steep and short where it is flat, and so are the
  steps of plain descent: on a plateau it hardly moves. **AdaGrad**, **RMSProp** and **Adam** divide
  by how large the gradients of a weight have been: their steps are about as long anywhere.

## Maths
With $u$ and $v$ the standardised $x$ and $y$, $a_0 = u$, and the layers $l = 1, \dots, m$,

$$
z_l = a_{l-1} W_l + b_l , \qquad a_l = g(z_l) \ \text{ for } l < m , \qquad f(u) = z_m .
$$

The loss is half the [mean squared error](glossary#mean-squared-error) of the $n$ training points,
with one of two penalties on the weights (the biases go free):

$$
L = \frac{1}{2n} \sum_i (v_i - f(u_i))^2 + \frac{\lambda}{2} \sum w^2
\qquad\text{or}\qquad \dots + \lambda \sum \lvert w \rvert .
$$

The standard deviation of $v$ is 1: who says the mean everywhere has the loss $\frac12$. Of one
point, and without penalty, $\delta_l = \partial L / \partial z_l$ is

$$
\delta_m = f - v , \qquad
\delta_{l-1} = (\delta_l W_l^\top) \, g'(z_{l-1}) , \qquad
\frac{\partial L}{\partial W_l} = a_{l-1}^\top \delta_l , \quad
\frac{\partial L}{\partial b_l} = \delta_l .
$$

Only $\delta_m$ differs from that for classes. L2 adds $\lambda w$ to the derivative by $w$; L1 adds

$$
\lambda \operatorname{sign}(w) , \qquad \operatorname{sign}(0) = 0 ,
$$

a [subgradient](glossary#subgradient), since $\lvert w \rvert$ has no slope at 0. Near 0 plain
descent so moves by $\eta \lambda$ at a time, and swings about 0 within that.

With $g$ the derivative by a weight, and $v = s = 0$ at first, the optimisers are

$$
\begin{aligned}
\text{gradient:}\quad & w \leftarrow w - \eta g \\
\text{momentum:}\quad & v \leftarrow \beta v + \eta g, \quad w \leftarrow w - v \\
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
above 0. Start and dropout are those of the multi-layer perceptron.

*Sources: 20APC3316 (multilayer perceptrons, nonlinear regression); CS337 (neural networks,
optimisers); Duchi et al. 2011; Hinton 2012; Kingma and Ba 2015.*

## Try this
- [How many units?](?data=sine&hidden=none&rate=0.1) Without a hidden layer the curve is a straight
  line, and a loss of 0.212 is left. How many units does the wave take?
  Do: Go to the end, then choose 1, 2 and 4 hidden units.
  Answer: One leaves 0.101, two leave 0.058, four 0.030. So it is from all seeds from 0 to 4: each
  unit is a rise or a fall, and the wave has several.
- [A plateau](?data=sine&hidden=8-8-8&activation=sigmoid&optimizer=gradient&rate=0.1) Three layers
  of sigmoids and plain descent: how far does the loss come down in 300 epochs?
  Do: Go to the end and look at the curve. Then choose Adam and the rate 0.03.
  Answer: From 0.495 at epoch 10 to 0.462: the curve is nearly level, as the mean is. With Adam it
  is 0.057 at the end. From the seeds 1 to 3, too, plain descent stays above 0.45, and Adam comes
  below 0.11.
- [Strokes that vanish](?hidden=8&optimizer=gradient&rate=0.3&penalty=0.01&norm=L1&epochs=1000)
  A penalty with λ = 0.01 on eight units, by the sum of all |w|. Which of the 16 weights are 0 at
  the end?
  Do: Go to the end and look for strokes in the network. Then choose L2 as kind of penalty.
  Answer: None exactly, but 10 are within η λ = 0.003 of it, too thin for a stroke, and go to and
  fro: five units are left without effect. With L2 the smallest weight is 0.23, and all eight stay.
- [When to stop](?data=sine&noise=0.6&hidden=8&epochs=1000) The loss on the training points comes
  down to 0.053. When is that on the held-out points lowest?
  Do: Go to the end and look for the diamond. Then set the penalty to 0.01.
  Answer: At epoch 209, at 0.076; at the end it is 0.31. With the penalty it ends at 0.070, so there
  is nothing to stop early. From the seeds 1 to 3 it is more than three times the lowest, too.
- [Corners](?data=sine&hidden=4&activation=relu) Four ReLUs make a curve of straight pieces. How
  many corners does it have in the picture at the end?
  Do: Go to the end, then take seed 1. Then choose tanh.
  Answer: It looks like one: a unit is dead, and the corners of the three others have come together,
  from x = 1.34 to 1.38. From seed 1, too, three units are left, but with three corners, and the
  loss is 0.059 in place of 0.19. With tanh, from these two starts, it is 0.031 and 0.045.
"""

from functools import partial

import numpy as np

from algorithms.core.scaling import standard
from algorithms.core.splits import held_out
from algorithms.networks import multilayer_perceptron as algorithm
from algorithms.networks.network_on_plane import network_on_plane
from algorithms.networks.training_account import account_on_plane
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_x import picked_x
from pages._shared.split_rng import split_rng
from pages._shared.training_choice import HELD_OUT, RATES, choose_training
from pages._shared.what_if import another_rate, what_if
from viz.networks import network_regression_scenes as draw
from viz.networks.multilayer_perceptron import Updates


def training(lab: Lab) -> Shown:
    """Train the network, epoch by epoch, on points that are held in."""
    points = lab.plane.X
    held = held_out(len(points), HELD_OUT, rng=split_rng(0), at_least=1)
    chosen = choose_training(lab, int((~held).sum()), optimizer="Adam", rate=0.03)
    scaling = lab.later(standard, points[~held])
    query = picked_x(lab)

    def show(later: tuple[int, float] | None = None) -> Shown:
        run = lab.run(
            network_on_plane, points[~held], rng=np.random.default_rng([chosen.seed, 2]),
            later=later, **chosen.how,
        )  # fmt: skip
        sums = lab.later(account_on_plane, run, scaling, points[held])
        updates = Updates(chosen.rule, chosen.size, later)
        return lab.scene(
            draw.training, run, lab.plane, scaling, sums, held, query, updates, code=algorithm
        )

    return what_if(lab, show, partial(another_rate, RATES, chosen.rule.learning_rate))


MODES = {"training": training}

if __name__ == "__main__":
    open_lab(__file__, data="sine").show(MODES)
