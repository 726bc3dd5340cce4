r"""All clusterings side by side

Nine ways to cluster on the same points, each compared with the classes that none of them sees.

## Idea
What is a cluster? Each method has an answer of its own, and finds what it looks for, whether it is
there or not:

- **Round.** k-means, k-medoids and Ward's [linkage](glossary#linkage) want points near a centre.
  Complete linkage wants no two of them far apart. All tend to cut long shapes into round pieces.
- **Elliptic.** A mixture of Gaussians may be long and thin, and large beside small; but straight.
- **Tied together.** Single linkage, spectral clustering and DBSCAN go from neighbour to neighbour,
  around any bend. Single linkage goes over a bridge of one point, too; DBSCAN asks for a crowd all
  along the way, spectral clustering for many ways.

Average linkage stands between complete and single linkage.

So no method is the best. Who knows what the clusters should be like knows which one to take. Here
the answer is known: most presets have classes. No method sees them, and afterwards it is counted
how far clusters and classes agree, by the [adjusted Rand index](glossary#adjusted-rand-index): 1 is
full agreement, 0 is what chance would give.

How the clusters are numbered means nothing to the index. For the picture they are numbered so that
as many points as can be have the number of their class; a ring is around every other point. *The
classes* are the last tile of the wall.

With your own data there are no classes, and no such number. Then a clustering can only be judged by
what it is good for.

## Maths
Take all pairs of points. Let $n_{ij}$ be the number of points of class $i$ in cluster $j$, with
$a_i$ points in the class and $b_j$ in the cluster. Pairs that are together in both, in a class, in
a cluster:

$$
T = \sum_{ij} \binom{n_{ij}}{2}, \qquad A = \sum_i \binom{a_i}{2}, \qquad
B = \sum_j \binom{b_j}{2} .
$$

If the points were dealt at random to clusters of the same sizes, $T$ would be
$E = A B / \binom{n}{2}$ on average. The adjusted Rand index says which part of the way from there
to $\frac12 (A + B)$ has been gone:

$$
\frac{T - E}{\frac12 (A + B) - E} .
$$

It is 1 if and only if the two divisions are the same, for $T$ is neither above $A$ nor above $B$;
and negative where they agree less than by chance. The plain Rand index, the share of the pairs that
are together in both or apart in both, is high for any two divisions into many groups, since most
pairs are apart in both. Noise of DBSCAN counts as one more cluster.

The methods: k-means is the best of 10 runs, PAM starts from BUILD, EM has full covariances, the
linkages are cut at $k$ clusters. ε and σ are shares of the picture's longer side.

*Sources: CS725 lectures 19 to 21 (13.3–13.7), CIS787; Hubert and Arabie 1985.*

## Try this
- [Two moons](?data=moons&noise=0.1&k=2) Two moons, bent around each other. How many of the nine
  methods find both?
  Do: Look at the wall, and step to the end.
  Answer: Three: single linkage, spectral clustering and DBSCAN have an index of 1, the others 0.47
  at most. On the samples 0 to 9 spectral clustering finds them exactly on 10, single linkage on 9,
  DBSCAN on 6, and no other method on any.
- [Groups that touch](?data=blobs&classes=4&noise=0.6&k=4&width=5) Four round groups that touch each
  other. Single linkage has found the moons. And these?
  Do: Go to single linkage on the wall. Try other samples.
  Answer: No: its index is 0.00. The groups hang together by single points, so one cluster holds 196
  of 200 points. On the samples 0 to 9 its index is below 0.01 on 7, while k-means never falls
  below 0.88.
- [Large and small](?data=unequal&k=3&width=5) A large wide group beside two small tight ones. Which
  methods mind that?
  Do: Compare the bars. Try other samples.
  Answer: Those that want clusters of one size. On the average of the samples 0 to 9 complete
  linkage has an index of 0.37, k-means 0.56 and Ward 0.57, but EM 0.76, average linkage 0.92 and
  spectral clustering 0.96.
- [Too many clusters](?data=blobs&k=6) Three groups, but k = 6. Every cluster is in one group, or
  nearly so. Is the index still near 1?
  Do: Compare the bars with those for k = 3.
  Answer: No: k-means falls from 1 to 0.57, for pairs that belong together are torn apart. Single
  linkage alone rises, from 0.56 to 0.98: it spends clusters on single points, and the groups come
  apart at last.
- [Penguins](?data=penguins&k=3) Three species, by length and depth of their bills. Which method
  tells them apart, without having heard of species?
  Do: Step through the methods and watch the rings.
  Answer: EM, with an index of 0.905; the next is spectral clustering with 0.649. Each species is a
  long slanted cloud, an ellipse. Single linkage and DBSCAN see but one crowd.
"""

import numpy as np
import streamlit as st

from algorithms.clustering import clusterings as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.labs import LABS
from pages._shared.page import open_lab
from viz.clustering import clusterings as draw


def methods(lab: Lab) -> Shown:
    """Cluster by one method after the other."""
    k = lab.slider("k", "Clusters k", 1, 8, 2)
    eps = lab.slider("eps", "DBSCAN: ε, % of the picture", 1.0, 30.0, 6.0, 0.5)
    least = lab.slider("least", "DBSCAN: points in a full ball", 1, 20, 5)
    width = lab.slider("width", "Spectral: σ, % of the picture", 1.0, 30.0, 3.0, 0.5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the starts of k-means, EM, spectral.")
    data = lab.plane
    left, right, bottom, top = data.bounds
    unit = max(right - left, top - bottom) / 100
    run = lab.run(
        algorithm.clusterings,
        data.X, data.labels, k, eps=eps * unit, min_samples=least,
        gamma=1 / (2 * (width * unit) ** 2), rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(draw.side_by_side, run, data, code=algorithm)


def labs_of_their_own() -> None:
    """Link to the labs of the methods."""
    st.markdown("**The same points in a lab of their own**")
    with st.container(horizontal=True):
        for page in LABS:
            shown = [method.name for method in algorithm.METHODS if method.lab == page.name]
            if shown:  # without parameters it is no link: the points on the board stay
                icon = ":material/open_in_new:"
                st.page_link(str(page.path), label=", ".join(shown), icon=icon)


MODES = {"methods": methods}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.1).show(MODES, below=labs_of_their_own)
