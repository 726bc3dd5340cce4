r"""Bias and variance

New training sets again and again: how far off is the mean fit, and how far apart are the fits.

## Idea
A training set is drawn by chance. Had it been another one, the fit would have been another one.
Here the **truth** is known (the green curve), so new training sets can be drawn at will: every step
draws one, fits it (blue) and adds the fit to those before. Three things make a fit miss a new
point:

- **Bias**: the *mean* of all fits (orange) is not the truth. A straight line can never follow a
  wave, however many training sets there are.
- **Variance**: the single fits differ from their mean; the orange band is one standard deviation
  wide on either side. A flexible fit follows the noise of its own set, and every set has other
  noise.
- **Noise**: the new point itself is off the truth. No fit can do anything about that.

In squares these three simply **add up** to the expected error. That is not only a formula: every
set's fits are also tested on fresh points, and the test error (diamonds) stays on the sum, up to
chance. More flexible fits (a higher degree, a smaller penalty, fewer neighbours) tend to have less
bias and more variance. That is no law: with points at random $x$, a parabola through a sine wave
varies more than a cubic. The best complexity usually lies between; where, depends on the truth, on
the number of points in a set, and on the noise.

Bias and variance are estimated from the sets drawn so far, so each has a bar: two
[standard errors](glossary#standard-error) up and down. A bias² whose bar reaches 0 may be none at
all.

**Where the points lie** matters. *Even* x leave the noise as the only difference between two sets,
and every further weight of a polynomial adds about $\sigma^2 / n$ to the variance; far more, when
there are nearly as many weights as points. *Random* x leave gaps now and then, and there a flexible
fit swings.

The **bull's-eye** shows the same at two places, x₁ and x₂ (drag them along the picture): each fit
is a shot, its error at x₁ to the right and at x₂ upwards. The centre is the truth. Bias shifts all
shots to one side, variance scatters them.

**Draw the truth** yourself: with the truth *through the points*, it runs through those on the
board. And with the truth **unknown**, the points are all there is, as in real life. The
[bootstrap](glossary#bootstrap) draws new sets out of the points themselves. It still shows the
variance, and the points that a resample left out ([out of the
bag](glossary#out-of-bag-points)) can test its fit. What can no longer be known is
how much of the rest is bias and how much is noise.

## Maths
Let $y_i = f(x_i) + \varepsilon_i$ with noise of mean 0 and variance $\sigma^2$, let $h$ be the fit
to one training set and $\bar h(x) = \mathbb E\, h(x)$ its mean over training sets. For a new point
$y = f(x) + \varepsilon$

$$
\underbrace{\mathbb E\,(y - h(x))^2}_{\text{expected error}}
= \underbrace{(\bar h(x) - f(x))^2}_{\text{bias}^2}
+ \underbrace{\mathbb E\,(h(x) - \bar h(x))^2}_{\text{variance}}
+ \underbrace{\sigma^2}_{\text{noise}} ,
$$

since $y - h = \varepsilon + (f - \bar h) + (\bar h - h)$, where the first and the last part have
mean 0 and do not depend on each other, so that no product of two parts survives. After $b$ sets
with the fits $h_1, \dots, h_b$

$$
m \leftarrow m + \frac{h - m}{b} \qquad
\text{variance} = \frac{1}{b - 1} \sum_{s=1}^b (h_s - m)^2 \qquad
\text{bias}^2 = (m - f)^2 - \frac{\text{variance}}{b} .
$$

Why is something taken off? The mean $m$ of only $b$ fits is off by chance, too: even without any
bias $(m - f)^2$ is $\operatorname{Var}(h) / b$ on average. What is left,

$$
(m - f)^2 - \frac{\text{variance}}{b} = \frac{1}{b (b - 1)} \sum_{s \ne u} (h_s - f)(h_u - f) ,
$$

is the mean product of the errors of two *different* sets. They know nothing of each other, so its
expectation is $(\bar h - f)^2$. It can fall below 0 by chance. The sum does not notice the
correction: at every $x$ and for every $b$

$$
\text{bias}^2 + \text{variance} = (m - f)^2 + \frac1b \sum_{s=1}^b (h_s - m)^2
= \frac1b \sum_{s=1}^b (h_s - f)^2 .
$$

The bars of both come from leaving out one set after the other (the *jackknife*): if $r_s$ is the
sum of a set's products with all others, averaged over $x$, the squared standard error of bias² is
$\frac{4}{b (b - 1) (b - 2)^2} \sum_s (r_s - \bar r)^2$; on average it is rather too large than too
small. For the test error let $d_s$ be a set's error on fresh points minus its
$(h_s - f)^2 + \sigma^2$, averaged over $x$: it has mean 0, and the standard error of the mean of
$b$ of them is their standard deviation divided by $\sqrt b$.

**Fits.** Polynomials of degree $p$ minimise $\sum_i (y_i - h(t_i))^2 + \lambda \sum_{j>0} w_j^2$
over $h(t) = w_0 + w_1 t + \dots + w_p t^p$, with $x$ scaled to $t \in [-1, 1]$; $k$ nearest
neighbours predict the mean $y$ of the $k$ nearest points.

**Bootstrap.** A resample draws $n$ of the $n$ points with replacement and misses a point with
probability $(1 - 1/n)^n \approx 1/e = 0.368$. With $m_i$ and $v_i$ the mean and the variance, at
point $i$, of the fits that left it out, the mean of $(y_i - h(x_i))^2$ over these fits is exactly
$(y_i - m_i)^2 + v_i$: the error of the mean fit, in which bias² and noise cannot be told apart,
plus the variance.

*Sources: CS337 (bias and variance; bagging), CIS787 (bull's-eye); Efron 1979; jackknife: Arvesen
1969, Efron and Stein 1981; the curve through the points: Fritsch and Butland 1984.*

## Try this
- [A line through a wave](?truth=sine&degree=1) Sixty fits of a line are nearly the same line. Is
  that a good sign?
  Do: Step to the end; then do the same at degrees 3, 5 and 9.
  Answer: No: they are alike, and all of them are wrong. Bias² is 0.783, the variance 0.022. At
  degree 3 bias² falls to 0.017. From degree 5 on it cannot be told from 0, but the variance goes
  on: 0.040 at degree 3, 0.064 at 5 and 0.121 at 9. Every weight adds about σ²/n = 0.01, rather
  more at the end, and buys nothing any more. Degree 3 has the least error.
- [Too flexible](?truth=sine&degree=10&size=20&design=random) The mean of 60 fits of degree 10 is
  far off the truth: (mean − f)² is 66. Are these fits biased?
  Do: Step to the end and read the third line of the caption. Then choose even x.
  Answer: Nothing says so. The variance is 4897, so that even without any bias a mean of 60 fits
  would be off by about 4897/60 = 82. That taken off, bias² is −16, with a standard error of 80. A
  few sets with a gap between their points make all that variance: with even x it is 0.29.
- [A penalty instead](?truth=sine&over=penalty&degree=10&ridge=0.1&size=20&design=random) Can a
  polynomial of degree 10 be tamed without lowering its degree?
  Do: Step to the end and find the λ with the least error, and the error at λ = 0.
  Answer: Yes. At λ = 0.1 the sum is 0.575 (bias² 0.094, variance 0.185), at λ = 0 it is 4881. A
  larger λ goes too far: at 10 the variance is 0.087, but bias² 1.24.
- [Nearest neighbours](?truth=step&over=neighbours&neighbours=1) What is the variance of a
  prediction that copies the nearest point?
  Do: Step to the end and compare it with the noise; then take 3, 6 and 12 neighbours.
  Answer: That of the noise, σ² = 0.296: the noise of one point comes along (0.304 are shown). The
  mean of k neighbours has σ²/k: 0.103 for 3, 0.055 for 6 and 0.026 for 12 are shown. The price is
  bias at the jump, where neighbours from the other side join in: bias² is 0.15 for 6 and 0.30 for
  12, more than 98 % of it within 1 of the jump.
- [Truth unknown](?data=sine&n=40&noise=0.4&truth=unknown: bootstrap&degree=6) Can the points alone
  tell how much of the error is bias?
  Do: Step to the end and read the second line of the caption.
  Answer: No. A single fit has an error of 0.421 on the points left out: 0.138 is variance, 0.282 is
  bias² and noise, and nothing in the points tells these two apart. These points were made with
  noise of variance 0.16, but only those who made them know.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from algorithms.data.truths import TRUTHS, Truth, stretch, through
from algorithms.regression.bias_variance import bias_variance, bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    MAX_DEGREE,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from algorithms.regression.bias_variance.sampling import PLACES, Sampling
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from viz.core.scene import Bounds, Plane
from viz.regression.bias_variance import bias_variance_scenes as scenes
from viz.regression.bias_variance.bias_variance_scenes import Family

DRAWN, UNKNOWN = "through the points", "unknown: bootstrap"
PENALTIES = [0.0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
# Where a truth with a formula is shown: without the points on the board.
EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))


Choose = Callable[[Lab, int], Family]  # asks what is fitted to sets of so many points


def by_degree(lab: Lab) -> Shown:
    """Fit polynomials of several degrees, with one penalty."""
    return many_fits(lab, choose_degree)


def by_penalty(lab: Lab) -> Shown:
    """Fit polynomials of one degree with several penalties."""
    return many_fits(lab, choose_penalty)


def by_neighbours(lab: Lab) -> Shown:
    """Fit the mean of the k nearest points, for several k."""
    return many_fits(lab, choose_neighbours)


def many_fits(lab: Lab, choose: Choose) -> Shown:
    """Fit one training set after the other."""
    formulas = {name: partial(of_a_formula, truth=truth) for name, truth in TRUTHS.items()}
    sources = {DRAWN: through_the_points, **formulas, UNKNOWN: of_resamples}
    source = lab.choice("truth", "Truth", list(sources), DRAWN, help="Its curve is green.")
    return sources[source](lab, choose)


def through_the_points(lab: Lab, choose: Choose) -> Shown:
    """Draw sets from a curve through the points on the board."""
    data = lab.plane
    truth = lab.later(through, data.X, spare=data.bounds[:2])
    sampling = choose_sampling(lab, data.bounds)
    family = choose(lab, sampling.n)
    run = lab.run(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, data.bounds, stretch(data.X[:, 0], spare=data.bounds[:2]))
    return lab.scene(scenes.decomposition, run, data, family, at, truth, code=bias_variance)


def of_a_formula(lab: Lab, choose: Choose, truth: Truth) -> Shown:
    """Draw sets from a truth that was picked: the points on the board have no part in it."""
    sampling = choose_sampling(lab, EMPTY.bounds)
    family = choose(lab, sampling.n)
    run = lab.run_apart(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, EMPTY.bounds, (truth.low, truth.high))
    return lab.scene(scenes.decomposition, run, EMPTY, family, at, truth, code=bias_variance)


def of_resamples(lab: Lab, choose: Choose) -> Shown:
    """Resample the points on the board: nothing else is known."""
    data = lab.plane
    x, y = data.X.T
    family = choose(lab, len(x))
    run = lab.run(bootstrap.bootstrap, x, y, family.models, **draws(lab))
    at = probes(lab, data.bounds, stretch(x, spare=data.bounds[:2]))
    return lab.scene(scenes.resampling, run, data, family, at, code=bootstrap)


def choose_sampling(lab: Lab, bounds: Bounds) -> Sampling:
    """Ask how a training set is drawn. bounds : of the picture."""
    n = lab.slider("size", "Points in a set", 5, 80, 30)
    share = lab.slider("share", "Noise σ, % of the picture's height", 0, 30, 8)
    design = lab.buttons("design", "x of the points", ["even", "random"], "even")
    return Sampling(n, share / 100 * (bounds[3] - bounds[2]), design)


def choose_degree(lab: Lab, n: int) -> Family:
    """Ask for a degree; those from 0 on are fitted to sets of n points, with one penalty."""
    degree, penalty = choose_polynomial(lab, n)
    most = max(degree, min(12, MAX_DEGREE, n - 1))
    return Family(Polynomials(tuple(range(most + 1)), penalty), degree)


def choose_penalty(lab: Lab, n: int) -> Family:
    """Ask for a penalty; all are fitted to sets of n points, at one degree."""
    degree, penalty = choose_polynomial(lab, n)
    falling = tuple(PENALTIES[::-1])
    return Family(RidgePolynomials(falling, max(degree, 1)), falling.index(penalty))


def choose_neighbours(lab: Lab, n: int) -> Family:
    """Ask how many neighbours are averaged, of n points in a set."""
    n = max(n, 2)
    k = lab.slider("neighbours", "Neighbours k", 1, n, min(5, n))
    ks = sorted({k, *np.geomspace(n, 1, 12).round().astype(int).tolist()}, reverse=True)
    return Family(NearestNeighbors(tuple(ks)), ks.index(k))


def choose_polynomial(lab: Lab, n: int) -> tuple[int, float]:
    """Ask for a degree and a penalty."""
    most = min(MAX_DEGREE, max(n, 2) - 1)
    degree = lab.slider("degree", "Degree p", 0, most, min(3, most))
    return degree, lab.log_slider("ridge", "Ridge penalty λ", PENALTIES, 0.0)


def draws(lab: Lab) -> dict[str, Any]:
    """Ask how many training sets are drawn, and from which seed."""
    folded = lab.within(lab.place.expander("How many sets, and which"))
    n_sets = folded.slider("sets", "Training sets", 10, 200, 60, 10)
    seed = folded.number("seed", "Seed", 0, 9999, 0, help="Draws the training sets.")
    return {"n_sets": n_sets, "rng": np.random.default_rng(seed)}


def probes(lab: Lab, bounds: Bounds, ends: tuple[float, float]) -> np.ndarray:
    """Give the two x of the bull's-eye; their handles slide along the foot of the picture.

    ends : of the stretch of x on which fits are looked at, in `PLACES` equal parts.
    """
    rail = bounds[2] + 0.05 * (bounds[3] - bounds[2])
    parts = np.array([0, PLACES // 4, 3 * PLACES // 4, PLACES - 1])
    first, left, right, last = ends[0] + (ends[1] - ends[0]) * (parts + 0.5) / PLACES
    places = lab.places(
        "at", "Bull’s-eye at", np.array([[left, rail], [right, rail]]),
        within=(first, last, rail, rail), along="x",
    )  # fmt: skip
    return places[:, 0]


MODES = {"degree": by_degree, "penalty": by_penalty, "neighbours": by_neighbours}

if __name__ == "__main__":
    open_lab(__file__, data="sine", n=15, noise=0.0).show(MODES, name="over", label="Complexity")
