r"""k-means

Every point joins its nearest centre, every centre moves to the mean of its points, and again.

## Idea
A cluster is described by one point, its **centre**. If the centres were known, every point would
belong to the nearest one. If it were known which points belong together, the best centre would be
their mean. Neither is known, so k-means guesses the centres and takes the two half-steps in turn:

- **assign**: every point joins its nearest centre. The picture is cut into the
  [Voronoi regions](glossary#voronoi-region) of the centres: inside a region its centre is the
  nearest one.
- **move**: every centre goes to the mean of the points that joined it. The dotted trail shows where
  it came from.

No half-step can raise the [inertia](glossary#inertia), the sum of the squared distances of the
points to their centres, and there are only so many ways to divide the points, so the run always
ends. It ends in *a* minimum, not always in the best one: other starting places can give other
clusters. Place the centres yourself, or look at **100
seeds** and where each of them ends.

**Seeding.** Centres that start far from each other seldom end in one cluster. *k-means++* draws
them one after the other: the farther a point is from the centres drawn so far, the likelier it is
the next one. It is a draw all the same, so it makes bad starts rare and does not rule them out. The
remedy is to run k-means several times and to keep the lowest inertia.

**How many clusters?** With more clusters the least inertia gets smaller, down to zero when every
point is its own cluster, so inertia alone cannot choose. Two ways out are drawn against k:

- the [MDL](glossary#mdl) cost adds a price γ for every cluster: describing the data as "centres
  plus deviations" is only shorter if a new centre saves more than it costs;
- the [silhouette](glossary#silhouette) asks how much nearer a point is to its own cluster than to
  the next one: 1 is perfect, 0 is on the border, negative is in the wrong place.

Neither of them finds *the* number of clusters. Both prefer what k-means is good at: round clusters
of about one size, far apart. Where the clusters are not like that, they can be far off.

## Maths
Given points $x_1, \dots, x_n$, k-means looks for centres $\mu_1, \dots, \mu_k$ and labels
$\ell_1, \dots, \ell_n$ with the least inertia

$$
J(\mu, \ell) = \sum_{i=1}^{n} \lVert x_i - \mu_{\ell_i} \rVert^2 .
$$

With one held, the other is solved exactly:

$$
\text{assign:}\quad \ell_i \leftarrow \arg\min_j \lVert x_i - \mu_j \rVert^2
\qquad\qquad
\text{move:}\quad \mu_j \leftarrow \frac{1}{|C_j|} \sum_{i \in C_j} x_i ,
\quad C_j = \{ i : \ell_i = j \} .
$$

There are finitely many labellings and $J$ never rises, so the run stops after finitely many
half-steps. One of each costs $O(nkd)$ for $d$ columns. An empty cluster has no mean: its centre
stays.

**k-means++** draws the first centre from the points at random, and point $i$ as a further one with
the probability $D_i^2 / \sum_l D_l^2$, with $D_i$ its distance to the nearest centre drawn so far.
The sum of the $D^2$ is the inertia of these centres. On average over the draws it is, for $k$
centres, at most $8 (\ln k + 2)$ times the least inertia there is.

**Choosing k.** The MDL cost is $J_k + \gamma k$, with $J_k$ the inertia of $k$ clusters. The
silhouette of a point is $s = (b - a) / \max(a, b)$, with $a$ its mean distance to the other points
of its cluster and $b$ the least mean distance to the points of another cluster; it is 0 for a point
alone in its cluster. The curve shows the mean over all points, or over 1,000 of them drawn at
random if there are more.

*Sources: CS725 lectures 19 and 20 (13.2–13.5), CS337; Lloyd 1982; Arthur and Vassilvitskii 2007;
Rousseeuw 1987.*

## Try this
- [A bad start](?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5) Two centres share one
  cluster and a third one covers two. Will more steps mend it?
  Do: Step to the end, press What if and drag centre 1 to the right. Then choose k-means++ for the
  first centres, and look at all of 100 seeds.
  Answer: No: it stays so, with an inertia of 230. With centre 1 on the right it goes on to all four
  clusters, with 35. So it does from k-means++. Of the seeds 0 to 99 k-means++ fails with 7, random
  starts fail with 39. So take several seeds, and keep the run with the lowest inertia.
- [Far from the others](?view=seeding&data=blobs&classes=4&k=4&noise=0.3&seed=3) Three centres are
  drawn, and one cluster has 90 % of all D². Is the fourth centre sure to be drawn there?
  Do: Step through the four draws and read the chances; then take seed 0.
  Answer: No: the fourth is drawn at a distance of 1.2 from centre 2, by a chance of 0.38 %, in a
  cluster that has a centre. k-means cannot mend it and ends at 225. With seed 0 every cluster gets
  a centre; so it is with 81 of the seeds 0 to 99, but only with 6 if centres are drawn evenly.
- [Large and small](?data=unequal&k=3&seed=1) One cluster has 160 points, its neighbours 20 each.
  Does k-means leave the large one whole?
  Do: Step to the end. Then take seed 0 and compare the inertias.
  Answer: No: it loses 16 points to its small neighbours, because the border lies half-way between
  the centres. With seed 0 the two small clusters share a centre and the large one is halved. The
  inertias are nearly equal, 168.9 and 171.2: it cannot tell which is better.
- [The silhouette](?data=stretched&k=3) The data are three long clusters. Does the silhouette find
  the three?
  Do: Look at the panel for choosing k, then at the picture. Try other samples of the data.
  Answer: No: it is highest at k = 7, with 0.46 against 0.39 at the true 3; on the samples 0 to 19
  it never says 3. The MDL cost picks 6. Distances count alike in all directions, so long clusters
  are cut across into round pieces, and more of them fit better. For four round blobs it is right on
  every one of these samples.
- [One outlier](?data=outlier&k=3) Two groups and a single far point. Where does the third centre
  go?
  Do: Step to the end, then erase the far point. Bring it back, and take k = 2.
  Answer: To the far point alone, for its squared distance weighs most. Without it that centre cuts
  one of the groups in two. With k = 2 and this seed the far point joins a group and pulls its
  centre away from the others; with some seeds it does so with k = 3, too.
"""

