r"""Naive Bayes and discriminant analysis

Describe each class by itself; Bayes' rule draws the border.

## Idea
These classifiers do not look for a border. They describe each **class** on its own: how frequent it
is (the [prior](glossary#prior)) and where its points lie (a [density](glossary#density)). A new
point goes to the class for which prior times density is highest. The border is where the two
highest are equal. Drag the **picked point**: the last line below the picture works the product out
for it, class by class, and its share of the sum (the [posterior](glossary#posterior)).

The views differ in the description:

- **Discriminant analysis** gives each class a [Gaussian](glossary#gaussian), a hill with elliptic
  contours (drawn at 1 and 2 [standard deviations](glossary#standard-deviation), of five classes or
  more at 1 only). If all classes *share* one [covariance](glossary#covariance-matrix), all ellipses
  are alike and the borders are **straight**. With *separate* covariances the borders are
  **curves**: ellipses, parabolas or hyperbolas. *Diagonal* covariances keep the ellipses upright:
  that is naive Bayes.
- **Naive Bayes** pretends that the features are [independent](glossary#independent) within a
  class. Then a class is one small curve for each feature, and the features are taken one after the
  other: each multiplies one more factor into the result.
- **Binned** naive Bayes counts instead of fitting curves. Each axis is cut into bins and the
  share of every bin is noted for each class. The border is made of **steps**. *Categorical* asks
  "which bin?"; *Bernoulli* asks "is x above this edge?", yes or no, at every edge.

- **Fisher** turns it round: it looks for the axis on which the classes, projected, are best told
  apart. Their means shall be far from each other there, and every class close to its own. Turn the
  axis by its handles. With two classes of equal size it is the axis of a *shared* covariance.

Why be naive? Because of the numbers to estimate. A full covariance of d features has d(d + 1)/2 of
them for each class, a table of all combinations of bins soon far more. Naive Bayes needs a few for
each feature. Its assumption is hardly ever true, but a wrong description of which every number is
well known can do better than a right one that is guessed from a few points. **Few or many** puts
this to the test: it learns from more and more points and counts the mistakes on all others.

Mistakes on the points that were learned from flatter every classifier. So some points are
[held out](glossary#held-out-points) (small and pale): they are not learned from and only count
mistakes.

**When it breaks.** If the points of a class lie on a line, their covariance has no inverse and the
class no density: it is [singular](glossary#singular). A small **ridge** λ repairs it: every
variance gets that share of the column's variance over all points on top. If a bin was never seen in
a class, its share is 0 and wipes out everything else: **smoothing** pretends to have seen a few
points more.

## Maths
Bayes' rule for a point $\mathbf x = (x_1, \dots, x_d)$, with priors $\pi_k = n_k / n$ and a density
$p(\mathbf x \mid k)$ for each class $k$:

$$
P(k \mid \mathbf x) =
\frac{\pi_k\, p(\mathbf x \mid k)}{\sum_l \pi_l\, p(\mathbf x \mid l)} .
$$

(On the plane the captions call $x_1$ and $x_2$ x and y.)

**Gaussian discriminant analysis**: $p(\mathbf x \mid k) = N(\mathbf x; \mu_k, \Sigma_k)$, and the
[likelihood](glossary#likelihood) is highest, without the ridge $\lambda$, at

$$
\begin{aligned}
\mu_k &= \frac{1}{n_k} \sum_{i \in k} \mathbf x_i , \qquad
\Sigma_k = \frac{1}{n_k} \sum_{i \in k} (\mathbf x_i - \mu_k)(\mathbf x_i - \mu_k)^\top
+ \lambda D , \\
\Sigma &= \frac1n \sum_k \sum_{i \in k} (\mathbf x_i - \mu_k)(\mathbf x_i - \mu_k)^\top
+ \lambda D ,
\end{aligned}
$$

the last if it is shared. $D$ is diagonal and holds the variances of the columns over all points: so
the units of the columns do not matter. Classes $k$ and $l$ are equal where
$\mathbf x^\top A \mathbf x + b \cdot \mathbf x + c = 0$ with

$$
\begin{aligned}
A &= -\tfrac12 (\Sigma_k^{-1} - \Sigma_l^{-1}) , \qquad
b = \Sigma_k^{-1} \mu_k - \Sigma_l^{-1} \mu_l , \\
c &= -\tfrac12 (\mu_k^\top \Sigma_k^{-1} \mu_k - \mu_l^\top \Sigma_l^{-1} \mu_l)
- \tfrac12 \ln \frac{|\Sigma_k|}{|\Sigma_l|} + \ln \frac{\pi_k}{\pi_l} .
\end{aligned}
$$

With a shared $\Sigma$, $A = 0$ and the border is linear. Numbers to estimate besides the priors,
for $K$ classes: separate $K (d + d(d+1)/2)$, shared $Kd + d(d+1)/2$, diagonal $2Kd$.

**Gaussian naive Bayes**: $p(\mathbf x \mid k) = \prod_j N(x_j; \mu_{kj}, \sigma_{kj}^2)$ with the
mean and the variance of each feature $j$ in each class, the variance plus $\varepsilon$ times the
largest variance of a feature over all points. (That is scikit-learn's rule. It does not depend on a
unit that all features have in common; of features in unlike units a large one can drown a small
one.)

**Binned**: $p(\mathbf x \mid k) = \prod_j P(\phi_j = v \mid k)$. Of the $n_k$ points of class $k$,
$n_{kjv}$ have value $v$ of feature $j$, which has $V$ values:

$$
\text{Laplace:}\quad \frac{n_{kjv} + s}{n_k + s V} \qquad\qquad
\text{m-estimate:}\quad \frac{n_{kjv} + s\, p_{jv}}{n_k + s} , \quad
p_{jv} = \frac{n_{jv} + 1}{n + V}
$$

with the strength $s$; $n_{jv}$ counts the points of all classes. The
[log-odds](glossary#log-odds) of two classes are a sum with one term for the priors and one for each
feature: linear in the indicators $[\phi_j = v]$.

**Fisher**: on the axis $w$ two classes have the means $m_1, m_2$ and the scatters
$s_k^2 = \sum_{i \in k} (w \cdot \mathbf x_i - m_k)^2$. The
[Fisher ratio](glossary#fisher-ratio)

$$
J(w) = \frac{(m_1 - m_2)^2}{s_1^2 + s_2^2}
$$

is largest for $w \propto S_W^{-1} (\mu_2 - \mu_1)$, where $S_W$ is $n$ times the shared $\Sigma$
above, without the ridge.

*Sources: CS725 lectures 12–17 (10, 11) and 19.5, 20APC3316 (m-estimate,
linear discriminant), CIS787 (smoothing).*

## Try this
- [Which covariance?](?data=unequal&n=1000&covariance=separate&held=50) One class is wide, two are
  tight. Will borders that are straight do, and ellipses that stay upright?
  Do: Compare the three kinds in the line below the caption, then on the preset Stretched.
  Answer: Here straight borders (shared) get 7 of the 518 points learned from wrong and 3 of the 482
  held out; curves close around the tight classes, and 1 and 1 are wrong, upright or not. The
  classes of Stretched are slanted: upright ellipses (diagonal) get 11 and 14 wrong, the others 3
  and 3.
- [Does naive mean bad?](?view=few%20or%20many&data=iris) In every kind of iris the length and the
  width of a petal go together: to call them independent is false. Is naive the worse classifier?
  Do: Step on, and compare naive with separate, which assumes nothing of the sort.
  Answer: Not from few flowers. From 12 it gets 6.35 % of the others wrong, separate covariances
  8.86 %. The correlations are 0.33, 0.79 and 0.32, but guessed from some four flowers of a kind
  they do more harm than none. From 75 flowers it is 4.4 % against 3.69 %: now they are known well,
  and naive pays for leaving them out.
- [A class on a line](?data=blobs&classes=2&n=4&covariance=separate&held=0) There are two
  points a class. Is that enough to describe a class by a Gaussian?
  Do: Step to the end and read why it fails, then raise the ridge by one.
  Answer: No: two points have no spread across the line through them, so their covariance has no
  inverse. With the ridge at 0.001 every variance gets a thousandth of that of all points on top:
  both classes have a density, if a thin one, and there is a border.
- [How many bins?](?view=binned&data=moons&n=80&noise=0.3&bins=12&held=50) The more bins, the more
  closely the border can follow the points. Which number of bins is best for new points?
  Do: Look at the errors by number of bins, then change the seed a few times.
  Answer: Here 4: it gets 1 of the 41 points held out wrong, 2 bins get 10 wrong and 12 get 3. One
  split is a matter of luck, but over 40 samples the mean error on points held out is 18 % with 2
  bins, 10 % with 4 and 15 % with 12. On the points learned from it falls from 16 % to 4 %: that
  does not say when to stop.
- [Zero wipes out the rest](?view=binned&data=separable&bins=8&strength=0&query=2,1.5) Class 2 was
  never seen so far to the right, class 1 never so high. Which class gets the picked point?
  Do: Step to the end and read the last line; then choose the strength 1.
  Answer: Neither: both products are 0, so the priors decide and say class 1 (51 %). Smoothing lifts
  every 0 a little. Then both products can be compared, and class 2 gets it (62 %).
- [Far apart is not enough](?view=Fisher&data=moons) On the axis through both means these are as far
  apart as on any. Is it the axis that tells the classes apart best?
  Do: Press ] from one direction of note to the next, and compare J and the points on the wrong
  side.
  Answer: No: it gets 43 of 200 points wrong, for the classes are wide along it. Fisher's axis gets
  27 wrong: the means are nearer to each other there, 1.76 in place of 2.22, but every class stays
  together. The axis of most variance gets 50 wrong. On samples 0 to 9 the order is the same.
"""

