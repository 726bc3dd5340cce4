r"""Naive Bayes and discriminant analysis

Describe each class by itself; Bayes' rule draws the border.

## Idea
These classifiers do not look for a border. They describe each **class** on its own: how frequent it
is (the *prior*) and where its points lie (a *density*). A new point goes to the class for which
prior times density is highest. The border is wherever two classes are equal.

The three views differ in the description:

- **Discriminant analysis** gives each class a Gaussian, a hill with elliptic contours (drawn at 1
  and 2 standard deviations). If all classes *share* one covariance, all ellipses are alike and the
  borders are **straight**. With *separate* covariances the borders are **curves**: ellipses,
  parabolas or hyperbolas. *Diagonal* covariances keep the ellipses upright: that is naive Bayes.
- **Naive Bayes** pretends that the features are independent within a class. Then a class is one
  small curve for each feature, and the features are taken one after the other: each multiplies one
  more factor into the result.
- **Binned** naive Bayes counts instead of fitting curves. Each axis is cut into bins and the
  share of every bin is noted for each class. The surface is made of **steps**. *Categorical* asks
  "which bin?"; *Bernoulli* asks "is x above this edge?", yes or no, at every edge.

Why be naive? Because of the numbers to estimate. A full covariance of d features has d(d + 1)/2 of
them for each class, a table of all combinations of bins even more. Naive Bayes needs a few for
each feature.

**When it breaks.** If the points of a class lie on a line, their covariance has no inverse and the
class no density: it is *singular*. A small **ridge** λ on the diagonal repairs it. If a bin was
never seen in a class, its share is 0 and wipes out everything else: **smoothing** pretends to have
seen a few points more.

## Maths
Bayes' rule, with priors $\pi_k = n_k / n$ and a density $p(x \mid k)$ for each class:

$$
P(k \mid x) = \frac{\pi_k\, p(x \mid k)}{\sum_l \pi_l\, p(x \mid l)} .
$$

**Gaussian discriminant analysis**: $p(x \mid k) = N(x; \mu_k, \Sigma_k)$, and the likelihood is
highest at

$$
\mu_k = \frac{1}{n_k} \sum_{i \in k} x_i , \qquad
\Sigma_k = \frac{1}{n_k} \sum_{i \in k} (x_i - \mu_k)(x_i - \mu_k)^\top + \lambda I , \qquad
\Sigma = \frac1n \sum_k \sum_{i \in k} (x_i - \mu_k)(x_i - \mu_k)^\top + \lambda I ,
$$

the last if it is shared. Classes $j$ and $l$ are equal where $x^\top A x + b \cdot x + c = 0$ with

$$
\begin{aligned}
A &= -\tfrac12 (\Sigma_j^{-1} - \Sigma_l^{-1}) , \qquad
b = \Sigma_j^{-1} \mu_j - \Sigma_l^{-1} \mu_l , \\
c &= -\tfrac12 (\mu_j^\top \Sigma_j^{-1} \mu_j - \mu_l^\top \Sigma_l^{-1} \mu_l)
- \tfrac12 \ln \frac{|\Sigma_j|}{|\Sigma_l|} + \ln \frac{\pi_j}{\pi_l} .
\end{aligned}
$$

With a shared $\Sigma$, $A = 0$ and the surface is linear. Numbers to estimate besides the priors,
for $K$ classes: separate $K (d + d(d+1)/2)$, shared $Kd + d(d+1)/2$, diagonal $2Kd$.

**Gaussian naive Bayes**: $p(x \mid k) = \prod_j N(x_j; \mu_{kj}, v_{kj})$ with the mean and the
variance of each feature in each class, the variance plus $\varepsilon \max_j \mathrm{Var}(x_j)$.

**Binned**: $p(x \mid k) = \prod_l P(\phi_l = v_l \mid k)$. Of $N_k$ points of class $k$, $N_{klv}$
have value $v$ of feature $l$, which has $V$ values:

$$
\text{Laplace:}\quad \frac{N_{klv} + a}{N_k + a V} \qquad\qquad
\text{m-estimate:}\quad \frac{N_{klv} + m\, p_{lv}}{N_k + m} , \quad
p_{lv} = \frac{N_{lv} + 1}{n + V}
$$

with the strength $a$ or $m$. The log-odds of two classes are a sum with one term a feature: linear
in the indicators $[\phi_l = v]$.

*Sources: CS725 lectures 12–17 (10, 11), 20APC3316 (m-estimate), CIS787 (smoothing).*

## Try this
- [Straight or curved?](?data=unequal&n=1000&covariance=separate) One class is wide, two are tight:
  with separate covariances the borders close around the tight ones, 3 of 1000 points are wrong.
  Then choose shared: all ellipses are alike, the borders are lines and 10 are wrong.
- [What naive costs](?data=stretched&n=1000&covariance=diagonal) The classes are slanted but the
  ellipses of naive Bayes stay upright: 34 of 1000 points are wrong. Then choose shared: the
  ellipses turn, and 6 are.
- [A class on a line](?data=blobs&classes=2&n=4&noise=0.6&covariance=separate) Two points a class
  have no spread across the line through them: step to the end and read why it fails. Then raise the
  ridge.
- [Steps](?view=binned&data=moons&n=40&bins=4) Bins follow no formula, so the border goes in steps.
  Turn them up to 12: fewer of these 40 points are wrong. But they are the ones that were counted.
  With so few of them in a bin more *new* points would be wrong: over many such data sets 11 of 100
  on average, and 8 with 4 bins.
- [Zero wipes out the rest](?view=binned&data=separable&bins=8&strength=0) Without smoothing a
  bin that was never seen vetoes its class. Raise the strength, and look at the pale cells.
"""

