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
chance. More flexible fits (a higher degree, a smaller penalty, fewer neighbours) have less bias and
more variance. The best complexity lies between; where, depends on the truth, on the number of
points in a set, and on the noise.

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
- [A line through a wave](?truth=sine&degree=1) All fits are alike, and all are wrong: bias. Go up
  to degree 3, then to 9, and watch red and blue change places.
- [Too flexible](?truth=sine&degree=10&size=20) Hardly any bias, but every set gives another fit.
  Then give every set 80 points: what is left of the variance?
- [A penalty instead](?truth=sine&over=penalty&degree=10&ridge=0.1&size=20) The degree stays at 10,
  and a penalty λ on the weights trades variance for bias. Which λ has the least test error?
- [Nearest neighbours](?truth=step&over=neighbours&neighbours=1) One neighbour copies the noise: the
  variance is about σ². Many neighbours blur the step: look where the bias is.
- [Truth unknown](?data=sine&n=40&noise=0.4&truth=unknown: bootstrap&degree=6) Only the points are
  known now. Squares were left out of the resample and test the fit. Move a point, or add some.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from algorithms.data.truths import TRUTHS, through
from algorithms.regression.bias_variance import bias_variance as algorithm
from algorithms.regression.bias_variance import bootstrap as resampling
from algorithms.regression.bias_variance.bias_variance import decompose
from algorithms.regression.bias_variance.bootstrap import bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    MAX_DEGREE,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from pages._shared.lab import open_lab
from viz.regression.bias_variance import bias_variance as draw
from viz.regression.bias_variance import bias_variance_words as words

DRAWN, UNKNOWN = "through the points", "unknown: bootstrap"
PENALTIES = [0.0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
BOUNDS = (-3.4, 3.4, -3.4, 3.4)  # of a truth with a formula

lab = open_lab(__file__, task="regression", data="sine", n=15, noise=0.0)
source = lab.choice("truth", "Truth", [DRAWN, *TRUTHS, UNKNOWN], DRAWN, help="Its curve is green.")
lab.needs_points = source in (DRAWN, UNKNOWN)
X, bounds = lab.data.X, lab.bounds if lab.needs_points else BOUNDS
n = len(X)
if source != UNKNOWN:
    n = lab.slider("size", "Points in a set", 5, 80, 30)
    share = lab.slider("share", "Noise σ, % of the picture's height", 0, 30, 8)
    design = lab.buttons("design", "x of the points", ["random", "even"], "random")
over = lab.buttons("over", "Complexity", ["degree", "penalty", "neighbours"], "degree")
most = max(n, 2)
if over == "neighbours":
    k = lab.slider("neighbours", "Neighbours k", 1, most, min(5, most))
    levels = sorted({k, *np.geomspace(most, 1, 12).round().astype(int).tolist()}, reverse=True)
    models, chosen = NearestNeighbors(tuple(levels)), levels.index(k)
else:
    top = min(MAX_DEGREE, most - 1)
    degree = lab.slider("degree", "Degree p", 0, top, min(3, top))
    penalty = lab.log_slider("ridge", "Ridge penalty λ", PENALTIES, 0.0)
    levels = range(max(degree, min(12, top)) + 1)
    models, chosen = Polynomials(tuple(levels), penalty), degree
    if over == "penalty":
        models = RidgePolynomials(tuple(PENALTIES[::-1]), max(degree, 1))
        chosen = models.penalties.index(penalty)
n_sets = lab.slider("sets", "Training sets", 10, 200, 60, 10)
seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the training sets.")

how = {"n_sets": n_sets, "rng": np.random.default_rng(seed)}
truth = TRUTHS.get(source)
if source == UNKNOWN:
    run = lab.run(bootstrap, X[:, 0], X[:, 1], models, **how)
else:
    if source == DRAWN and len(X):
        truth = through(X, spare=bounds[:2])
    sigma = share / 100 * (bounds[3] - bounds[2])
    run = lab.run(decompose, truth, models, n=n, noise=sigma, design=design, **how)
views, caption = {}, None
if run:
    x, rail = run[0].x, bounds[2] + 0.05 * (bounds[3] - bounds[2])  # the places slide along it
    places = np.array([[x[len(x) // 4], rail], [x[3 * len(x) // 4], rail]])
    places = lab.places_on_stage("at", "Bull’s-eye at", places, within=(x[0], x[-1], rail, rail))
    scene = draw.Scene(run, chosen, words.kinds(models), tuple(places[:, 0]), bounds)
    if lab.needs_points:
        scene = replace(scene, names=lab.axes, X=X)
    views = dict(zip(words.titles(scene), draw.views(scene), strict=True))
    caption = partial(words.caption, scene)
lab.stage(run, views, caption=caption)
if run:
    lab.note(words.note(scene, models, truth.text if truth else ""))
lab.lesson(code=resampling if source == UNKNOWN else algorithm)
