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
bias and more variance. That is no law: a parabola through a sine wave varies more than a cubic. The
best complexity usually lies between; where, depends on the truth, on the number of points in a set,
and on the noise.

The **bull's-eye** shows the same at two places, x₁ and x₂ (drag them along the picture): each fit
is a shot, its error at x₁ to the right and at x₂ upwards. The centre is the truth. Bias shifts all
shots to one side, variance scatters them.

**Draw the truth** yourself: with the truth *through the points*, it runs through those on the
board. And with the truth **unknown**, the points are all there is, as in real life. The *bootstrap*
resamples them. It still shows the variance, and the points that a resample left out can test its
fit. What can no longer be known is how much of the rest is bias and how much is noise.

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

$$
m \leftarrow m + \frac{h - m}{b} \qquad
\text{bias}^2 = (m - f)^2 \qquad
\text{variance} = \frac1b \sum_{s=1}^b (h_s - m)^2 .
$$

At every $x$ the mean of $(h_s - f)^2$ over the sets is exactly $\text{bias}^2 + \text{variance}$.
But the mean $m$ of only $b$ fits is off by chance, too. So $\text{bias}^2$ is shown too large, by
$\operatorname{Var}(h) / b$ on average, and the variance too small by as much. An estimate of it is
$\text{variance} / (b - 1)$, which the caption gives. Where it is about as large as the shown
$\text{bias}^2$, this says next to nothing about the true one.
Let $d_s$ be a set's error on fresh points minus its $(h_s - f)^2 + \sigma^2$, averaged over $x$:
it has mean 0, and the **standard error** of the mean of $b$ of them is their standard deviation
divided by $\sqrt b$.

**Fits.** Polynomials of degree $p$ minimise $\sum_i (y_i - h(t_i))^2 + \lambda \sum_{j>0} w_j^2$
over $h(t) = w_0 + w_1 t + \dots + w_p t^p$, with $x$ scaled to $t \in [-1, 1]$; $k$ nearest
neighbours predict the mean $y$ of the $k$ nearest points.

**Bootstrap.** A resample draws $n$ of the $n$ points with replacement and misses a point with
probability $(1 - 1/n)^n \approx 1/e = 0.368$. With $m_i$ and $v_i$ the mean and the variance, at
point $i$, of the fits that left it out, the mean of $(y_i - h(x_i))^2$ over these fits is exactly
$(y_i - m_i)^2 + v_i$: the error of the mean fit, in which bias² and noise cannot be told apart,
plus the variance.

