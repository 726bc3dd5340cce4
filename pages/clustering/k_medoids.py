r"""k-medoids

The centre of a cluster is one of its points; swaps go on as long as they lower the cost.

## Idea
k-means puts the centre of a cluster where the mean of its points is. That place is seldom one of
the points, and one far point pulls it along. A [medoid](glossary#medoid) is the centre as a point:
the one whose distances to the others of its cluster add up to the least. It can be shown to
somebody: *this* flower stands for these fifty. And it can be found where there are no means, from
distances alone.

The **cost** is the sum of the distances from all points to their nearest medoids: the length of all
the lines in the picture. PAM, "partitioning around medoids", makes it small in two parts:

- **BUILD**: one medoid after the other is chosen, each time the point with which the cost falls the
  most. That is [greedy](glossary#greedy): nothing is taken back here.
- **SWAP**: every swap of a medoid with a point that is none is tried, and the one with the lowest
  cost is made. When no swap lowers the cost, the run has [converged](glossary#convergence).

Every try has its price in the view of the options: a column for each medoid that would go, with all
points that could come, the cheapest on the left. If nothing is below the dashed line, it is over.
Put the ring of the picked point on a point to read what it would cost.

k-means with a bad start can be stuck with two centres in one cluster, because its centres only move
as far as the mean of their points. A swap reaches across the whole picture, and mostly mends such
a start. Still, PAM ends where no *single* swap helps, which is not always the best choice of all.

**Far points.** A distance of 10 counts 10 in the cost, but 100 if it is
squared as in the [inertia](glossary#inertia). That is why medoids stay where most points are. It is
the distance that withstands far points, more than the medoid does: choose squared distances and
look.

## Maths
Given points $x_1, \dots, x_n$ and a distance $d$, look for the indices $m_1, \dots, m_k$ with the
least

$$
\text{cost}(m) = \sum_{i=1}^{n} \min_j \, d(x_i, x_{m_j}) .
$$

Let $D_i$ be the distance of point $i$ to its nearest medoid so far. BUILD takes as the next one the
candidate $c$ with the least

$$
\sum_{i=1}^{n} \min\{ d(x_i, x_c), D_i \} .
$$

For a swap, point $c$ in the place of medoid $j$, the new cost is the same sum, with the distance to
the nearest medoid *other than* $j$ in the place of $D_i$. There are $k(n - k)$ swaps. One by one
each needs a sum over $n$ points, so that a step costs $O(kn^2)$. For points that do not belong to
medoid $j$ the nearest medoid stays the same, whatever $j$ is: so the sums for all $j$ are found
together, with $n^2$ distances in all.

Each swap lowers the cost, and there are only $\binom{n}{k}$ choices: the run ends. The
distance is Euclidean, $\sqrt{\Delta x^2 + \Delta y^2}$; or that of streets in a grid (Manhattan),
$|\Delta x| + |\Delta y|$; or squared, which is no true distance, but what k-means counts.

For many points $n^2$ distances are too many. **CLARA** runs PAM on samples of $s$ points, which
needs $s^2$, and judges the medoids of each by their cost for all $n$; the best ones are kept, and
are in the next sample, too. Within the sample the mean distance is mostly too low: the medoids were
chosen for these points. **CLARANS** draws a medoid and another point at random and swaps
them if that lowers the cost; one try costs $O(nk)$. After so many failures in a row a search ends,
and the best of some searches counts. With few failures allowed it ends early, and mostly in a
choice that costs more.

*Sources: CS725 lecture 19 (13.4); Kaufman and Rousseeuw 1987 and 1990; Schubert and Rousseeuw
2019; Ng and Han 1994.*

## Try this
- [One far point](?data=outlier&k=2) Two groups and a single far point. Which of the two centres
  nearest to it withstands it, the medoid or the mean (×)?
  Do: Step to the end, then erase the far point, and undo that.
  Answer: The medoid: with and without the far point the same two points are chosen, but the mean
  moves by 0.17. On the samples 0 to 19 no medoid moves by more than 0.2, and on 14 of them none
  moves at all. With k = 3 the far point becomes a medoid for itself on all of them.
- [The same, squared](?data=outlier&k=2&metric=squared+euclidean&sample=1) Now the distances are
  squared, as in k-means. The centres are still points. Do they withstand the far one?
  Do: Step to the end, then take the Euclidean distance again.
  Answer: No: the far point becomes a medoid, and both groups share the other one. So it is on 12 of
  the samples 0 to 19; with plain distances on none. It is not the medoid that withstands far
  points, but the distance that is not squared.
- [A bad start](?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5) Two medoids share one
  cluster, and two have to do for three. k-means is stuck here. Will swaps mend it?
  Do: Take one step. Then try other seeds, and k-means from random starts.
  Answer: Yes, at once: the first swap takes a medoid across the picture, and the cost falls from
  208 to 86. The end is 74.7, from each of the seeds 0 to 99. k-means ends in a bad place with 39 of
  these seeds.
- [No swap helps](?data=xor&n=40&k=2) PAM ends with a cost of 64.9. Is there a pair of points that
  costs less?
  Do: Step to the end, then let the first medoids be random and try some seeds.
  Answer: Yes: the best of all 780 pairs costs 62.7. With 9 of the seeds 0 to 19 random starts
  find it. From BUILD two medoids would have to change at once; PAM only looks at single swaps.
- [By chance](?view=CLARANS&data=blobs&classes=4&noise=0.6&k=4) PAM prices 784 swaps at every step,
  and ends at 147.2. CLARANS takes the first of its drawn swaps that helps. How near does it come?
  Do: Step to the end, then allow 250 failures in a row.
  Answer: It ends at 156, 6 % above, after 216 tries in two searches. With 250 failures it takes
  1,021 tries and ends 0.24 % above. So it is with other seeds: of 0 to 19 all end within 1 %
  then, and 2 with 50 failures.
- [Chosen by a few](?view=CLARA&size=12) From 12 of 200 points PAM chooses medoids; the mean
  distance of the 12 is 0.63. What is it for all points?
  Do: Read the second line, then step to the end. Then take samples of 48 points.
  Answer: 1.15: medoids fit those best for whom they were chosen. The best of 5 samples costs
  192.6, 31 % above PAM on all points; with 48 points, the 40 + 2k of its inventors, it is 2 %. With
  the seeds 0 to 19 it is up to 31 % with 12 points, and below 5 % with 48.
"""