from algorithms.classification.generative import categorical_naive_bayes as counting
from algorithms.classification.generative import gaussian_discriminant as algorithm
from algorithms.classification.generative import naive_bayes
from algorithms.classification.generative.gaussian_discriminant import compare_covariances
from pages._shared.lab import Lab, Shown, open_lab
from viz.classification.generative import gaussian_discriminant_scenes as draw

RIDGES = [0.0, 0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0]
SMOOTHINGS = [0.0, 1e-9, 0.001, 0.01, 0.1, 0.3, 1.0]
STRENGTHS = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]


def gaussian(lab: Lab) -> Shown:
    """Describe each class by a Gaussian."""
    data = lab.plane
    kind = lab.buttons("covariance", "Covariance", list(algorithm.COVARIANCES), "separate")
    ridge = lab.log_slider("ridge", "Ridge λ", RIDGES, 0.0)
    run = lab.run(
        algorithm.gaussian_discriminant, data.X, data.labels, covariance=kind, ridge=ridge
    )
    mistakes = lab.later(compare_covariances, data.X, data.labels, ridge=ridge)
    return lab.scene(draw.gaussian, run, data, mistakes, kind, ridge, code=algorithm)


def naive(lab: Lab) -> Shown:
    """Describe each feature of each class by a Gaussian of its own."""
    data = lab.plane
    smoothing = lab.log_slider("smoothing", "Smoothing ε", SMOOTHINGS, 1e-9)
    run = lab.run(naive_bayes.gaussian_naive_bayes, data.X, data.labels, smoothing=smoothing)
    mistakes = lab.later(compare_covariances, data.X, data.labels)
    return lab.scene(draw.naive, run, data, mistakes, code=naive_bayes)


def binned(lab: Lab) -> Shown:
    """Describe each feature of each class by a table of frequencies."""
    data = lab.plane
    model = lab.buttons("model", "Model", list(counting.MODELS), "categorical")
    bins = lab.slider("bins", "Bins of each axis", 2, 12, 5)
    estimate = lab.buttons("estimate", "Estimate", list(counting.ESTIMATES), "laplace")
    strength = lab.log_slider("strength", "Strength of the smoothing", STRENGTHS, 1.0)
    run = lab.run(
        counting.categorical_naive_bayes, data.X, data.labels,
        model=model, bins=bins, estimate=estimate, strength=strength,
    )  # fmt: skip
    return lab.scene(draw.binned, run, data, estimate, strength, code=counting)


open_lab(__file__, data="unequal").show({"Gaussian": gaussian, "naive": naive, "binned": binned})
