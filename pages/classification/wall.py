r"""All classifiers side by side

Every classifier on the same points: straight borders, curved ones, and those of close neighbours.

## Idea
Each step is another **classifier**, fitted to the same points. A share of the points is
[held out](glossary#held-out-points) (they have a ring): no classifier sees them before it is judged
on them. So there are two errors, one on the points it learned from and one on new points. A large
gap between the two is [overfitting](glossary#overfitting): look at 1-NN, the nearest neighbour
alone, whose training error is 0 unless two classes have points in the same place.

What tells the classifiers apart is the shape their border can have:

- **Straight.** Nearest mean, least squares, Fisher's discriminant, LDA, perceptron, logistic
  regression and the linear SVM draw a line between two classes. They differ in *which* line: that
  of the means, of all points, or only of the points near the border.
- **Curved by a formula.** Products of $x$ and $y$ as further features, or Gaussians with different
  covariances, bend the border into a cubic or a quadric, the curve of an equation of degree 3 or 2.
- **Local.** A tree, the nearest neighbours, the Parzen window and the SVM with an RBF kernel look
  at the points close by. They can draw nearly any shape, and can draw noise.

How many numbers a model keeps is **not** how flexible it is. k-NN keeps all its points whatever $k$
is, and 1-NN keeps just as many. Yet $k$ makes the border ragged or smooth: move it, and watch its
panel on the wall. So does the width $h$ of the Parzen window's bumps.

Choose two classifiers to **compare**: the plane is hatched where they disagree. Drag the cross hair
to ask all of them about one place.

**Repeat** draws one random split after the other and fits all classifiers to each. Now every
held-out error has a mean and a spread, and many an order of two classifiers turns out to be noise.
It also shows what the error of a winner is worth. The lowest error of fifteen is **optimistic**: it
was picked for these very points. So half of the held-out points pick a winner, and the other half,
which had no say, judge it.

## Maths
The points that are not held out are standardised, $u = (x - \bar x) / s$, and every classifier is
fitted to them. With $E$ points wrong among $n$

$$
\text{training error} = \frac{E_\text{train}}{n_\text{train}} \qquad
\text{test error} = \frac{E_\text{test}}{n_\text{test}} ,
$$

and the standard deviation of the latter is $\sqrt{p (1 - p) / n_\text{test}}$ for a true error $p$.

Over $b$ splits a classifier's errors have a mean and a spread, their standard deviation. Two
classifiers are compared by the differences $d$ of their errors in the same splits. The splits share
most of their points, so the mean of $d$ is less sure than $s_d / \sqrt b$ says; its
[standard error](glossary#standard-error) is about

$$
\sqrt{\frac1b + \frac{n_\text{test}}{n_\text{train}}} \; s_d .
$$

More splits shrink the first term only: they do not make the points more. A difference to the best
of at most two standard errors is called noise here.

Those that have no lab of their own:

- **Nearest mean**: $\arg\min_j \lVert x - m_j \rVert$, so two classes part along the perpendicular
  bisector of $m_1$ and $m_2$.
- **Least squares**: the indicators of the classes, $t_i \in \{0, 1\}^K$, by linear regression,
  $W^\top = (X^\top X)^{-1} X^\top T$ (centred); the largest output decides.
- **Fisher's discriminant**: the direction with the largest
  $J(w) = \dfrac{w^\top S_B w}{w^\top S_W w}$, with $S_B$ the scatter of the class means and $S_W$
  that of the points within the classes. For two it is $w \propto S_W^{-1} (m_2 - m_1)$. Then the
  nearest projected mean.
- **k nearest neighbours**: $P(j \mid x) = k_j / k$, with $k_j$ of the $k$ nearest points in class
  $j$.
- **Parzen window**: $\arg\max_j \frac1n \sum_{i \in j} e^{-\lVert x - x_i \rVert^2 / (2 h^2)}$.

A classifier for two classes (perceptron, SVM) has a machine per class against the rest if there are
more; the largest output decides. Parameters are the numbers that a model keeps in order to predict.

*Sources: CS725 lectures 22 to 27 (15, 18.2, 18.3, 19.4, 19.5), CIS787 (evaluating hypotheses);
standard error over splits: Nadeau and Bengio 2003.*

## Try this
- [An outlier](?data=outlier&compare=Least squares&against=Logistic) One point lies far out, but on
  its own side. Which straight border does it turn: that of least squares, or of logistic
  regression?
  Do: Look at the hatched part, where the two disagree. Then erase the far point.
  Answer: That of least squares: it pays for every distance from its targets, also on the right
  side. The two disagree on 27 % of the plane, and least squares gets one point wrong, logistic
  regression none. Without the far point they disagree on 4 %.
- [A masked class](?data=row) Three classes in a row, well apart. Which of the seven straight
  classifiers get points wrong?
  Do: Look at the first seven panels of the wall, and step through them.
  Answer: Least squares (39 of 200, all of the middle class), the linear SVM (7 or 8, of the same
  class) and the perceptron (67, one outer class). Each of them sets one class against the rest, and
  no line has the middle class alone on one side. The other four compare the classes with each other
  and get none wrong.
- [Straight lines cannot](?data=circles) Every straight border fails on two rings. Which classifier
  that does not fail keeps the fewest numbers?
  Do: Step to the end and read how many numbers each keeps.
  Answer: Naive Bayes: 9 numbers, and 1 of 55 held-out points wrong. 1-NN needs 435 and gets none
  wrong; the straight ones get 21 to 35 wrong.
- [As many numbers](?data=moons&noise=0.6&compare=1-NN&against=k-NN) 1-NN and 15-NN keep the same
  435 numbers. Do they overfit alike?
  Do: Compare their two errors. Then set k to 1, and the Parzen window's h to 0.03.
  Answer: No. 1-NN has no training error, but gets 12 of 55 held-out points wrong; 15-NN 19 of 145
  and 6 of 55. With k = 1 they are one and the same. The Parzen window keeps 436 numbers whatever h
  is: with h = 0.3 it gets 16 of 145 and 4 of 55 wrong, with 0.03 none and 12 of 55. How many
  numbers a model keeps does not say how flexible it is.
- [Who is best?](?view=Repeat) Cubic logistic regression has the lowest mean error of 20 splits,
  7.65 %. Is it the best, and would it have that error on new points?
  Do: Step to the end; read who is within noise, and what winners have on the other half.
  Answer: These points cannot tell. Five others are within noise of it, all that look at the points
  close by, even 1-NN at 11.4 %; on other samples others win. The nine with straight or quadric
  borders are behind by more than noise. And picked by one half of the held-out points, the winner
  has 6.71 % there, but 8.54 % on the other half. On samples 0 to 4 the other half always said more.
"""

