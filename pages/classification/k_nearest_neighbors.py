r"""k-nearest neighbours

Ask the k points that are closest, and let them vote.

## Idea
Points that are close to each other are mostly of one class. So to classify a new point, look for
the $k$ training points **nearest** to it and take the class that most of them have. There is
nothing to learn beforehand: the model is the data, and all the work is done when it is asked. It is
called a *lazy* method for that.

Drag the picked point. A ball grows around it and meets one neighbour after the other; each has a
vote, and with the $k$-th the vote is closed. The regions show how it ends at every other place.

**What is near?** The ball has the shape of the metric: a circle (Euclidean), a diamond (Manhattan:
the way along both axes added) or a square (Chebyshev: the longer of the two). The **units** matter
more: a column whose numbers are a thousand times larger decides alone.
[Standardise](glossary#standardise) the columns, and no unit plays a part any more. Votes can be
**weighted by distance**, so that those who are near count more.

**How many neighbours?** For $k = 1$ every point owns the [cell](glossary#voronoi-region) of the
places nearest to it, so noise makes islands: [overfitting](glossary#overfitting). With more
neighbours the border gets smoother, until for $k = n$ all points vote everywhere and, with equal
votes, the commonest class always wins. The training error cannot choose $k$, for a point votes on
itself and $k = 1$ looks perfect. So **leave out** each point in turn and ask the others
([cross-validation](glossary#cross-validation), one point at a time). The lowest of many such errors
is a little optimistic: it was picked for these very points.

**Ties.** With equal votes and two classes an odd $k$ has no ties; an even one can have some, and so
can any $k > 1$ with three classes. Here the class that is listed first wins then, which is
arbitrary.

**Many features.** The method needs neighbours that are near. In a cube of many dimensions nobody
is: all points are about equally far from each other, the
[curse of dimensionality](glossary#curse-of-dimensionality). Columns that have nothing to do with
the class mostly do harm: they add to every distance.

## Maths
Let $r_1 \le r_2 \le \dots \le r_n$ be the distances of the query $x$ from the training points, and
$y_1, y_2, \dots$ their classes in that order. The vote for class $j$ and the prediction are

$$
v_j = \sum_{i \le k,\ y_i = j} w_i ,
\qquad \hat\jmath(x) = \arg\max_j v_j ,
\qquad w_i = 1 \ \text{ or } \ w_i = \frac{r_1}{r_i} ,
$$

where a neighbour at distance 0 weighs 1. With columns $c$ and their units $s_c$ the distance from
a point $z$ is

$$
\text{Euclidean } \sqrt{\sum_c \Bigl( \frac{x_c - z_c}{s_c} \Bigr)^2} , \qquad
\text{Manhattan } \sum_c \frac{|x_c - z_c|}{s_c} , \qquad
\text{Chebyshev } \max_c \frac{|x_c - z_c|}{s_c} .
$$

**Why a vote?** Let $A$ be the ball that holds $k$ of the $n$ points, $k_j$ of class $j$, of which
there are $n_j$. Its volume tells the densities

$$
p(x) \approx \frac{k}{n |A|} , \quad p(x \mid j) \approx \frac{k_j}{n_j |A|} , \quad
P(j) \approx \frac{n_j}{n} , \quad\text{so}\quad
P(j \mid x) = \frac{p(x \mid j) \, P(j)}{p(x)} \approx \frac{k_j}{k}
$$

by [Bayes' rule](glossary#bayes-rule). Fix the volume and count the points instead, the near ones
more, and you have the [Parzen window](glossary#parzen-window).

**Leave one out.** With $\hat\jmath_{-i}$ the rule that knows all points but $i$, the error is
$\frac1n \sum_i [\, \hat\jmath_{-i}(x_i) \ne y_i \,]$. Standardising uses the point left out, too.

**Distances in a cube.** For two points drawn evenly from a cube with sides 1 and $d$ features, the
squared distance has mean $d / 6$ and standard deviation $\sqrt{7d / 180}$: against the mean it
varies less and less, like $1 / \sqrt d$. The round ball inside the cube has the volume
$(\pi / 4)^{d/2} / \Gamma(d/2 + 1)$, the rest is corners. A cube that holds 1 % of the points has
sides of $0.01^{1/d}$: a neighbourhood that is no longer near.

*Sources: CS725 15.2 and 11.2; CIS787; Beyer et al. 1999.*

## Try this
- [One neighbour](?view=choosing k&data=moons&noise=0.5) With k = 1 every training point is nearest
  to itself, and none is wrong. How many are wrong when they are left out?
  Do: Read the first step, then go to the next event.
  Answer: 35 of 200. The fewest are 20, at k = 13. There 20 are wrong in training, too: with many
  neighbours a point's vote on itself counts little. On all of the samples 0 to 9 of these data
  k = 1 is beaten by a larger k, by 5 to 19 points.
- [All points vote](?data=unequal&n=50&k=50) There are 40 points of class 1 and 5 each of two
  others, and all 50 vote. Where do the small classes win?
  Do: Look at the regions, then weight the votes by distance.
  Answer: Nowhere: k = n says the commonest class everywhere, 40 votes to 5. Weighted by distance
  the small classes win around their own points, on about 1 % of the picture each.
- [A tie](?data=moons&noise=0.3&k=2&query=0.1,0.1) Two neighbours, two classes, one vote each. Who
  wins: the nearer one?
  Do: Step to the end and read the last line, then take k = 3.
  Answer: No: class 1, the farther one, only because it is listed first. With k = 3 class 2 wins by
  2 to 1. Of the 200 points 18 have a tie at k = 2 when they are left out (see choosing k), and none
  has at an odd k.
- [A thousand times larger](?view=choosing k&data=moons&noise=0.3&unit=1000) Let y be counted in a
  unit a thousand times smaller, as metres are to kilometres. No point moves. Does it matter?
  Do: Go to the next event and read the error; then standardise, and change the unit.
  Answer: Yes: y alone decides who is near, and at least 36 of 200 points are wrong, for any k up to
  50. Standardised it is 12, whatever the unit. In the view of the neighbours the ball has become
  a thin band.
- [Everyone is far away](?view=many features) 200 points in a cube. With 2 features the farthest of
  them is 20 times as far from a query as the nearest. How many times with 100 features?
  Do: Step to the end, and look at the ball inside the cube, too.
  Answer: 1.31 times: the distances of all pairs vary by only 6 % of their mean. With the seeds 0 to
  19 it is 1.28 to 1.44 times. The ball in the cube holds 79 % of it with 2 features and 0.25 % with
  10: nearly all of the cube is corners.
"""