from numpy import ndarray

from algorithms.classification.generative import categorical_naive_bayes as counting
from algorithms.classification.generative import gaussian_discriminant as algorithm
from algorithms.classification.generative import learning_curves as learning
from algorithms.classification.generative import naive_bayes
from algorithms.classification.linear import fisher_axis
from algorithms.core.splits import held_out
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from viz.classification.generative import gaussian_discriminant_scenes as draw
from viz.classification.linear import fisher_axis as draw_fisher

RIDGES = [0.0, 0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0]
SMOOTHINGS = [0.0, 1e-9, 0.001, 0.01, 0.1, 0.3, 1.0]
STRENGTHS = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
MOST_BINS = 12


def gaussian(lab: Lab) -> Shown:
    """Describe each class by a Gaussian."""
    X, y = lab.plane.X, lab.plane.labels
    kinds = list(algorithm.COVARIANCES)
    how = {
        "covariance": lab.buttons("covariance", "Covariance", kinds, "separate"),
        "ridge": choose_ridge(lab, "ridge", 0.0),
    }
    held, query = hold_out(lab), picked_point(lab)
    run = lab.run(algorithm.gaussian_discriminant, X[~held], y[~held], **how)
    mistakes = lab.later(algorithm.compare_covariances, X, y, held, ridge=how["ridge"])
    return lab.scene(draw.gaussian, run, lab.plane, held, query, mistakes, how, code=algorithm)


