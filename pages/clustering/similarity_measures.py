r"""Similarity measures

Which points are near? That depends on the measure: the ball around a query takes its shape.

## Idea
Every method that groups points, or asks their neighbours, has to know what **near** means. Drag the
query. A ball grows around it and meets the nearest points one after the other; its shape is all
that the measure has to say.

- **Minkowski** distances add up the differences of the columns, each to the power $p$. For $p = 2$
  that is the ordinary distance (Euclidean, a circle), for $p = 1$ the way along streets (Manhattan,
  a diamond). The larger $p$, the more the largest difference decides; in the end it alone does
  (**Chebyshev**, a square).
- The **cosine** asks for the direction alone, seen from the origin or from the mean. Its ball is a
  cone. Counts of words in a long text and in a short one about the same things point the same way:
  that is what it is for. It says nothing of how far along the way a point is.
- **Mahalanobis** measures in standard deviations of the data, in every direction its own. The ball
  is an ellipse like the cloud of points: a step across a thin cloud is longer than one along it.

A **unit** is a choice, too. With heights in millimetres instead of metres a column becomes a
thousand times larger, and may decide alone, unless it is [standardised](glossary#standardise).
Mahalanobis does that by itself, but it needs points that spread in all directions: on a line the
[covariance matrix](glossary#covariance-matrix) has no [inverse](glossary#inverse).

Features may also be **yes or no**: which goods did somebody buy? Simple matching is the share of
them in which two shoppers differ. But nearly all goods are bought by neither, and that makes nobody
alike. **Jaccard** leaves those out: it asks in how many of the goods that one of the two bought
they differ. A measure that treats no like yes is called symmetric, one that does not, asymmetric.

Not every measure is a distance as we know it. A [metric](glossary#metric) has no way round that is
shorter than straight on. With $p < 1$ there are such ways, and the ball is a star that is dented
between its points; the cosine has them, too. Ordering points by such a measure does no harm, but
methods that leave points out because they *must* be far (search trees do) go wrong.

## Maths
Each column is multiplied by its unit $s_c$. For points $q$ and $x$, with $\Delta = x - q$ and
$S$ the covariance matrix of all points,

$$
d_p(q, x) = \Bigl( \sum_c |\Delta_c|^p \Bigr)^{1/p} ,
\qquad d_\infty(q, x) = \max_c |\Delta_c| ,
\qquad d_S(q, x) = \sqrt{\Delta^{\mathsf T} S^{-1} \Delta} ,
$$

$$
d_{\cos}(q, x) = 1 - \frac{q \cdot x}{\lVert q \rVert \, \lVert x \rVert}
= 1 - \cos \angle(q, x) ,
$$

with $q$ and $x$ seen from the origin, or from the mean. The cosine itself is a *similarity* $s$: 1
for the same direction. A distance that stays between 0 and 1 becomes one as $s = 1 - d$.

A **metric** is 0 for equal points only, is the same both ways, and keeps the
[triangle inequality](glossary#triangle-inequality)

$$
d(u, w) \le d(u, v) + d(v, w) .
$$

For $p \ge 1$ that is Minkowski's inequality. For $p < 1$ go from $(0, 0)$ to $(1, 1)$: over the
corner $(1, 0)$ it is $1 + 1 = 2$, straight on it is $2^{1/p} > 2$. For the cosine take a turn of
90° in two halves: $2 (1 - \cos 45°) = 0.59$ against $1 - \cos 90° = 1$. The angle itself is a
metric between directions.

**Linear maps.** With $S^{-1} = W W^{\mathsf T}$, Mahalanobis is the Euclidean distance of the
points $W^{\mathsf T} x$. If all points go through a linear map $A$, then $S$ becomes
$A S A^{\mathsf T}$, and every $d_S$ stays what it was; a change of units is the simplest such map.

**Yes or no.** Of $n$ columns two rows have $p$ times yes and yes, $q$ times yes and no, $r$ times
no and yes, $s$ times no and no:

$$
\text{simple matching } \frac{q + r}{n} , \qquad \text{Jaccard } \frac{q + r}{p + q + r} ,
\qquad \text{shared yes } 1 - \frac{p}{n} , \qquad \text{shared no } 1 - \frac{s}{n} .
$$

The first two are metrics; the others are seldom 0 from a row to itself. A feature of several values
becomes columns of yes and no, one for each value.

**Cost.** $O(n)$ for the distances from a query, $O(n \log n)$ to put them in order.

*Sources: CS725 lecture 18 (13.1), where the Mahalanobis distance lacks the inverse.*

## Try this
- [A star](?measure=Minkowski&p=0.5) With p = 0.5 the ball is a star. Is straight on always the
  shortest way to a point?
  Do: Go to the next events, then take p = 1.
  Answer: No. To neighbour 4 it is 2.12 straight on, but 1.94 by way of (0.534, 1.026): no metric.
  It is so for 2 of the 10 neighbours, and for 2 to 7 of them on the samples 0 to 19. With p = 1 and
  more it is so for none.
- [Direction alone](?measure=cosine&data=circles&noise=0.05&query=1,0) A place on the inner ring
  asks for the ten points that are nearest by direction. How many of them are on its own ring?
  Do: Step to the end, then take Minkowski with p = 2.
  Answer: 6. The cosine does not know how far out a point is: the other 4 are on the outer ring,
  where the nearest is number 40 by ordinary distance. By that all ten are on the inner ring. On the
  samples 0 to 19 it is 0 to 7 by direction, and always ten by distance.
- [A thousand times larger](?measure=Minkowski&p=2&unit=1000) Let y be counted in a unit a thousand
  times smaller. No point moves. How many of the ten nearest points stay the same?
  Do: Step to the end, set the unit back to 1, and compare. Do the same with Mahalanobis.
  Answer: 2, for y alone decides now; the ball has become a thin band. By Mahalanobis all ten stay,
  whatever the unit. On the samples 0 to 19 it is 0 to 7 by ordinary distance, and always ten by
  Mahalanobis.
- [Along the cloud](?measure=Mahalanobis&data=line&noise=0.3&query=0,0.3) A query in the middle of a
  long thin cloud. Are the ten nearest by Mahalanobis the ten nearest by a ruler?
  Do: Step to the end and look at the rings.
  Answer: Only 5 are. The ball is as long and thin as the cloud, so a step along it is short: it
  meets a point that is number 26 by the ruler before some that lie beside the line. On the samples
  0 to 19 it is 3 to 8 of ten, and the farthest is number 14 to 30 by the ruler.
- [No covariance](?data=line&noise=0) All points lie on one line. Which of the
  measures cannot be taken?
  Do: Try them all.
  Answer: Mahalanobis, and the page says why. Across the line the points have no variance to measure
  in, so their covariance matrix has no inverse. It has no row in the view of the rows, either.
- [Nothing in common](?view=yes+or+no&shopper=Gus) Gus buys tea and nothing else. By simple
  matching, who is nearest to Gus?
  Do: Step to the end, then take Jaccard.
  Answer: Hal, at 0.2, who buys beer and nothing else: they are alike in the 8 goods that neither
  buys. By Jaccard Hal is as far as can be, at 1, like all others who buy no tea; Eli, who does, is
  nearest at 0.75.
"""

