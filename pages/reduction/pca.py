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
- **three lines**: the [regression](glossary#regression) line of $y$ on $x$ makes the distances up
  and down small, for it predicts $y$; that of $x$ on $y$ those to the side. The principal axis
  makes the distances straight across small, and lies between the two.
- **power iteration**: multiply a random direction by the [covariance
  matrix](glossary#covariance-matrix) again and again. It turns towards the first component, the
  faster the more the first eigenvalue exceeds the second. Then the component is taken out of the
  matrix ([deflation](glossary#deflation)) and the next one is looked for.
- **eigenvectors**: all components at once; every step keeps one more. With more than two columns
  the plane shows two of them, the *scores* all of them together: arrows tell which way a column
  grows. Keep as many components as give 90 % of the variance.
- **kernel PCA**: principal components in a space of features that is never written out. Lines of
  equal score are straight for the linear kernel and bend for the others.

**Scaling.** A column in small units has large numbers and a large variance, and the first component
follows it. Dividing every column by its standard deviation gives them the same weight.

**Classes.** The components are found without looking at classes. The most variance need not be
where classes differ: the coloured part of a bar is the share of its variance that lies between them
(see [Fisher ratio](glossary#fisher-ratio)).

**Denoising.** Noise spreads over all directions, structure over a few. Keeping the first components
mostly drops more of the one than of the other: add noise and look for the number $q$ of components
that comes nearest to the clean points.

## Maths
With the mean $m$, the scales $s$ (1 if the columns are not scaled) and $t_i = (x_i - m) / s$, the
covariance matrix is $S = \frac1{n-1} \sum_i t_i t_i^\top$. For orthonormal $u_1, \dots, u_q$

$$
z_{ij} = u_j \cdot t_i , \qquad \hat t_i = \sum_{j=1}^q z_{ij}\, u_j , \qquad
\hat x_i = m + s\, \hat t_i .
$$

By Pythagoras $\lVert t_i \rVert^2 = \lVert \hat t_i \rVert^2 + \lVert t_i - \hat t_i \rVert^2$ for
every point, hence

$$
\underbrace{\sum_{j=1}^q u_j^\top S\, u_j}_{\text{variance}} +
\underbrace{\frac1{n-1} \sum_i \lVert t_i - \hat t_i \rVert^2}_{\text{error}}
= \operatorname{trace} S .
$$

The most variance with $\lVert u \rVert = 1$ is at $S u = \lambda u$ (Lagrange): the eigenvectors,
with the largest eigenvalues first; $\lambda_j$ is the variance of the scores $z_j$. They keep the
share $(\lambda_1 + \dots + \lambda_q) / (\lambda_1 + \dots + \lambda_d)$.

**Three lines.** A line along $u = (u_x, u_y)$ through the mean has, with $S$ for two columns, the
mean squared distances

$$
\text{across: } D = u_y^2 S_{xx} - 2 u_x u_y S_{xy} + u_x^2 S_{yy} , \qquad
\text{up: } D / u_x^2 , \qquad \text{sideways: } D / u_y^2 .
$$

They are least for the principal axis, for the slope $S_{xy} / S_{xx}$, and for the slope
$S_{yy} / S_{xy}$.

**Classes.** With $n_g$ points in class $g$, the mean $\bar z_g$ of their scores and the mean $\bar
z$ of all, the share between the classes is $\sum_g n_g (\bar z_g - \bar z)^2 / \sum_i (z_i - \bar
z)^2$.

**Power iteration.**

$$
u \leftarrow \frac{S u}{\lVert S u \rVert} , \qquad \text{then} \qquad
S \leftarrow (I - u u^\top)\, S\, (I - u u^\top) = S - \lambda\, u u^\top .
$$

Along the eigenvector $u_j$ a step multiplies by $\lambda_j$, so the tangent of the angle to $u_1$
shrinks at least by the factor $\lambda_2 / \lambda_1$. The [Rayleigh
quotient](glossary#rayleigh-quotient) $u^\top S u$ never falls.

**Kernel PCA.** With $K_{ij} = k(x_i, x_j)$ and $\mathbf 1$ the matrix of $1/n$, centring the
features is $\tilde K = K - \mathbf 1 K - K \mathbf 1 + \mathbf 1 K \mathbf 1$. With
$\tilde K a_j = \mu_j a_j$, $\lVert a_j \rVert = 1$ and the column means
$r_i = \frac1n \sum_l K_{il}$,

$$
z_j(x) = \sum_i c_{ji} \bigl( k(x_i, x) - r_i \bigr) , \qquad c_{ji} = a_{ji} / \sqrt{\mu_j} .
$$

*Sources: 20APC3316 (principal components, 13.9), CS337 (dimension reduction), CIS787 (PCA);
Schölkopf, Smola and Müller 1998.*

## Try this
- [Is it the regression line?](?view=three lines&data=line&noise=0.8) The first principal axis and
  the regression of y on x both go through the middle of the cloud. Are they the same line?
  Do: Press ] three times and read the slopes; choose across and sideways for the distances.
  Answer: No. Regression makes the distances up and down least: slope 0.791. The principal axis
  makes those straight across least: 0.899. Predicting x from y gives 1.05, the steepest of the
  three.
- [Which axis tells the classes apart?](?view=eigenvectors&data=parallel) Two long clusters lie side
  by side, and the first component keeps 82.8 % of the variance. Is it the one to keep if the
  classes are to be told apart?
  Do: Step to q = 1 and to q = 2 and compare the coloured parts of the bars.
  Answer: No: of the variance along u₁ 1.13 % lies between the classes, along u₂ 90.5 %. The first
  component runs along both clusters. It is blind to classes, and may keep what is useless for them.
- [Units decide](?data=penguins&view=eigenvectors) Three lengths in millimetres and a body mass in
  grams. How much of the variance does the first component keep?
  Do: Step to q = 1, then switch the scaling on.
  Answer: 99.99 %, and it is the body mass: its numbers are the largest. Scaled, the first component
  keeps 68.8 % and is a mixture of all four.
- [Denoising](?data=correlated&view=eigenvectors&jitter=0.5) Noise was added to seven columns. How
  many components come nearest to the clean points: one, some or all?
  Do: Step on and watch the solid line.
  Answer: Three, for three causes stand behind the seven columns: the error to the clean points
  falls from 8.73 to 1.15 at q = 3, and is 2.14 with all seven: more components bring noise back.
- [Rings](?data=circles&view=kernel PCA&kernel=RBF&gamma=0.3) No straight axis tells the rings
  apart. Which component of the RBF kernel does?
  Do: Step on until one ring is where z is positive and the other where it is negative.
  Answer: The third: there z is negative for every point of the inner ring and positive for every
  point of the outer one. The first two follow the angle, as x and y do.
"""

import numpy as np

from algorithms.reduction import kernel_pca as kernel_algorithm
from algorithms.reduction import pca as algorithm
from algorithms.reduction import power_iteration as power_algorithm
from algorithms.reduction import projection_axis as axis_algorithm
from algorithms.reduction import three_lines as line_algorithm
from algorithms.reduction.denoising import denoising
from algorithms.reduction.pca import compare_scaling
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from viz.reduction import pca_scenes as draw
from viz.reduction.pca import Columns
from viz.reduction.three_lines import SIDES

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


def three_lines(lab: Lab) -> Shown:
    """Turn a line through the two columns: it is a regression, or the principal axis."""
    columns = on_the_plane(lab, scaled(lab))
    side = lab.buttons("side", "Distances drawn", list(SIDES), "up")
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        line_algorithm.three_lines, columns.table,
        standardize=columns.standardize, units=(right - left, top - bottom),
    )  # fmt: skip
    return lab.scene(draw.three_lines, run, columns, side, code=line_algorithm)


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
    jitter = lab.slider("jitter", "Added noise (deviations)", 0.0, 1.0, 0.0, 0.05)
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
    label = "Scale the columns (deviation 1)"
    return lab.toggle("standardize", label, False, before="scale")


OPENS_ON = {"by hand": "parallel", "power iteration": "iris", "eigenvectors": "iris"}

MODES = {
    "by hand": by_hand,
    "three lines": three_lines,
    "power iteration": power_iteration,
    "eigenvectors": eigenvectors,
    "kernel PCA": kernel_pca,
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
