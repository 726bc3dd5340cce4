r"""DBSCAN

A ball goes from point to point: clusters are where it finds many points, the rest is noise.

## Idea
k-means looks for centres. DBSCAN looks for what is **dense**: around a point it draws a ball of
radius $\varepsilon$ (the parameter eps) and counts. There are three kinds of points:

- a **core point** has at least *min_samples* points in its ball. It counts itself, as in
  scikit-learn.
- a **border point** has fewer, but lies in the ball of a core point.
- **noise** is every other point.

Core points in each other's balls belong to the same [cluster](glossary#cluster), and so do chains
of them: a cluster can have any shape. The ball finds it by walking. At a core point that no cluster
has reached a new cluster begins, and the points of the ball join. They stand in a queue, and each
is visited in its turn: if it is a core point, the points of its ball join, too; if it is a border
point, nothing goes on from there. When the queue is empty, the cluster is complete. A point that
was called noise can still be taken by a core point later.

Nobody has to say how many clusters there are, but somebody has to say what "dense" means:
*min_samples* points within $\varepsilon$. Sort the points by the radius that fills their ball: all
up to the line at height $\varepsilon$ are core points. Where that curve bends upwards, the crowded
points end and the lonely ones begin, a place to try. In **eps by eps** the line can be dragged:
clusters appear, grow and merge. One $\varepsilon$ has to do for all clusters, and there may be none
that does where one is denser than another.

## Maths
The ball of point $i$ is $N(i) = \{ j : \lVert x_j - x_i \rVert \le \varepsilon \}$. Point $i$
is a core point if

$$
| N(i) | \ge \textit{min\_samples} .
$$

Two core points are in the same cluster if a chain of core points leads from one to the other, each
in the ball of the one before. That does not depend on the order in which points are visited, nor
does the question whether a point is noise. Only a border point in the balls of two clusters goes to
the one that comes first. If all data are multiplied by a number, and $\varepsilon$ with them,
nothing changes; if only one column is, everything may.

**All radii at once.** Let $c_i$ be the distance from point $i$ to the *min_samples*-th point of its
ball (the first is itself). It is a core point if $c_i \le \varepsilon$, and two core points are in
each other's balls if

$$
r_{ij} = \max \{ c_i,\; c_j,\; \lVert x_i - x_j \rVert \} \le \varepsilon .
$$

The shortest tree that connects all points, with $r_{ij}$ for the length of an edge, shows the
clusters of every $\varepsilon$: they are what its edges up to $\varepsilon$ hold together. These
are the links of **eps by eps**. So the core points' clusters are a cut through hierarchical
clustering with single [linkage](glossary#linkage), but by $r$ instead of the distance: a thin chain
of lonely points cannot tie two clusters together.

**Cost.** Here every ball compares its point with all $n$ others, so the run costs $O(n^2)$. With an
index of the plane a ball of few points is found in about $\log n$.

*Sources: CS725 lecture 21 (13.7); Ester, Kriegel, Sander and Xu 1996; Campello, Moulavi and Sander
2013.*

## Try this
- [Around the bend](?data=moons&noise=0.1&eps=0.3) Two moons, bent around each other: k-means mixes
  them. Does a ball of radius 0.3 tell them apart?
  Do: Play to the end. Then open k-means with k = 2. Try other samples of the data here.
  Answer: Yes: two clusters of 100 points, exactly the moons, and no noise. k-means has 46 points in
  the wrong half. But 0.3 is no magic number: on 19 of the samples 0 to 19 some ε finds 95 % of both
  moons, and no ε does so on more than 16.
- [A little too far](?view=eps+by+eps&data=moons&noise=0.1) From ε = 0.29 to 0.36 the two moons are
  the clusters. What can 0.01 more change?
  Do: Drag the line of ε to 0.36, then take one step.
  Answer: Everything: at 0.37 there is one cluster of 200 points. One new link between the moons is
  enough, of length 0.367. The curve of distances does not warn of it: 196 core points at 0.36, 198
  at 0.37.
- [Two densities](?view=eps+by+eps&data=circles&n=100) Two rings of 50 points each; the outer one is
  2.2 times as long. Does any ε find both rings?
  Do: Drag the line of ε up slowly. Try other samples of the data.
  Answer: No: at 0.44 the inner ring is whole, but 27 of the outer points are noise. Before the
  outer ring is whole it is tied to the inner one: at 0.78 there is a single cluster. On none of the
  samples 0 to 19 does an ε find nine tenths of both rings: one ε is one density for all.
- [Who comes first](?data=unequal&noise=1&eps=0.5) Three clusters. If the points are taken in the
  reverse order, does anything but the colours change?
  Do: Look at the last step, then take the points from last to first.
  Answer: One point of 200 does: the border point at (0.839, −0.496). Its ball holds 4 points, but
  it lies in the balls of core points of two clusters, and goes to the one that comes first: the
  large one, or a small one. The same 18 points are noise, and core points stay together.
- [A far point](?data=outlier&eps=0.45) Two groups and a single far point. Which cluster does the
  far point join?
  Do: Play to the end, then make ε as large as it goes. Compare with k-means, k = 2, some seeds.
  Answer: None: its ball holds itself alone, so it is noise, beside clusters of 30 and 29. Even at
  ε = 1, where the two groups are one cluster, it stays alone. k-means has no noise: the far point
  joins a group and pulls its centre, or with other seeds it takes a centre for itself, and the two
  groups have to share the other one.
"""

import numpy as np

from algorithms.clustering import dbscan as algorithm
from algorithms.clustering import dbscan_by_eps as by_eps
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from viz.clustering import dbscan_scenes as draw

RADII = 100  # of the slider, and of the curves over them
ORDERS = ("first to last", "last to first")


def visits(lab: Lab) -> Shown:
    """Visit every point."""
    X, unit = lab.plane.X, unit_of(lab)
    eps = lab.slider(
        "eps", "Radius ε of the ball", unit / RADII, unit, 0.3 * unit, unit / RADII, format="%.3g"
    )
    min_samples = how_many(lab)
    order = np.arange(len(X))
    if lab.buttons("order", "Take the points", ORDERS, ORDERS[0]) == ORDERS[1]:
        order = order[::-1]
    run = lab.run(algorithm.dbscan, X, eps=eps, min_samples=min_samples, order=order)
    levels = lab.later(by_eps.density_levels, X, min_samples)
    return lab.scene(draw.visits, run, lab.plane, levels, radii(unit), code=algorithm)


def radius(lab: Lab) -> Shown:
    """Let the radius grow."""
    run = lab.run(
        by_eps.dbscan_by_eps, lab.plane.X, eps=radii(unit_of(lab)), min_samples=how_many(lab)
    )
    return lab.scene(draw.radius, run, lab.plane, code=by_eps)


def how_many(lab: Lab) -> int:
    """Ask from how many points on a ball is full."""
    return lab.slider(
        "least", "A full ball (min_samples)", 1, 20, 5,
        help="With so many points in its ball, itself among them, a point is a core point.",
    )  # fmt: skip


def unit_of(lab: Lab) -> float:
    """Give the largest radius: 1, 2 or 5 times a power of ten, a fifth of the picture at most."""
    left, right, bottom, top = lab.plane.bounds
    fifth = max(right - left, top - bottom) / 5
    power = 10.0 ** np.floor(np.log10(fifth))
    return float(max(step * power for step in (1, 2, 5) if step * power <= fifth))


def radii(unit: float) -> np.ndarray:
    """Give the radii in question."""
    return unit * np.arange(1, RADII + 1) / RADII


MODES = {"visits": visits, "eps by eps": radius}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.1).show(MODES)