import numpy as np

from algorithms.clustering import binary_measures as binary
from algorithms.clustering import similarity_measures as algorithm
from algorithms.clustering.similarity_measures import Measure, Name
from algorithms.data.baskets import BASKETS
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from viz.clustering import binary_measures as draw_binary
from viz.clustering import similarity_measures_scenes as draw
from viz.clustering.similarity_measures import OTHERS

MEASURES: dict[str, Name] = {
    "Minkowski": "minkowski",
    "Chebyshev": "chebyshev",
    "cosine": "cosine",
    "Mahalanobis": "mahalanobis",
}
POWERS = [0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]
UNITS = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
HALF = Measure("minkowski", 0.5)


def neighbours(lab: Lab) -> Shown:
    """Let the ball of a measure grow around the query."""
    X, measure = lab.plane.X, choose(lab)
    other = OTHERS[lab.choice("against", "Compared with", list(OTHERS), "Euclidean")]
    k = min(lab.slider("k", "Neighbours k", 1, 20, 10), max(1, len(X)))
    unit = lab.log_slider(
        "unit", "y in a unit so many times smaller", UNITS, 1.0,
        help="All numbers of the column upwards become so many times larger for the measures.",
    )  # fmt: skip
    origin, mean = "the origin", "the mean"
    seen_from = lab.buttons(
        "center", "Angles are seen from", (origin, mean), origin, help="Only the cosine needs it."
    )
    center = X.mean(axis=0) if seen_from == mean and len(X) else np.zeros(2)
    how, query = {"units": np.array([1.0, unit]), "center": center}, picked_point(lab)
    run = lab.run(
        algorithm.nearest_by_measure, X, k=k, measure=measure, against=other, query=query, **how
    )
    rows = tuple(dict.fromkeys((measure, HALF, *OTHERS.values())))
    ranks = lab.later(algorithm.ranks_by_measures, X, query, rows, **how)
    return lab.scene(draw.neighbours, run, lab.plane, ranks, code=algorithm)


def yes_or_no(lab: Lab) -> Shown:
    """Compare a shopper with all others; the points on the board are not used."""
    measure = lab.choice("binary", "Measure", binary.MEASURES, binary.MEASURES[0])
    shopper = lab.choice("shopper", "Shopper", BASKETS.shoppers, BASKETS.shoppers[0])
    row = BASKETS.shoppers.index(shopper)
    run = lab.run_apart(binary.compare_binary, BASKETS.bought, row=row, measure=measure)
    return lab.scene(draw_binary.baskets, run, BASKETS, code=binary)


def choose(lab: Lab) -> Measure:
    """Ask for the measure, and for its power if it has one."""
    name = MEASURES[lab.choice("measure", "Measure", list(MEASURES), "Minkowski")]
    if name != "minkowski":
        return Measure(name)
    return Measure(name, lab.log_slider("p", "Power p", POWERS, 1.0))


def picked_point(lab: Lab) -> np.ndarray:
    """Give the query: at first to the right of the middle."""
    return picked_place(lab, across=0.7, up=0.7, label="Query")


MODES = {"neighbours": neighbours, "yes or no": yes_or_no}

if __name__ == "__main__":
    open_lab(__file__, data="stretched", n=60).show(MODES)
