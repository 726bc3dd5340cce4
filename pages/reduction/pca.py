r"""Principal component analysis

The axis of most variance is the one that loses least when the rest is dropped.

## Idea
Describe every point by one number instead of two: drop it onto an **axis** through the mean and
keep only the place where it lands, its *score*. What is lost is the distance to the axis, the
**error** of the reconstruction. What is kept is the **variance** of the scores.

Turn the axis by its handles. Variance and error change in opposite directions, and **their sum
stays the same**: the most variance *is* the least error. The best axis is the first **principal
component**. The second one is at a right angle to it and takes the most of what is left, and so on.

- **by hand**: every step is an angle; the two columns on the plane are used.
- **power iteration**: multiply a random direction by the covariance matrix again and again. It
  turns towards the first component, the faster the more the first eigenvalue exceeds the second.
  Then the component is taken out of the matrix (*deflation*) and the next one is looked for.
- **eigenvectors**: all components at once; every step keeps one more. With more than two columns
  the plane shows two of them, the *scores* all of them together: arrows tell which way a column
  grows. Keep as many components as give 90 % of the variance.
- **kernel PCA**: principal components in a space of features that is never written out. Lines of
  equal score are straight for the linear kernel and bend for the others.

**Scaling.** A column in small units has large numbers and a large variance, and the first component
follows it. Dividing every column by its standard deviation gives them the same weight.

**Denoising.** Noise spreads over all directions, structure over a few. Keeping the first components
drops more of the one than of the other: add noise and look for the k that is nearest to the clean
points.

## Maths
With the mean $m$, the scales $s$ (1 if the columns are not scaled) and $t_i = (x_i - m) / s$, the
covariance matrix is $S = \frac1{n-1} \sum_i t_i t_i^\top$. For orthonormal $u_1, \dots, u_k$

$$
z_{ij} = u_j \cdot t_i , \qquad \hat t_i = \sum_{j=1}^k z_{ij}\, u_j , \qquad
\hat x_i = m + s\, \hat t_i .
$$

By Pythagoras $\lVert t_i \rVert^2 = \lVert \hat t_i \rVert^2 + \lVert t_i - \hat t_i \rVert^2$ for
every point, hence

$$
\underbrace{\sum_{j=1}^k u_j^\top S\, u_j}_{\text{variance}} +
\underbrace{\frac1{n-1} \sum_i \lVert t_i - \hat t_i \rVert^2}_{\text{error}}
= \operatorname{trace} S .
$$

The most variance with $\lVert u \rVert = 1$ is at $S u = \lambda u$ (Lagrange): the eigenvectors,
with the largest eigenvalues first; $\lambda_j$ is the variance of the scores $z_j$. They keep the
share $(\lambda_1 + \dots + \lambda_k) / (\lambda_1 + \dots + \lambda_d)$.

**Power iteration.**

$$
u \leftarrow \frac{S u}{\lVert S u \rVert} , \qquad \text{then} \qquad
S \leftarrow (I - u u^\top)\, S\, (I - u u^\top) = S - \lambda\, u u^\top .
$$

Along the eigenvector $v_i$ a step multiplies by $\lambda_i$, so the tangent of the angle to $v_1$
shrinks at least by the factor $\lambda_2 / \lambda_1$. The Rayleigh quotient $u^\top S u$ never
falls.

**Kernel PCA.** With $K_{ij} = k(x_i, x_j)$ and $\mathbf 1$ the matrix of $1/n$, centring the
features is $\tilde K = K - \mathbf 1 K - K \mathbf 1 + \mathbf 1 K \mathbf 1$. With
$\tilde K a_j = \mu_j a_j$, $\lVert a_j \rVert = 1$ and the column means
$m_i = \frac1n \sum_l K_{il}$,

$$
z_j(x) = \sum_i c_{ji} \bigl( k(x_i, x) - m_i \bigr) , \qquad c_{ji} = a_{ji} / \sqrt{\mu_j} .
$$

*Sources: 20APC3316 (principal components, 13.9), CS337 (dimension reduction), CIS787 (PCA);
Schölkopf, Smola and Müller 1998.*

## Try this
- [Turn the axis](?data=line&noise=0.8&view=by hand) Drag a handle round. Where is the variance
  largest, and where is the error? Then press the key ].
- [Units decide](?data=penguins&view=eigenvectors) The body mass in grams drowns everything else.
  Switch scaling on and compare the shares.
- [A slow power iteration](?data=blobs&classes=4&noise=0.9&view=power iteration) The eigenvalues are
  nearly equal, so the rate is near 1. Compare with the preset Line.
- [Denoising](?data=correlated&view=eigenvectors&jitter=0.5) Which k comes nearest to the
  clean points? More components bring the noise back.
- [Rings](?data=circles&view=kernel PCA&kernel=RBF&gamma=0.3) No straight axis tells the rings
  apart; look for a component that does.
"""