def naive(lab: Lab) -> Shown:
    """Describe each feature of each class by a Gaussian of its own."""
    X, y = lab.plane.X, lab.plane.labels
    smoothing = lab.log_slider(
        "smoothing", "Smoothing ε, share of variance", SMOOTHINGS, 1e-9,
        help="Every variance gets this share of the largest variance of a feature on top.",
    )  # fmt: skip
    held, query = hold_out(lab), picked_point(lab)
    run = lab.run(naive_bayes.gaussian_naive_bayes, X[~held], y[~held], smoothing=smoothing)
    mistakes = lab.later(algorithm.compare_covariances, X, y, held)
    return lab.scene(draw.naive, run, lab.plane, held, query, mistakes, code=naive_bayes)


def binned(lab: Lab) -> Shown:
    """Describe each feature of each class by a table of frequencies."""
    X, y = lab.plane.X, lab.plane.labels
    model = lab.buttons("model", "Model", list(counting.MODELS), "categorical")
    bins = lab.slider("bins", "Bins of each axis", 2, MOST_BINS, 5)
    smoothing = {
        "estimate": lab.buttons("estimate", "Estimate", list(counting.ESTIMATES), "laplace"),
        "strength": lab.log_slider("strength", "Strength of the smoothing", STRENGTHS, 1.0),
    }
    held, query = hold_out(lab), picked_point(lab)
    how = {"model": model} | smoothing
    run = lab.run(counting.categorical_naive_bayes, X[~held], y[~held], bins=bins, **how)
    errors = lab.later(counting.errors_by_bins, X, y, held, MOST_BINS, **how)
    return lab.scene(draw.binned, run, lab.plane, held, query, errors, smoothing, code=counting)


def few_or_many(lab: Lab) -> Shown:
    """Learn from few points, then from more, and compare the kinds of covariance."""
    ridge = choose_ridge(lab, "lambda", 0.01)
    rng = split_rng(choose_seed(lab))
    run = lab.run(learning.learning_curves, lab.plane.X, lab.plane.labels, rng=rng, ridge=ridge)
    return lab.scene(draw.learning, run, lab.plane, code=learning)


def fisher(lab: Lab) -> Shown:
    """Turn an axis until the classes, projected on it, are well apart."""
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        fisher_axis.fisher_axis, lab.plane.X, lab.plane.labels, units=(right - left, top - bottom)
    )
    return lab.scene(draw_fisher.by_hand, run, lab.plane, code=fisher_axis)


def choose_ridge(lab: Lab, name: str, default: float) -> float:
    """Ask what is added to the variances."""
    text = "Every variance gets this share of that column's variance over all points on top."
    return lab.log_slider(name, "Ridge λ, share of variance", RIDGES, default, help=text)


def choose_seed(lab: Lab) -> int:
    """Ask for the seed of what is held out."""
    return lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")


def hold_out(lab: Lab) -> ndarray:
    """Give which points are held out: they are not learned from, and count mistakes."""
    share, seed = lab.slider("held", "Held-out points, %", 0, 60, 30), choose_seed(lab)
    y = lab.plane.labels
    return held_out(len(y), share / 100, rng=split_rng(seed), codes=y)


def picked_point(lab: Lab) -> ndarray:
    """Give the point that Bayes' rule is worked out for: at first up on the right."""
    return picked_place(lab, across=0.74, up=0.7)


OPENS_ON = {"Gaussian": "unequal", "Fisher": "parallel"}

MODES = {
    "Gaussian": gaussian,
    "naive": naive,
    "binned": binned,
    "few or many": few_or_many,
    "Fisher": fisher,
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
