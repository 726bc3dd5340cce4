r"""k-means

Every point joins its nearest centre, every centre moves to the mean of its points, and again.

## Idea
A cluster is described by one point, its **centre**. If the centres were known, every point would
belong to the nearest one. If it were known which points belong together, the best centre would be
their mean. Neither is known, so k-means guesses the centres and takes the two half-steps in turn:

- **assign**: every point joins its nearest centre. The picture is cut into the *Voronoi regions* of
  the centres: inside a region its centre is the nearest one.
- **move**: every centre goes to the mean of the points that joined it. The dotted trail shows where
  it came from.

Each half-step can only lower the **inertia**, the sum of the squared distances of the points to
their centres, so the run always ends. It ends in *a* minimum, not always in the best one: other
starting places can give other clusters. Try a few seeds, or place the centres yourself.

**How many clusters?** More clusters always mean less inertia, down to zero when every point is its
own cluster, so inertia alone cannot choose. Two ways out are drawn against k:

- the **MDL cost** adds a price γ for every cluster: describing the data as "centres plus
  deviations" is only shorter if a new centre saves more than it costs;
- the **silhouette** asks how much nearer a point is to its own cluster than to the next one:
  1 is perfect, 0 is on the border, negative is in the wrong place.

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
half-steps. One of each costs $O(nkd)$. An empty cluster has no mean: its centre stays.

**k-means++** draws the first centre from the points at random and each further one with
probability proportional to $D(x)^2$, the squared distance to the nearest centre drawn so far.

**Choosing k.** The MDL cost is $J_k + \gamma k$. The silhouette of a point is
$s = (b - a) / \max(a, b)$, with $a$ its mean distance to the other points of its cluster and $b$
the least mean distance to the points of another cluster; the curve shows the mean over all points.

*Sources: CS725 lectures 19 and 20 (13.2–13.5), CS337; Lloyd 1982; Arthur and Vassilvitskii 2007;
Rousseeuw 1987.*

## Try this
- [A bad start](?data=blobs&classes=4&k=4&noise=0.3&init=random&seed=5) Two centres share one
  cluster and a third one covers two: step to the end and see that it stays so, with an inertia of
  230. Then choose k-means++: 35, all four are found. It makes bad starts rare, it does not rule
  them out: of the seeds 0 to 99 it fails with 7, random starts fail with 39. Try seed 3.
- [What k-means assumes](?data=stretched&k=3) Long clusters are cut across: only the distance to
  the centre counts, not the shape.
- [Large and small](?data=unequal&k=3&seed=1) The large cluster of 160 loses 16 points to its small
  neighbours, because the border lies half-way between the centres. Then take seed 0: the two small
  clusters share a centre and the large one is halved. Which has the lower inertia? They are nearly
  equal, 168.9 and 171.2.
- [Rings](?data=circles&k=2) No centre can stand for a ring. Which methods could?
- [One outlier](?data=outlier&k=3) Two groups and a single far point, which gets a centre to itself.
  Erase it: that centre now cuts one of the groups in two. With k = 2 and this seed the far point
  joins a group and pulls its centre away from the others. With some seeds it does so with k = 3,
  too.
"""

import numpy as np

from algorithms.clustering import k_means as algorithm
from algorithms.clustering.choose_k import choose_k
from pages._shared.lab import Lab, Shown, open_lab
from pages._shared.start_choice import choose_start
from viz.clustering import k_means as draw

MOST_CLUSTERS = 10  # among which k is chosen


def lloyd(lab: Lab) -> Shown:
    """Assign and move in turn."""
    X = lab.plane.X
    k = lab.slider("k", "Clusters k", 1, 8, 4)
    start, init = choose_start(lab, "First centres", "k-means++", k)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first centres.")
    price = lab.slider(
        "price", "Price of a cluster γ, in % of the inertia at k = 1", 0.0, 20.0, 4.0, 0.5,
        help="Only used to choose k by the MDL cost.",
    )  # fmt: skip
    run = lab.run(algorithm.k_means, X, k, rng=np.random.default_rng(seed), init=init)
    ks = list(range(1, min(MOST_CLUSTERS, len(X)) + 1))
    choices = lab.run(choose_k, X, ks, rng=np.random.default_rng(0))
    return lab.scene(draw.lloyd, run, lab.plane, choices, k, start, price / 100, code=algorithm)


open_lab(__file__, data="blobs", classes=4, noise=0.6).show(lloyd)