from functools import partial

import numpy as np

from algorithms.reduction import kernel_pca as kernel_algorithm
from algorithms.reduction import pca as algorithm
from algorithms.reduction import projection_axis as axis_algorithm
from algorithms.reduction.denoising import denoising
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import open_lab
from viz.reduction import kernel_pca as draw_kernel
from viz.reduction import pca as draw
from viz.reduction import pca_words as words
from viz.reduction import power_iteration as draw_power
from viz.reduction import projection_axis as draw_axis

HAND, POWER, ALL, KERNEL = "by hand", "power iteration", "eigenvectors", "kernel PCA"
KERNEL_COMPONENTS = 8

lab = open_lab(__file__, task="reduction", data="iris")
view = lab.buttons("view", "View", [HAND, POWER, ALL, KERNEL], HAND)
scale = lab.toggle("scale", "Scale the columns to standard deviation 1", False)
X, group, table, names = lab.data.X, lab.data.labels, lab.data.table, lab.data.columns
columns = (lab.data.x, lab.data.y)
if view in (POWER, ALL) and not lab.toggle("all", "Use all columns, not just two", True):
    table, names, columns = X, lab.axes, (0, 1)
place = {"bounds": lab.bounds, "names": lab.axes}
code, views, track = algorithm, {}, None

if view == HAND:
    code, (left, right, bottom, top) = axis_algorithm, lab.bounds
    units = (right - left, top - bottom)
    run = lab.run(axis_algorithm.projection_axis, X, standardize=scale, units=units)
    caption = partial(words.axis_caption, run)
    if run:
        views = draw_axis.views(X, group, run, place)
        track = ("The axis", draw_axis.handles(run, lab.bounds))
elif view == POWER:
    most = lab.slider("components", "Components to find", 1, 6, 2)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the directions to start from.")
    run = lab.run(
        algorithm.power_iteration, table, rng=np.random.default_rng(seed),
        n_components=min(most, len(names)), standardize=scale,
    )  # fmt: skip
    caption = partial(words.power_caption, run)
    views = draw_power.views(table, group, columns, run, place)
elif view == ALL:
    keep = lab.slider("keep", "Variance to keep, in %", 50, 99, 90)
    jitter = lab.slider("jitter", "Added noise, in standard deviations", 0.0, 1.0, 0.0, 0.05)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the added noise.")
    run = lab.run(
        denoising, table, jitter, rng=np.random.default_rng(seed),
        standardize=scale, target=keep / 100,
    )  # fmt: skip
    caption = partial(words.components_caption, run, names, keep, jitter > 0)
    if run:
        views = draw.views(table, group, columns, run, names, keep, jitter > 0, place)
else:
    code, kernel = kernel_algorithm, choose_kernel(lab)
    how = {"kernel": kernel, "n_components": KERNEL_COMPONENTS, "standardize": scale}
    run = lab.run(kernel_algorithm.kernel_pca, X, **how)
    caption = None
    if run:
        z = lab.once(run[-1].transform, X)
        surface = lab.once(draw_kernel.scores_on, run[-1], lab.bounds)
        views = draw_kernel.views(X, group, run, z, surface, place)
        caption = partial(draw_kernel.caption, X, z, run)
lab.stage(run, views, caption=caption, track=track)
if run and view == KERNEL:
    lab.note(f"{words.preprocessing(scale)} {draw_kernel.centring(run[-1], len(X))}")
elif run:
    used = X if view == HAND else table
    both = [lab.run(algorithm.pca, used, standardize=flag)[-1] for flag in (False, True)]
    scaling = words.scaling(*both, lab.axes if view == HAND else names, scale)
    lab.note(scaling + draw.left_out(len(X), run))
lab.lesson(code=code)
