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

import numpy as np

from algorithms.reduction import kernel_pca as kernel_algorithm
from algorithms.reduction import pca as algorithm
from algorithms.reduction import power_iteration as power_algorithm
from algorithms.reduction import projection_axis as axis_algorithm
from algorithms.reduction.denoising import denoising
from algorithms.reduction.pca import compare_scaling
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import Lab, Shown, open_lab
from viz.reduction import pca_scenes as draw
from viz.reduction.pca import Columns

KERNEL_COMPONENTS = 8


def by_hand(lab: Lab) -> Shown:
    """Turn an axis through the two columns on the plane."""
    columns = on_the_plane(lab, scaled(lab))
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        axis_algorithm.projection_axis, columns.table,
        standardize=columns.standardize, units=(right - left, top - bottom),
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(draw.by_hand, run, columns, both, code=axis_algorithm)


def power_iteration(lab: Lab) -> Shown:
    """Find one component after the other."""
    columns = chosen_columns(lab)
    most = lab.slider("components", "Components to find", 1, 6, 2)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the directions to start from.")
    run = lab.run(
        power_algorithm.power_iteration, columns.table, rng=np.random.default_rng(seed),
        n_components=min(most, len(columns.names)), standardize=columns.standardize,
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(draw.power, run, columns, both, code=power_algorithm)


def eigenvectors(lab: Lab) -> Shown:
    """Find all components at once, and keep as many as are needed."""
    columns = chosen_columns(lab)
    keep = lab.slider("keep", "Variance to keep, in %", 50, 99, 90)
    jitter = lab.slider("jitter", "Added noise, in standard deviations", 0.0, 1.0, 0.0, 0.05)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the added noise.")
    run = lab.run(
        denoising, columns.table, jitter, rng=np.random.default_rng(seed),
        standardize=columns.standardize, target=keep / 100,
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(draw.eigenvectors, run, columns, both, keep, jitter > 0, code=algorithm)


def kernel_pca(lab: Lab) -> Shown:
    """Find components in a kernel's space of features."""
    standardize = scaled(lab)
    run = lab.run(
        kernel_algorithm.kernel_pca, lab.plane.X, kernel=choose_kernel(lab),
        n_components=KERNEL_COMPONENTS, standardize=standardize,
    )  # fmt: skip
    return lab.scene(draw.kernel, run, lab.plane, standardize, code=kernel_algorithm)


def chosen_columns(lab: Lab) -> Columns:
    """Ask for the scaling, and whether all columns are used."""
    standardize, data = scaled(lab), lab.data
    if not lab.toggle("all", "Use all columns, not just two", True):
        return on_the_plane(lab, standardize)
    return Columns(data.table, data.columns, (data.x, data.y), standardize, lab.plane)


def on_the_plane(lab: Lab, standardize: bool) -> Columns:
    """Use the two columns that stand on the plane."""
    return Columns(lab.plane.X, lab.plane.names, (0, 1), standardize, lab.plane)


def scaled(lab: Lab) -> bool:
    """Ask whether the columns are scaled."""
    # In links of old it is called "scale", as a parameter of one of the kernels is.
    label = "Scale the columns to standard deviation 1"
    return lab.toggle("standardize", label, False, before="scale")


open_lab(__file__, data="iris").show({
    "by hand": by_hand,
    "power iteration": power_iteration,
    "eigenvectors": eigenvectors,
    "kernel PCA": kernel_pca,
})  # fmt: skip