import numpy as np

from algorithms.clustering import clara, clarans
from algorithms.clustering import k_medoids as algorithm
from algorithms.clustering.restarts import lowest_inertia
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from viz.clustering import clara as draw_clara
from viz.clustering import clarans as draw_clarans
from viz.clustering import k_medoids as draw
from viz.core.scene import Run

STARTS = {"BUILD": None, "random": "random"}


def swaps(lab: Lab) -> Shown:
    """Choose medoids, and swap them (PAM)."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    start = lab.buttons("init", "First medoids", list(STARTS), "BUILD")
    rng = seeded(lab)
    run = lab.run(
        algorithm.k_medoids, X, k, rng=rng, init=STARTS[start], metric=metric, max_iter=most(lab)
    )
    means = lab.later(lowest_inertia, X, k, rng=np.random.default_rng(0), restarts=10)
    return lab.scene(draw.swaps, run, lab.plane, means, picked_point(lab), start, code=algorithm)


def drawn_swaps(lab: Lab) -> Shown:
    """Try swaps drawn at random, one by one."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    most = lab.slider("failures", "Failures in a row, at most", 10, 500, 50, 10)
    searches = lab.slider("searches", "Searches", 1, 5, 2)
    rng = seeded(lab)
    run = lab.run(
        clarans.clarans, X, k, rng=rng, metric=metric, most_failures=most, searches=searches
    )
    return lab.scene(draw_clarans.tries, run, lab.plane, pam(lab, k, metric), most, code=clarans)


def drawn_samples(lab: Lab) -> Shown:
    """Run PAM on samples, and judge each on all points."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    samples = lab.slider("samples", "Samples", 1, 20, clara.SAMPLES)
    size = lab.slider(
        "size", "Points of a sample", 10, 200, clara.published_size(k),
        help="At most all points; 40 + 2k unless you choose another number.",
    )  # fmt: skip
    rng = seeded(lab)
    run = lab.run(clara.clara, X, k, rng=rng, metric=metric, samples=samples, size=size)
    return lab.scene(draw_clara.samples, run, lab.plane, pam(lab, k, metric), code=clara)


def pam(lab: Lab, k: int, metric: str) -> Run:
    """Run PAM on all points, from BUILD, to compare with."""
    rng = np.random.default_rng(0)
    return lab.run(algorithm.k_medoids, lab.plane.X, k, rng=rng, metric=metric, max_iter=most(lab))


def most(lab: Lab) -> int:
    """Give how many swaps PAM may take, so that nobody waits long."""
    return algorithm.affordable_swaps(len(lab.plane.X))


def how_many(lab: Lab) -> int:
    """Ask for the number of clusters."""
    return lab.slider("k", "Clusters k", 1, 8, 4)


def how_far(lab: Lab) -> str:
    """Ask for the distance."""
    return lab.choice("metric", "Distance", algorithm.METRICS, algorithm.METRICS[0])


def seeded(lab: Lab) -> np.random.Generator:
    """Ask for the seed of what is drawn at random."""
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws first medoids, samples, swaps.")
    return np.random.default_rng(seed)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose nearest point is tried as a medoid: at first near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"PAM": swaps, "CLARA": drawn_samples, "CLARANS": drawn_swaps}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", classes=4, noise=0.6).show(MODES)
