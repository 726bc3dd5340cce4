r"""Perceptron

One sample at a time: where the line is wrong about it, the line is moved towards being right.

## Idea
A line $w \cdot x + b = 0$ cuts the plane in two. The perceptron visits the samples one after the
other (the ring). If the line is right about a sample, nothing happens. If it is wrong, the sample's
own vector is added to the weights, or subtracted, depending on its class. The view beside the
picture shows that as **vectors, tip to tail**: the weights before in grey, what is added in the
colour of the sample's class, the new weights in ink. The line turns with them, at a right angle to
the weights where both axes have one scale (dashed: where it was). Each update makes the score of
its sample better, not always good, and it may spoil others.

**Does it end?** If some line separates the classes, yes, and there is a limit for the number of
mistakes that does not even depend on the number of samples. The second view shows the proof at
work: the length of $(w, b)$ cannot grow fast, its part along the best
[separator](glossary#separator) $u$ (the dotted ray) cannot grow slowly, and where floor and ceiling
meet it is over. Most runs end long before. From zero weights the limit knows two numbers only, the
length $R$ of the longest sample and the distance $\gamma$ of the nearest one from the best
separator, and takes every mistake for the worst: as long as the one, as near as the other, and just
on the line. One far sample is enough to make it large.

If no line separates the classes, the perceptron never ends. Then the picture shows a proof, found
by [linear programming](glossary#linear-programming): at the cross, points of one class and points
of the other can be mixed (averaged with weights) into the same place, and no line has that place on
both of its sides. The weights wander; if the samples come in the same order every time, they may
**cycle**. Two variants make the best of it:

- **averaged** predicts with the mean of all weights so far; **pocket** keeps the weights with the
  fewest errors so far. The solid line (and the diamond) is what predicts, the dashed one is the
  perceptron's own.
- The **[delta rule](glossary#delta-rule)** corrects at every sample, right or wrong, by how far the
  score is from $\pm 1$. It does not stop at a separator; it comes near the line with the least
  squared error, also where the classes overlap: the smaller the learning rate, the nearer (and the
  later).

Points on the wrong side have a thick outline.

**Several classes.** One line for every class against the rest leaves places that several of them
claim, or none. So every class gets a weight vector of its own, and the class with the highest score
wins. A sample that is taken for another class moves two vectors: that of its own class towards it,
that of the other away from it.

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

Where $y\,o < 0$ at a mistake, or its sample is shorter than $R$, the length grows by less than the
ceiling; where the sample is farther than $\gamma$ from the separator, the part along $u$ grows by
more than the floor. The bound is reached only by a run in which no mistake is of either kind.

**No separator.** By linear programming, either some $t$ has $y_i\, t \cdot a_i > 0$ for all $i$, or
there are $\lambda_i \ge 0$, of sum 1 over each class, with
$\sum_{y_i = +1} \lambda_i x_i = \sum_{y_i = -1} \lambda_i x_i$: the cross.

**Several classes**, with scores $s_c = w_c \cdot x + b_c$ of the classes $c$, from zero weights: if
the highest score among the other classes, $s_r$, is not below that of the sample's own class,
$s_y \le s_r$,

$$
(w_y, b_y) \leftarrow (w_y, b_y) + (x, 1) , \qquad (w_r, b_r) \leftarrow (w_r, b_r) - (x, 1) .
$$

For two classes, $w_2 - w_1$ is the weight vector of the perceptron above with $\eta = 2$. If
weights exist that are right about all samples, it ends after at most $2 (R / \gamma)^2$ mistakes,
where $\gamma$ is the largest lead of the right class over every other that weights of length 1,
all classes together, can give to every sample.

*Sources: CS725 lecture 20 and 18.2, CS337, 20APC3316 (delta rule); Block and Novikoff 1962; Gallant
1990; Freund and Schapire 1999; Duda and Hart 1973 (several classes).*

## Try this
- [Every mistake is one vector](?data=gates&second=1&n=4&noise=0&order=cyclic) The logic gate AND:
  four samples, and at most 51 mistakes. How many will it make?
  Do: Step through it and do the sums of the caption by hand.
  Answer: 18; the ninth epoch has none, and the line is 3x + 2y − 4 = 0. The bound takes every
  sample for as long as the longest, 1.73, and as near to the best separator as the nearest, 0.24;
  those it was wrong about were 1.49 long and 0.30 from it, on average.
- [A cycle](?data=gates&second=2&n=4&noise=0&order=cyclic&init=ones) XOR: no line has both corners
  of either class on its own side. Where do the weights go?
  Do: Step to the end. Start at zeros, then shuffle the order.
  Answer: Round in a circle: after epoch 3 they are those of the epoch before, so the same mistakes
  are made for ever. From zeros that is so after the first epoch. In shuffled order no epoch is
  like the other, and it goes on until the epochs are used up, with 2 of 4 points wrong.
- [Which line is left?](?data=almost separable&variant=plain&seed=3) Three samples are in the wrong
  place, so it never stops by itself. How good is the line at the last step?
  Do: Go to the end. Compare averaged and pocket, then take other seeds.
  Answer: Plain has whatever line it stopped at: 41 of 100 points wrong. Averaged and pocket have 3.
  Another seed changes how many plain gets wrong, the two others keep their 3.
- [Right is not enough](?data=outlier&variant=delta rule&delta_rate=0.03&order=cyclic) The far
  sample is on its right side from the start. Does it matter to the delta rule?
  Do: Go to the end, erase the far sample, and go to the end again.
  Answer: Yes: its score is to be +1 and not more, so it pulls the line round until another point is
  wrong. Without it the line turns by 36°, and no point is wrong. A rate of 1, far above the one in
  the note, diverges at once.
- [One update more](?data=separable&n=40&noise=1&order=cyclic) The rule makes 4 mistakes until it
  converges. Would it make fewer with one update more, or with one less?
  Do: At step 1 press What if: an update is made at sample 2, which is right. Press it again, go to
  step 25, and press What if to skip the update of step 26.
  Answer: With one more it makes 1 mistake in all, with one less 9, and it converges all the same.
  An update moves the line for all samples to come, and the rule looks at one of them. No bound is
  shown for these runs: it is one of the rule as it is.
- [Several classes](?data=row&variant=several classes) No line cuts the middle class off from the
  two others. Can it be told from them all the same?
  Do: Step from mistake to mistake, and watch which of the vectors move.
  Answer: Yes: it converges after 20 mistakes, each of which moved two vectors. A class need not be
  cut off from all others by one line: its score has only to be the highest where its points are.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

import numpy as np

from algorithms.classification.linear import perceptron as algorithm
from algorithms.classification.linear import perceptron_multiclass as algorithm_of_several
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import on_features
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.what_if import Otherwise, Ways, seen, what_if
from viz.classification.linear import perceptron_multiclass as draw_several
from viz.classification.linear import perceptron_scenes as draw
from viz.classification.linear.perceptron_account import account
from viz.classification.linear.perceptron_words import Settings
from viz.core.scene import Run, Scene

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
    return train(lab, algorithm.perceptron, draw.mistakes, rate, flip_update, variant=variant)


def flip_update(ways: Ways, _was: Run, step: int) -> dict[str, Any]:
    """Skip the update of a visit, or make one where the sample is right.

    Where points were moved, that is done otherwise, and the update at first follows the rule.
    """
    flips = ways.toggle("flip", "Skip its update, or force one", ways.points_moved is None)
    return {"flipped": step} if flips else {}


def delta_rule(lab: Lab) -> Shown:
    """Correct the weights at every sample."""
    rate = lab.log_slider("delta_rate", "Learning rate η", RATES, 0.03)
    return train(lab, algorithm.delta_rule, draw.delta_rule, rate)


def train(
    lab: Lab,
    rule: Callable[..., Iterable],
    show: Callable[..., Scene],
    rate: float,
    otherwise: Otherwise | None = None,
    **how: str,
) -> Shown:
    """Ask for what the rules for two classes need, and show one of them.

    otherwise : what can be done otherwise in a step, if anything.
    """
    init = lab.buttons("init", "Weights at the start", ["zeros", "ones"], "zeros")
    visits, epochs, standardize = choose_visits(lab)
    plane, picked = lab.plane, picked_point(lab)
    features = lab.later(
        polynomial_features, plane.X, 1, standardize=standardize, columns=plane.names
    )
    delta = rule is algorithm.delta_rule
    settings = Settings(rate, init, epochs, allowed_epochs(lab))

    def trained(**changed: Any) -> Shown:
        run = lab.run(
            on_features, rule, plane.X, plane.labels, standardize=standardize,
            learning_rate=rate, init=init, **deepcopy(visits), **how, **changed,
        )  # fmt: skip
        data = seen(plane, **changed)
        known = lab.later(account, run, data, features, rate, delta=delta, otherwise=bool(changed))
        return lab.scene(show, run, data, features, known, settings, picked, code=algorithm)

    return what_if(lab, trained, otherwise, points=True) if otherwise else trained()


def several_classes(lab: Lab) -> Shown:
    """Keep a weight vector for every class; the highest score wins."""
    visits, epochs, standardize = choose_visits(lab)
    plane = lab.plane
    run = lab.run(
        on_features, algorithm_of_several.perceptron_multiclass, plane.X, plane.labels,
        standardize=standardize, **visits,
    )  # fmt: skip
    features = lab.later(
        polynomial_features, plane.X, 1, standardize=standardize, columns=plane.names
    )
    known = lab.later(draw_several.account, run, plane, features)
    settings = Settings(1.0, "zeros", epochs, allowed_epochs(lab))
    return lab.scene(
        draw_several.several, run, plane, features, known, settings, picked_point(lab),
        code=algorithm_of_several,
    )  # fmt: skip


def choose_visits(lab: Lab) -> tuple[dict[str, Any], int, bool]:
    """Ask in what order the samples are visited and how often: arguments of a run.

    Also the epochs that were asked for, and whether the features are standardised.
    """
    order = lab.buttons("order", "Order of the samples", ["shuffled", "cyclic"], "shuffled")
    epochs = int(lab.log_slider("epochs", "Epochs at most", EPOCHS, 50))
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Shuffles the samples, anew in every epoch.")
    standardize = lab.toggle("rescale", "Standardise the features", False)
    visits = {
        "rng": np.random.default_rng(seed),
        "max_epochs": min(epochs, allowed_epochs(lab)),
        "order": order,
    }
    return visits, epochs, standardize


def allowed_epochs(lab: Lab) -> int:
    """Give how many epochs there is time for."""
    return max(1, MOST_VISITS // max(1, len(lab.plane.X)))


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose score is told: at first up on the right."""
    return picked_place(lab, across=0.75, up=0.8)


MODES = {
    "plain": plain,
    "averaged": averaged,
    "pocket": pocket,
    "delta rule": delta_rule,
    "several classes": several_classes,
}

if __name__ == "__main__":
    open_lab(__file__, data="separable", n=40, noise=1.0).show(
        MODES, name="variant", label="Rule", menu=True
    )
