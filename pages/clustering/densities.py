r"""Densities and outliers

Bumps add up to a density; what lies below a level of it is an outlier.

## Idea
A few Gaussians are a guess about the form of the data. A **kernel density** makes none: every
point gets a small hill, a bump of width $h$ (also called its [kernel](glossary#kernel)), and the
bumps are added up. Where points are crowded the sum is high, where there are none it is low.
Nothing is fitted.

Only the [bandwidth](glossary#bandwidth) $h$ has to be chosen. If it is too small, the density is a
spike on every point and says nothing of the places between; if it is too large, all structure
drowns in one hill. The [likelihood](glossary#likelihood) of the points cannot choose it, for every
point votes for a spike on itself. So each is judged by the bumps of all **others**, as if it were
new: [leave-one-out](glossary#leave-one-out).

Older and simpler is the **histogram**: count the points in boxes side by side, the
[bins](glossary#bin). It has a width, too, and one more choice, where the bins begin. Nothing speaks
for one place rather than another, but the picture changes with it. The mean over ever more
such places depends on none of them: it goes to a kernel density whose bumps are triangles.

Who is an [outlier](glossary#outlier)? One could draw the line at some level of the density, the
sum of bumps that are all alike. The **one-class machine**, a
[support vector machine](glossary#one-class-support-vector-machine), weighs the bumps. It starts
from a guess, with all weight on the points that are farthest from the mean. Then it moves weight to
where the sum is lower, as long as the sum gets lower by it, on average over the weights. At the end
the points well inside have no weight; those on the border and outside, the
[support vectors](glossary#support-vector), carry the sum. The number $\nu$ (nu) says beforehand
what share may be outside, at most; at least so many points have weight.

## Maths
With $n$ points in the plane and $K(x, x_i) = \exp(-\lVert x - x_i \rVert^2 / 2h^2) / 2\pi h^2$, the
[density](glossary#density) is

$$
p(x) = \frac1n \sum_i K(x, x_i) ,
\qquad
p_{-i}(x_i) = \frac{1}{n-1} \sum_{j \ne i} K(x_i, x_j) ,
\qquad
L(h) = \frac1n \sum_i \ln p_{-i}(x_i) .
$$

After $m$ of the bumps there is $1/m$ in front, so that it is a density at every step. The best $h$
has the largest $L$. In $p(x_i)$ itself the point's own bump is $1 / 2\pi h^2 n$, which has no
bound as $h \to 0$. (Where every point has a twin at its own place, $L$ has none, either.)

**Histogram.** With bins of side $h$ that begin at $o$, and $k(x)$ points in the bin of $x$,

$$
p(x) = \frac{k(x)}{n h^2} ,
\qquad \text{bin of } x : \; \Bigl\lfloor \frac{x - o}{h} \Bigr\rfloor .
$$

A point that is $a h$ to the right of $x$ and $b h$ above shares its bin in a share
$(1 - |a|)(1 - |b|)$ of all possible shifts, as long as $|a|$ and $|b|$ are at most 1: that is
the bump that the mean over all of them has on every point.

**One class.** With $k(a, b) = \exp(-\lVert a - b \rVert^2 / 2h^2)$, without the factor, and
$f(x) = \sum_i \alpha_i k(x_i, x) + b$, where $-b = \rho$ is the level,

$$
\max_\alpha \; D = -\tfrac12 \sum_{ij} \alpha_i \alpha_j k(x_i, x_j) ,
\qquad 0 \le \alpha_i \le 1 , \quad \sum_i \alpha_i = \nu n .
$$

At the end a point inside ($f > 0$) has $\alpha = 0$, one outside ($f < 0$) has $\alpha = 1$, and
only on the border ($f = 0$) it may be between. As the $\alpha$ add up to $\nu n$, no more than
$\nu n$ points can be outside, and no fewer than $\nu n$ have weight. A step takes the $j$ with the
highest sum $o_j = \sum_i \alpha_i k(x_i, x_j)$ of those with weight, and then, of those with
$\alpha_i < 1$, the $i$ with the largest $(o_j - o_i)^2 / \eta$:

$$
\lambda = \frac{o_j - o_i}{\eta} , \quad \eta = 2 - 2 k(x_i, x_j) ,
\qquad \alpha_i \leftarrow \alpha_i + \lambda , \quad \alpha_j \leftarrow \alpha_j - \lambda ,
$$

cut off at 0 and 1. It ends when no such difference $o_j - o_i$ is above the tolerance.

**Cost.** A density costs $O(n)$ for every place, $L$ costs $O(n^2)$ for every width, a move of the
one-class machine $O(n)$.

*Sources: CS725 15.1 and 15.3, 20APC3316 (kernel machines); Rosenblatt 1956; Duin 1976; Scott
1985; Schölkopf,
Platt, Shawe-Taylor, Smola and Williamson 2001.*

## Try this
- [A vote for oneself](?view=width&data=moons) Which width do the 200 points choose, if each may
  vote for the density that it is itself a part of?
  Do: Look for the highest place of the dashed curve, then of the other one. Drag h there.
  Answer: The smallest that is tried, h = 0.0316, with a mean ln p of −0.104: a spike on every
  point. With still smaller ones it would grow without bound. Left out, they choose h = 0.189. It is
  so on the samples 0 to 19: the smallest, and left out something between 0.156 and 0.193.
- [How many hills?](?data=blobs&classes=3&width=2) Three groups of points. How many hills does a
  density have whose bumps are 2 % of the picture wide?
  Do: Step to the end and count. Then take 8 %, and 25 %.
  Answer: 29, many of them a single point. With 8 % there are three, with 25 % there is one. On the
  samples 0 to 19 it is 27 to 48 with 2 %, always three with 8 %, and always one with 25 %.
- [One point of 60](?view=width&data=outlier) Two groups, and a single far point. Has it a say in
  the width that is best for all?
  Do: Play until L falls and note h. Erase the far point, and do it again.
  Answer: It decides. With it h = 0.587 is the best, without it 0.19. Left out, the far point has
  only the bumps of the others, and narrow ones do not reach it. On the samples 0 to 19 it makes the
  best width 2.3 to 3.4 times as large.
- [Outliers by order](?view=one+class&data=blobs&width=15) Three round groups, and no far point at
  all. How many of the 200 points does the machine call outside?
  Do: Step to the end, then take ν = 0.3. Try other samples.
  Answer: 14, and 56 with ν = 0.3. The machine does not find out how many outliers there are; it
  is told by ν. On the samples 0 to 19 it is 11 to 14, and 53 to 57.
- [An island](?view=one+class&data=outlier&nu=0.05) One far point, and three of 60 may be outside.
  Is the far point the first to go?
  Do: Step to the end. Then take a width of 25 %.
  Answer: No, nobody is outside. With a weight of 0.523 its own bump just reaches the level: an
  island as small as a point. Bumps of 25 % are so wide that the points of a group lift each other
  higher, and the far point alone is outside. Both are so on the samples 0 to 19.
- [Where bins begin](?view=histogram) Bins are 12 % of the picture wide; only the place where they
  begin changes. How much can p at the picked point change by that?
  Do: Step through the 16 shifts.
  Answer: From 0.0174 to 0.122, to seven times as much: the point shares its bin with 2 points, or
  with 14. The mean of all shifts is 0.0651; bumps that are triangles give 0.0711. On the samples 0
  to 19 the largest is at least twice the smallest, and the mean at most 15 % off the triangles.
"""

