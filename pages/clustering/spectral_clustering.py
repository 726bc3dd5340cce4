r"""Spectral clustering

Points that many short steps tie together belong together; eigenvectors say which these are.

## Idea
k-means asks who is near a centre. Here it is asked who can be reached by short steps. Every two
points are joined by an edge, the nearer they are the heavier: so the points become a
[graph](glossary#graph). How near is near is up to the width $\sigma$: an edge weighs one half at
1.18 $\sigma$, and next to nothing at 4 $\sigma$. A cluster is a part of the graph that is
held together by heavy edges, and tied to the rest by light ones only.

To look at all ways to cut a graph is hopeless. Instead, let every point have a number, and let the
numbers change as little as they can along heavy edges, though they must not all be alike. The best
such numbers come from an [eigenvector](glossary#eigenvector) of a matrix that is made from the
weights, the [Laplacian](glossary#laplacian). Across a good cut, where no edge is heavy, they may
jump; within a cluster they hardly change. Its [eigenvalue](glossary#eigenvalue) says how much they
change: it is 0 once for every piece of the graph that no edge ties to the rest.

With $k$ eigenvectors each point has $k$ numbers: new coordinates. In them such a cluster is a small
heap, whatever its shape was in the picture, and k-means finds heaps. So the second picture shows
the same points as the first, moved to where they are near if they are *tied* to each other.

**How many clusters?** If there are $k$ clusters with weak ties, there are $k$ small eigenvalues,
and then a gap: the [eigengap](glossary#eigengap). It can be seen before k-means has begun. For long
clusters it is less clear: to cut a thin moon in two cuts few edges as well.

**How wide?** If $\sigma$ is too small, lonely points are pieces of their own, and the clusters are
spent on them. If it is large, all edges are heavy, nothing is far, and what is left is
often about what k-means finds.

## Maths
Edges weigh $w_{ij} = \exp(-\gamma \lVert x_i - x_j \rVert^2)$, with
$\gamma = 1 / (2 \sigma^2)$ and $w_{ii} = 0$. The degree of a point is the weight of its edges,
$d_i = \sum_j w_{ij}$. With $D$ the diagonal matrix of the degrees, the normalised Laplacian is

$$
L = I - D^{-1/2} W D^{-1/2},
\qquad
v^\top L v = \sum_{i<j} w_{ij} \Bigl( \frac{v_i}{\sqrt{d_i}} - \frac{v_j}{\sqrt{d_j}} \Bigr)^2 .
$$

A sum of squares is never negative, and among all $v$ of length 1 it is least for the eigenvectors
$L u_j = \lambda_j u_j$ with the smallest eigenvalues
$0 = \lambda_1 \le \lambda_2 \le \dots \le 2$, each at right angles to those before. $u_1$
has the entries $\sqrt{d_i}$ up to a factor, and tells nothing, if the graph is in one piece.

Point $i$ gets the row $(u_{1i}, \dots, u_{ki})$, divided by its length, so that it does not count
how crowded it is where the point lies. If the graph has exactly $k$ pieces, all points of a piece
get the same row, and the rows of two pieces are at right angles.

Of all ways to cut a graph in two the *normalised cut*, the weight that is cut relative to the
weight of all edges on either side, would be the thing to make small. To find the best cut is
NP-hard; the numbers $u_{2i} / \sqrt{d_i}$ are the best if any are allowed in the place of two
labels.

**Cost.** The weights take $O(n^2)$, the eigenvectors $O(n^3)$. Of more than 1,000 points 1,000 make
the graph; the others get their coordinates from their edges to these (Nyström).

*Sources: CIS787; Ng, Jordan and Weiss 2001; Shi and Malik 2000; von Luxburg 2007.*

## Try this
- [Around the bend](?data=moons&noise=0.1&k=2&width=3) Two moons, bent around each other. Can
  k-means find them after all, if it is given two eigenvectors as coordinates?
  Do: Step to the end, and watch the second picture. Then open k-means with k = 2.
  Answer: Yes: two clusters of 100 points, exactly the moons. On the points themselves k-means has
  46 in the wrong half. On 19 of the samples 0 to 19 no point is wrong, on one there are 10.
- [Everybody is near](?data=moons&noise=0.1&k=2&width=30) Now σ is 30 % of the picture: nobody is
  far from anybody. What is left of the two moons?
  Do: Step to the end. Then make σ smaller until the moons are found.
  Answer: What k-means finds, too: 46 points are in the wrong half with either. On the samples 0 to
  19 the two numbers differ by 3 at most. From 3.5 % down to 1 % the clusters are the moons.
- [The eigengap](?data=blobs&classes=4&noise=0.6&k=4&width=10) Four groups that touch each other. Do
  the eigenvalues know that there are four?
  Do: Look at the eigenvalues. Try other samples, and then the moons with σ = 3 %.
  Answer: Yes: the widest gap is after the fourth, from 0.1 to 0.561, and so it is on all
  of the samples 0 to 19. For two moons it is after 7 to 11 on these samples, never after 2: a long
  thin cluster is easy to cut, too.
- [Large and small](?data=unequal&k=3&width=5) One cluster has 160 points, its neighbours 20 each.
  k-means takes points from the large one. And here?
  Do: Step to the end. Try other samples.
  Answer: The clusters have 159, 21 and 20 points; one point is wrong. On the samples 0 to 19 at
  most 6 are, while the best run of k-means is never below 7 and above 90 on 9 of them. It does not
  count here how far a point is from a centre, but what ties it to the others.
- [A lonely point](?data=outlier&k=2&width=1.5) Two groups and a single far point. Which two
  clusters have the weakest ties to each other?
  Do: Step to the end and look at the eigenvalues. Then take σ = 3 %.
  Answer: The far point, and all others: two eigenvalues are 0, so the graph has two pieces. On all
  of the samples 0 to 19 it is cut off, though on 2 of them there is a third piece. With σ = 3 % the
  far point has some ties: the two groups are found on all of them, with at most 2 points in the
  wrong one.
"""

import numpy as np

from algorithms.clustering import spectral_clustering as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from viz.clustering import spectral_clustering as draw


def coordinates(lab: Lab) -> Shown:
    """Cluster the points by the eigenvectors of their graph."""
    k = lab.slider("k", "Clusters k", 1, 8, 2)
    width = lab.slider(
        "width", "Width σ, % of the picture", 1.0, 30.0, 3.0, 0.5,
        help="An edge of length σ has the weight exp(−½) = 0.61; γ = 1 / (2 σ²).",
    )  # fmt: skip
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first centres of k-means.")
    left, right, bottom, top = lab.plane.bounds
    sigma = width / 100 * max(right - left, top - bottom)
    run = lab.run(
        algorithm.spectral_clustering,
        lab.plane.X, k, gamma=1 / (2 * sigma**2), rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(draw.coordinates, run, lab.plane, picked_point(lab), code=algorithm)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose nearest point is looked at: at first near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"coordinates": coordinates}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.1).show(MODES)
