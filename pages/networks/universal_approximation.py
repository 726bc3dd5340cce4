r"""Universal approximation

Two sigmoids make a bump, and bumps side by side come near any curve.

## Idea
Can a network with a single hidden layer follow *any* curve? One can see that it can, without any
learning.

- A **sigmoid** is a smooth step, from 0 to 1. The larger its weight, the steeper the step; where it
  is, is set by its bias.
- A step up, and a little further on the same step down again: the difference of two sigmoids is a
  **bump**.
- Cut the stretch of x into parts and put a bump on each, as high as the curve is in its middle.
  Side by side they **add up** to a curve that goes from height to height.
- The more and the narrower the bumps, the nearer it comes.

Each bump is two hidden units, and its height is the output's weight for them: together they are a
network with one hidden layer. The curve to follow is the **truth**: it runs through the points on
the board, which you can draw (where several are close in x, through their mean), or has a formula.

How steep should the steps be? Very steep ones give a staircase. Softer ones go smoothly from one
height to the next, and come nearer. If they are too soft, a bump does not reach its height before
it falls, and all is smeared.

This says that good weights **exist**. It does not say that they are few, nor that learning finds
them. The mode *trained* has the same number of units learn the same curve by
[gradient descent](glossary#gradient-descent), from a random start: they can move to where the curve
bends. And neither of the two knows anything of what lies outside of the stretch.

## Maths
With $\sigma(z) = 1 / (1 + e^{-z})$ and $k$ parts of width $h$, from $a_{j-1}$ to $a_j$ and with the
middles $m_j$,

$$
N(x) = \sum_{j=1}^{k} f(m_j) \bigl[ \sigma(w (x - a_{j-1})) - \sigma(w (x - a_j)) \bigr] ,
\qquad w = \frac{\text{steepness}}{h} .
$$

The first edge and the last one are moved a part further out. A bump alone reaches in its middle the
share

$$
\sigma\bigl(\tfrac{w h}{2}\bigr) - \sigma\bigl(-\tfrac{w h}{2}\bigr) = \tanh \tfrac{w h}{4}
$$

of its height. Between two middles only one edge counts, if it is steep enough: $N$ goes from
$f(m_j)$ to $f(m_{j+1})$. As a staircase it misses a smooth $f$ by

$$
\max_x \lvert f(x) - N(x) \rvert \le \frac{h}{2} \max_x \lvert f'(x) \rvert ,
$$

which is as small as one likes if the parts are narrow. At a jump inside of a part it stays: there
the largest miss does not fall, only the stretch on which it is large gets shorter.

*Trained*: with $u$ from $-1$ to $1$ on the stretch, and 100 places $x_i$,

$$
N(x) = c + \sum_{j=1}^{2k} v_j \, \sigma(w_j u + b_j) , \qquad
L = \frac{1}{2n} \sum_i (N(x_i) - f(x_i))^2 ,
$$

with $f$ in its own standard deviations, by [Adam](glossary#adam) on all places at once. At the
start $w_j$ is drawn evenly from $-k$ to $k$, each unit's place from the stretch, and all $v_j$ and
$c$ are 0.

*Sources: 20APC3316 (the multilayer perceptron as a universal approximator); Cybenko 1989; Hornik,
Stinchcombe and White 1989.*

## Try this
- [How many bumps?](?truth=sine) Ten bumps miss the wave by 0.202 (the root of the mean square). How
  many does it take for half of that?
  Do: Step to the end, then double the number of bumps, and again.
  Answer: Twice as many: 20 miss it by 0.0965, 40 by 0.0471. Half the width is half the miss.
- [How steep?](?truth=sine&steepness=1) With steepness 1 a bump alone reaches 24 % of its height. Is
  the steepest the best?
  Do: Step to the end, then try 6 and 100.
  Answer: No: 1 misses the wave by 0.553, which is smeared, 100 by 0.246, which is a staircase, and
  6 by 0.136.
- [A jump](?truth=step&bumps=20) Do more bumps come nearer to a curve that jumps?
  Do: Step to the end. Compare both curves of the miss. Then take 40 bumps.
  Answer: On average, 0.241 in place of 0.364. But the largest miss stays at nearly 3, the height of
  the jump: it lies inside of a part, and a bump has only one height.
- [By hand or learned?](?view=trained&truth=sine) Twenty hidden units at random places: do they come
  nearer by learning than ten bumps by hand?
  Do: Go to the next event, then to the end.
  Answer: Yes, from epoch 56 on, and at the end they miss the wave by 0.0129, the bumps by 0.202. It
  is so from all of the seeds 0 to 4: a learned unit can go to where it is needed.
- [Outside](?truth=sine&query=3.35,-3.1) The truth is known from −3 to 3. What does the network say
  at x = 3.35, where the wave would be at −0.717?
  Do: Step to the end and read it off. Then choose *trained*, and other seeds.
  Answer: 0.618, for there the last bump still stands. The trained network says −0.576 from seed 0,
  −0.339 from seed 1: it goes on as it ends, but nothing was learned there.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from algorithms.data.truths import TRUTHS, Truth, through
from algorithms.networks import sigmoid_bumps as by_hand
from algorithms.networks import trained_sigmoids as by_learning
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_x import picked_x
from pages._shared.session.cache import Later
from viz.core.scene import Plane, Run
from viz.networks import universal_approximation_scenes as draw
from viz.networks.universal_approximation import NUMBERS

DRAWN = "through the points"
EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))
STEEP = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 50.0, 100.0]
STEEPNESS = "Of an edge, times the width of a part."
RATES = [0.01, 0.02, 0.05, 0.1, 0.2]


class Source(NamedTuple):
    """Where a truth comes from: the truth, what stands beside it, and how algorithms are run."""

    truth: Truth | Later
    data: Plane
    run: Callable[..., Run]


def bumps(lab: Lab) -> Shown:
    """Put bumps side by side, each of two sigmoids."""
    truth, data, run = choose_truth(lab)
    count = lab.slider("bumps", "Bumps", 1, 60, 10)
    steep = lab.log_slider("steepness", "Steepness", STEEP, 20.0, help=STEEPNESS)
    query = picked_x(lab, data.bounds)
    steps = run(by_hand.sigmoid_bumps, truth, bumps=count, steepness=steep)
    found = lab.later(by_hand.by_number, truth, NUMBERS, steep)
    return lab.scene(draw.bumps, steps, data, truth, found, query, code=by_hand)


def trained(lab: Lab) -> Shown:
    """Train as many hidden units as the bumps take."""
    truth, data, run = choose_truth(lab)
    count = lab.slider("bumps", "As many units as so many bumps", 1, 20, 10)
    steep = lab.log_slider("steepness", "Steepness of these bumps", STEEP, 20.0, help=STEEPNESS)
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.05)
    epochs = lab.slider("epochs", "Epochs", 50, 500, 300, 50)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the start.")
    query = picked_x(lab, data.bounds)
    steps = run(
        by_learning.trained_sigmoids, truth, bumps=count, steepness=steep, learning_rate=rate,
        epochs=epochs, rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(draw.trained, steps, data, truth, query, code=by_learning)


def choose_truth(lab: Lab) -> Source:
    """Ask for the truth: a formula, or a curve through the points on the board."""
    name = lab.choice("truth", "Truth", [DRAWN, *TRUTHS], DRAWN, help="Its curve is green.")
    if name in TRUTHS:
        return Source(TRUTHS[name], EMPTY, lab.run_apart)
    data = lab.plane
    return Source(lab.later(through, data.X, spare=data.bounds[:2]), data, lab.run)


MODES = {"bumps": bumps, "trained": trained}

if __name__ == "__main__":
    open_lab(__file__, data="sine", n=15, noise=0.0).show(MODES)