import numpy as np

from algorithms.classification.svm import one_class_svm as one_class
from algorithms.clustering import histogram as counting
from algorithms.clustering import kernel_density as algorithm
from algorithms.core.kernels import rbf
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from viz.clustering import densities_scenes as draw
from viz.clustering import histogram as draw_histogram

WIDTHS = np.geomspace(0.005, 0.5, 50)  # of the picture


def bumps(lab: Lab) -> Shown:
    """Put a bump on every point."""
    h = width(lab)
    run = lab.run(algorithm.kernel_density, lab.plane.X, bandwidth=h)
    return lab.scene(draw.bumps, run, lab.plane, picked_point(lab), code=algorithm)


def widths(lab: Lab) -> Shown:
    """Try one width after the other."""
    run = lab.run(algorithm.bandwidths, lab.plane.X, WIDTHS * side(lab))
    return lab.scene(draw.widths, run, lab.plane, picked_point(lab), code=algorithm)


def region(lab: Lab) -> Shown:
    """Find the region that holds all but a share of the points."""
    nu = lab.slider(
        "nu", "Share ν outside, at most", 0.01, 1.0, 0.1, 0.01,
        help="At least this share of the points has weight.",
    )  # fmt: skip
    h = width(lab)
    run = lab.run(one_class.one_class_svm, lab.plane.X, nu=nu, kernel=rbf(0.5 / h**2))
    return lab.scene(draw.region, run, lab.plane, picked_point(lab), h, code=one_class)


def histogram(lab: Lab) -> Shown:
    """Count the points in bins, and shift the bins."""
    share = lab.slider("bin", "Width h of a bin, % of the picture", 2, 50, 12)
    shifts = lab.slider(
        "shifts", "Shifts along each axis", 1, 6, 4, help="By equal parts of a bin's width."
    )
    h = share / 100 * side(lab)
    run = lab.run(counting.shifted_histograms, lab.plane.X, width=h, shifts=shifts)
    return lab.scene(draw_histogram.shifts, run, lab.plane, picked_point(lab), code=counting)


def width(lab: Lab) -> float:
    """Choose the width of a bump, and give it in units of the data."""
    share = lab.slider(
        "width", "Width h, % of the picture", 1.0, 30.0, 8.0, 0.5,
        help="The standard deviation of a bump.",
    )  # fmt: skip
    return share / 100 * side(lab)


def side(lab: Lab) -> float:
    """Give the longer side of the picture."""
    left, right, bottom, top = lab.plane.bounds
    return max(right - left, top - bottom)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose density is taken apart: at first near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"bumps": bumps, "width": widths, "one class": region, "histogram": histogram}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.2).show(MODES)