import inspect

import numpy as np
import streamlit as st

from algorithms.classification import classifiers, one_versus_rest
from algorithms.classification import repeated_splits as splitting
from algorithms.classification import wall as algorithm
from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.classification.linear import fisher, least_squares_classifier, nearest_mean
from algorithms.classification.neighbors import nearest_neighbors, parzen
from pages._shared.lab import Lab, Shown
from pages._shared.labs import LABS
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.session.cache import Later
from pages._shared.split_rng import split_rng
from viz.classification import repeated_splits as draw_splits
from viz.classification import wall as draw
from viz.core.scene import Run

NONE = "(none)"
NAMES = [classifier.name for classifier in CLASSIFIERS]
RENAMED = {"15-NN": "k-NN"}
WIDTHS = [0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0]
WITHOUT_LAB = (
    nearest_mean, least_squares_classifier, fisher, one_versus_rest, parzen, nearest_neighbors
)  # fmt: skip


def one_split(lab: Lab) -> Shown:
    """Fit a classifier a step, and compare two of them."""
    k, h = how_local(lab)
    share = lab.slider("test_share", "Held-out points, %", 0, 60, 30, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    options = [NONE, *NAMES]
    first = lab.choice("compare", "Compare", options, NONE, renamed=RENAMED)
    second = lab.choice("against", "with", options, NONE, renamed=RENAMED)
    # Parts: a new k or h leaves the fits and surfaces of all others as they are.
    chosen = [
        lab.later(classifiers.untuned),
        lab.later(classifiers.tuned, "Parzen", h),
        lab.later(classifiers.tuned, "k-NN", k),
    ]
    parts = [fitted(lab, part, seed, share) for part in chosen]
    run = lab.run(algorithm.in_order, *parts)
    surfaces = surfaces_of(lab, run, parts)
    place = picked_point(lab)
    data = lab.plane
    return lab.scene(
        draw.side_by_side, run, data, surfaces, (first, second), place, seed, code=algorithm
    )


def repeat(lab: Lab) -> Shown:
    """Fit all classifiers to one random split after the other."""
    k, h = how_local(lab)
    share = lab.slider("held", "Held-out points, %", 10, 60, 30, 5)
    n_splits = lab.slider("splits", "Random splits", 5, 40, 20, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the splits.")
    shown = lab.choice("shown", "Borders of", NAMES, "1-NN")
    data = lab.plane
    run = lab.run(
        splitting.repeated_splits, data.X, data.labels,
        classifiers=lab.later(classifiers.all_tuned, k, h),
        n_splits=n_splits, test_share=share / 100, rng=split_rng(seed),
    )  # fmt: skip
    lines = lab.later(draw_splits.find_borders, run, shown, data.bounds)
    return lab.scene(draw_splits.repeated, run, data, shown, lines, seed, code=splitting)


def how_local(lab: Lab) -> tuple[int, float]:
    """Ask for the settings of the two that have one."""
    k = lab.slider("k", "k-NN: neighbours k", 1, 60, 15)
    return k, lab.log_slider("h", "Parzen: width h", WIDTHS, 0.3)


def fitted(lab: Lab, chosen: Later, seed: int, share: int) -> Run:
    """Fit some of the classifiers, always to the same points."""
    data = lab.plane
    how = {"rng": split_rng(seed), "test_share": share / 100, "classifiers": chosen}
    return lab.run(algorithm.wall, data.X, data.labels, **how)


def surfaces_of(lab: Lab, run: Run, parts: list[Run]) -> draw.Surfaces:
    """Name the surfaces of all classifiers, each known by its own part of the run."""
    data = lab.plane
    found = {step.classifier.name: (part, i) for part in parts for i, step in enumerate(part.steps)}
    places = [(*found[step.classifier.name], data.bounds) for step in run.steps]
    tiles = tuple(lab.later(draw.find_tile, *place).value for place in places)
    surfaces = tuple(lab.later(draw.find_surface, *place).value for place in places)
    return draw.Surfaces(surfaces, lab.later(draw.tiled, tiles, data).value)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point that all classifiers are asked about: at first where they often differ."""
    return picked_place(lab, across=0.7, up=0.5)


def labs_of_their_own() -> None:
    """Link to the labs of the classifiers that have one."""
    st.markdown("**The same points in a lab of their own**")
    with st.container(horizontal=True):
        for page in LABS:
            shown = [classifier.name for classifier in CLASSIFIERS if classifier.lab == page.name]
            if shown:  # without parameters it is no link: the points on the board stay
                icon = ":material/open_in_new:"
                st.page_link(str(page.path), label=", ".join(shown), icon=icon)


def sources_of_the_others() -> None:
    """Show the source of the classifiers without a lab."""
    with st.expander("The source of those without a lab"):
        for module in WITHOUT_LAB:
            st.code(inspect.getsource(module), language="python")


MODES = {"One split": one_split, "Repeat": repeat}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES, below=labs_of_their_own)
    sources_of_the_others()