*Sources: CS337 (bias and variance; bagging), CIS787 (bull's-eye); Efron 1979; the curve through the
points: Fritsch and Butland 1984.*

## Try this
- [A line through a wave](?truth=sine&degree=1) All fits are alike, and all are wrong: bias² is
  0.79, the variance 0.09. Go up to degree 3, then to 5, and watch orange and blue change places: at
  5 bias² is 0.002, the variance 0.16. At degree 9 the variance is 20, and the mean of 60 such fits
  is so uncertain that bias² seems to rise again.
- [Too flexible](?truth=sine&degree=10&size=20) Every set gives another fit, and a few swing so far
  that the variance is in the thousands. Is bias² really 66? The caption says that about 82 are to
  be expected by chance; seed 1 has 1193. Give every set 80 points: the variance is 0.13, bias²
  below 0.001.
- [A penalty instead](?truth=sine&over=penalty&degree=10&ridge=0.1&size=20) The degree stays at 10,
  and a penalty λ on the weights trades variance for bias. Which λ has the least test error?
- [Nearest neighbours](?truth=step&over=neighbours&neighbours=1) One neighbour copies the noise: the
  variance is σ² and a little more. Many neighbours blur the step: look where the bias is.
- [Truth unknown](?data=sine&n=40&noise=0.4&truth=unknown: bootstrap&degree=6) Only the points are
  known now. Squares were left out of the resample and test the fit. Move a point, or add some.
"""

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
from pages._shared.lab import Lab, Shown, open_lab
from viz.core.scene import Bounds, Plane
from viz.regression.bias_variance import bias_variance_scenes as scenes
from viz.regression.bias_variance.bias_variance_scenes import Family

DRAWN, UNKNOWN = "through the points", "unknown: bootstrap"
PENALTIES = [0.0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
# Where a truth with a formula is shown: without the points on the board.
EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))


def many_fits(lab: Lab) -> Shown:
    """Fit one training set after the other."""
    formulas = {name: partial(of_a_formula, truth=truth) for name, truth in TRUTHS.items()}
    sources = {DRAWN: through_the_points, **formulas, UNKNOWN: of_resamples}
    source = lab.choice("truth", "Truth", list(sources), DRAWN, help="Its curve is green.")
    return sources[source](lab)


def through_the_points(lab: Lab) -> Shown:
    """Draw sets from a curve through the points on the board."""
    data = lab.plane
    truth = lab.later(through, data.X, spare=data.bounds[:2])
    sampling = choose_sampling(lab, data.bounds)
    family = choose_family(lab, sampling.n)
    run = lab.run(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, data.bounds, stretch(data.X[:, 0], spare=data.bounds[:2]))
    return lab.scene(scenes.decomposition, run, data, family, at, truth, code=bias_variance)


def of_a_formula(lab: Lab, truth: Truth) -> Shown:
    """Draw sets from a truth that was picked: the points on the board have no part in it."""
    sampling = choose_sampling(lab, EMPTY.bounds)
    family = choose_family(lab, sampling.n)
    run = lab.run_apart(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, EMPTY.bounds, (truth.low, truth.high))
    return lab.scene(scenes.decomposition, run, EMPTY, family, at, truth, code=bias_variance)


def of_resamples(lab: Lab) -> Shown:
    """Resample the points on the board: nothing else is known."""
    data = lab.plane
    x, y = data.X.T
    family = choose_family(lab, len(x))
    run = lab.run(bootstrap.bootstrap, x, y, family.models, **draws(lab))
    at = probes(lab, data.bounds, stretch(x, spare=data.bounds[:2]))
    return lab.scene(scenes.resampling, run, data, family, at, code=bootstrap)


def choose_sampling(lab: Lab, bounds: Bounds) -> Sampling:
    """Ask how a training set is drawn. bounds : of the picture."""
    n = lab.slider("size", "Points in a set", 5, 80, 30)
    share = lab.slider("share", "Noise σ, % of the picture's height", 0, 30, 8)
    design = lab.buttons("design", "x of the points", ["random", "even"], "random")
    return Sampling(n, share / 100 * (bounds[3] - bounds[2]), design)


def choose_family(lab: Lab, n: int) -> Family:
    """Ask what is fitted to sets of n points, and in what its complexity consists."""
    families = {"degree": by_degree, "penalty": by_penalty, "neighbours": by_neighbours}
    over = lab.buttons("over", "Complexity", list(families), "degree")
    return families[over](lab, max(n, 2))


def by_degree(lab: Lab, n: int) -> Family:
    """Fit polynomials of several degrees, with one penalty."""
    degree, penalty = choose_polynomial(lab, n)
    most = max(degree, min(12, MAX_DEGREE, n - 1))
    return Family(Polynomials(tuple(range(most + 1)), penalty), degree)


def by_penalty(lab: Lab, n: int) -> Family:
    """Fit polynomials of one degree with several penalties."""
    degree, penalty = choose_polynomial(lab, n)
    falling = tuple(PENALTIES[::-1])
    return Family(RidgePolynomials(falling, max(degree, 1)), falling.index(penalty))


def by_neighbours(lab: Lab, n: int) -> Family:
    """Fit the mean of the k nearest points, for several k."""
    k = lab.slider("neighbours", "Neighbours k", 1, n, min(5, n))
    ks = sorted({k, *np.geomspace(n, 1, 12).round().astype(int).tolist()}, reverse=True)
    return Family(NearestNeighbors(tuple(ks)), ks.index(k))


def choose_polynomial(lab: Lab, n: int) -> tuple[int, float]:
    """Ask for a degree and a penalty."""
    most = min(MAX_DEGREE, n - 1)
    degree = lab.slider("degree", "Degree p", 0, most, min(3, most))
    return degree, lab.log_slider("ridge", "Ridge penalty λ", PENALTIES, 0.0)


def draws(lab: Lab) -> dict[str, Any]:
    """Ask how many training sets are drawn, and from which seed."""
    n_sets = lab.slider("sets", "Training sets", 10, 200, 60, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the training sets.")
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


open_lab(__file__, data="sine", n=15, noise=0.0).show(many_fits)