import numpy as np

from algorithms.classification.neighbors import distances_in_cube as cube
from algorithms.classification.neighbors import k_nearest_neighbors as growing
from algorithms.classification.neighbors import leave_one_out as choosing
from algorithms.classification.neighbors.nearest_neighbors import METRICS, WEIGHTS
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from viz.classification.neighbors import choosing_k as draw_choosing
from viz.classification.neighbors import many_features as draw_cube
from viz.classification.neighbors import neighbors as draw

UNITS = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]


def neighbours(lab: Lab) -> Shown:
    """Let a ball grow around the picked point."""
    k = lab.slider(
        "k", "Neighbours k", 1, choosing.MOST, 7, help="At most as many as there are points."
    )
    k, query = min(k, max(1, len(lab.plane.X))), picked_point(lab)
    how, (X, y) = what_is_near(lab), (lab.plane.X, lab.plane.labels)
    run = lab.run(growing.k_nearest_neighbors, X, y, k=k, query=query, **how)
    return lab.scene(draw.neighbours, run, lab.plane, code=growing)


def choosing_k(lab: Lab) -> Shown:
    """Leave out one point after the other, for every k."""
    run = lab.run(choosing.leave_one_out, lab.plane.X, lab.plane.labels, **what_is_near(lab))
    return lab.scene(draw_choosing.choosing, run, lab.plane, picked_point(lab), code=choosing)


def many_features(lab: Lab) -> Shown:
    """Look at distances in more and more dimensions."""
    n, metric = lab.slider("points_drawn", "Points in the cube", 20, 400, 200, 10), how_far(lab)
    rng = np.random.default_rng(lab.number("seed", "Seed", 0, 9999, 0, help="Draws the points."))
    run = lab.run_apart(cube.distances_in_cube, n, rng=rng, metric=metric)
    return lab.scene(draw_cube.concentration, run, n, code=cube)


def what_is_near(lab: Lab) -> dict:
    """Ask how distances are taken, and what they count."""
    metric = how_far(lab)
    weights = lab.buttons("weights", "Votes", WEIGHTS, WEIGHTS[0])
    unit = lab.log_slider(
        "unit", "y in a unit so many times smaller", UNITS, 1.0,
        help="All numbers of the column upwards become so many times larger for the distances.",
    )  # fmt: skip
    standardize = lab.toggle("standardize", "Standardise the columns", False)
    units = np.array([1.0, 1 / unit])
    return {"metric": metric, "weights": weights, "standardize": standardize, "units": units}


def how_far(lab: Lab) -> str:
    """Ask for the metric."""
    return lab.choice("metric", "Metric", METRICS, METRICS[0])


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point whose neighbours are looked for: at first near the middle."""
    return picked_place(lab, across=0.55, up=0.45)


MODES = {"neighbours": neighbours, "choosing k": choosing_k, "many features": many_features}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES)
