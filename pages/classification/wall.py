r"""All classifiers side by side

Every classifier on the same points: straight borders, curved ones, and those of close neighbours.

## Idea
Each step is another **classifier**, fitted to the same points. A share of the points is **held
out** (they have a ring): no classifier sees them before it is judged on them. So there are two
errors, one on the points it learned from and one on new points. A large gap between the two is
**overfitting**: look at 1-NN, the nearest neighbour alone, whose training error is 0 unless two
classes have points in the same place.

What tells the classifiers apart is the shape their border can have:

- **Straight.** Nearest mean, least squares, Fisher's discriminant, LDA, perceptron, logistic
  regression and the linear SVM draw a line between two classes. They differ in *which* line: that
  of the means, of all points, or only of the points near the border.
- **Curved by a formula.** Products of $x$ and $y$ as further features, or Gaussians with different
  covariances, bend the border into a cubic or a quadric.
- **Local.** A tree, the nearest neighbours, the Parzen window and the SVM with an RBF kernel look
  at the points close by. They can draw any shape, and can draw noise.

More parameters do not always help: find the lowest error on the held-out points. With few of them
that is a rough estimate; another *seed* holds out others. The lowest of fifteen is also
**optimistic**, as it was picked for these very points: on new ones it is higher on average. What to
expect of the winner only further points can tell, which played no part in picking it.

Choose two classifiers to **compare**: the plane is hatched where they disagree.

## Maths
The points that are not held out are standardised, $u = (x - \bar x) / s$, and every classifier is
fitted to them. With $E$ points wrong among $n$

$$
\text{training error} = \frac{E_\text{train}}{n_\text{train}} \qquad
\text{test error} = \frac{E_\text{test}}{n_\text{test}} ,
$$

and the standard deviation of the latter is $\sqrt{p (1 - p) / n_\text{test}}$ for a true error $p$.

Those that have no lab of their own:

- **Nearest mean**: $\arg\min_k \lVert x - m_k \rVert$, so two classes part along the perpendicular
  bisector of $m_1$ and $m_2$.
- **Least squares**: the indicators of the classes, $t_i \in \{0, 1\}^K$, by linear regression,
  $W^\top = (X^\top X)^{-1} X^\top T$ (centred); the largest output decides.
- **Fisher's discriminant**: the direction with the largest
  $J(w) = \dfrac{w^\top S_B w}{w^\top S_W w}$,
  which for two classes is $w \propto S_W^{-1} (m_2 - m_1)$, then the nearest projected mean.
- **k nearest neighbours**: $P(j \mid x) = k_j / k$, with $k_j$ of the $k$ nearest points in class
  $j$.
- **Parzen window**: $\arg\max_j \frac1n \sum_{i \in j} e^{-\lVert x - x_i \rVert^2 / (2 h^2)}$.

A classifier for two classes (perceptron, SVM) has a machine per class against the rest if there are
more; the largest output decides. Parameters are the numbers that a model keeps in order to predict.

*Sources: CS725 lectures 22 to 27 (15, 18.2, 18.3, 19.4, 19.5).*

## Try this
- [An outlier](?data=outlier&compare=Least squares&against=Logistic) One far point, on its own
  side, turns the line of least squares; logistic regression hardly notices. Move the point farther
  out.
- [A masked class](?data=row&compare=Least squares&against=Fisher) Of three classes in a row least
  squares hides the middle one. Fisher and the nearest mean do not.
- [Straight lines cannot](?data=circles&compare=LDA&against=QDA) Every straight border fails, no
  other does. Which of the others need the fewest parameters?
- [Learning the noise](?data=moons&noise=0.6&compare=1-NN&against=15-NN) Compare the
  two errors of 1-NN with those of 15-NN, then take other seeds.
- [Steps against a slope](?data=separable&noise=1&n=400&compare=Decision tree&against=Linear SVM) A
  slanted border costs the tree steps along the axes: 9 splits and 28 parameters, where the linear
  SVM has one line and 3. Which of them gets more of the held-out points wrong?
"""

import inspect

import numpy as np
import streamlit as st

from algorithms.classification import one_versus_rest
from algorithms.classification import wall as algorithm
from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.classification.linear import fisher, least_squares_classifier, nearest_mean
from algorithms.classification.neighbors import nearest_neighbors, parzen
from pages._shared.lab import Lab, Shown, open_lab
from pages._shared.labs import LABS
from viz.classification import wall as draw

NONE = "(none)"
WITHOUT_LAB = (
    nearest_mean, least_squares_classifier, fisher, one_versus_rest, parzen, nearest_neighbors
)  # fmt: skip


def side_by_side(lab: Lab) -> Shown:
    """Fit a classifier a step, and compare two of them."""
    share = lab.slider("test_share", "Held-out points, %", 0, 60, 30, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    options = [NONE, *(classifier.name for classifier in CLASSIFIERS)]
    first = lab.choice("compare", "Compare", options, NONE)
    second = lab.choice("against", "with", options, NONE)
    # A stream of its own: the one that drew the points would hold out a part of the shape.
    rng = np.random.default_rng([seed, 1])
    data = lab.plane
    run = lab.run(algorithm.wall, data.X, data.labels, rng=rng, test_share=share / 100)
    surfaces = lab.later(draw.find_surfaces, run, data.bounds)
    return lab.scene(draw.side_by_side, run, data, surfaces, (first, second), seed, code=algorithm)


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


open_lab(__file__, data="moons", noise=0.3).show(side_by_side, below=labs_of_their_own)
sources_of_the_others()