from copy import deepcopy
from typing import Any

import numpy as np

from algorithms.clustering import k_means as algorithm
from algorithms.clustering import k_means_plus_plus as plus_plus
from algorithms.clustering import restarts
from algorithms.clustering.choose_k import choose_k
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.start_choice import choose_start, moved_to
from pages._shared.what_if import Ways, seen, what_if
from viz.clustering import k_means as draw
from viz.clustering import many_starts as draw_seeds
from viz.clustering import seeding as draw_seeding
from viz.core.scene import Run

MOST_CLUSTERS = 10  # among which k is chosen


def lloyd(lab: Lab) -> Shown:
    """Assign and move in turn."""
    X, k = lab.plane.X, how_many(lab)
    start, init = choose_start(lab, "First centres", "k-means++", k)
    rng = seeded(lab)
    price = lab.slider(
        "price", "Price γ of a cluster, %", 0.0, 20.0, 4.0, 0.5,
        help="In % of the inertia with k = 1. Only used to choose k by the MDL cost.",
    )  # fmt: skip
    ks = list(range(1, min(MOST_CLUSTERS, len(X)) + 1))
    query = picked_point(lab)

    def show(**how: Any) -> Shown:
        data = seen(lab.plane, **how)
        choices = lab.run(choose_k, data.X, ks, rng=np.random.default_rng(0))
        run = lab.run(algorithm.k_means, X, k, rng=deepcopy(rng), init=init, **how)
        return lab.scene(draw.lloyd, run, data, choices, query, start, price / 100, code=algorithm)

    return what_if(lab, show, move_centers, after=True, points=True)


def move_centers(ways: Ways, was: Run, step: int) -> dict[str, Any]:
    """Ask where the centres are put by hand."""
    return moved_to(ways, step, was.steps[step - 1].centers)


def seeding(lab: Lab) -> Shown:
    """Draw the first centres one after the other (k-means++)."""
    k, rng = how_many(lab), seeded(lab)
    run = lab.run(plus_plus.k_means_plus_plus, lab.plane.X, k, rng=rng)
    return lab.scene(draw_seeding.seeding, run, lab.plane, code=plus_plus)


def seeds(lab: Lab) -> Shown:
    """Compare where 100 runs end."""
    X, k = lab.plane.X, how_many(lab)
    init = lab.buttons("start", "First centres", restarts.STARTS, restarts.STARTS[0])
    (rival,) = set(restarts.STARTS) - {init}
    run, other = (lab.run(restarts.many_starts, X, k, init=name) for name in (init, rival))
    return lab.scene(draw_seeds.seeds, run, lab.plane, other, init, rival, code=restarts)


def how_many(lab: Lab) -> int:
    """Ask for the number of clusters."""
    return lab.slider("k", "Clusters k", 1, 8, 4)


def seeded(lab: Lab) -> np.random.Generator:
    """Ask for the seed that the first centres are drawn with."""
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first centres.")
    return np.random.default_rng(seed)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point whose distances to the centres are compared: at first near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"k-means": lloyd, "seeding": seeding, "100 seeds": seeds}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", classes=4, noise=0.6).show(MODES)
