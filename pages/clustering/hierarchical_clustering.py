r"""Hierarchical clustering

The two nearest clusters become one, again and again; the dendrogram remembers it all.

## Idea
k-means has to be told how many clusters there are. Here nobody has to say: every point begins as a
cluster of its own, then **the two nearest clusters are merged**, and again, until a single one is
left. What was merged, and at what distance, is kept in a tree, the
[dendrogram](glossary#dendrogram): each bracket joins two clusters, and it is as high as they were
far apart.

A **cut** through the tree at some height gives clusters: whatever is joined below the cut belongs
together. Drag the cut and watch the points. A long stretch without a bracket, a large **gap**, is
often a good place for it: what lies below was close together, and the next merge would bridge a
long way.

What "nearest" means for clusters is a choice, the [linkage](glossary#linkage):

- **single**: the distance of the nearest two points, one of each cluster. One close pair is enough,
  so clusters grow along chains of points: around bends, but also over a bridge of noise.
- **complete**: the distance of the farthest two points. Clusters stay compact: below a cut at
  height $h$ no two points of a cluster are more than $h$ apart. A wide cluster is cut into pieces.
- **average**: the mean of all distances between the two, which lies between those of single and of
  complete linkage.
- **ward**: two clusters are the farther apart, the more their merge adds to the
  [inertia](glossary#inertia), the sum of squares that k-means makes small.

A merge is never undone, even if it turns out to be a bad one later.

## Maths
Let $A$ and $B$ be clusters of $|A|$ and $|B|$ points with means $\bar a$ and $\bar b$. The distance
between them is, by linkage,

$$
d_\text{single} = \min_{a \in A,\, b \in B} \lVert a - b \rVert ,
\qquad
d_\text{complete} = \max_{a \in A,\, b \in B} \lVert a - b \rVert ,
$$

$$
d_\text{average} = \frac{1}{|A|\,|B|} \sum_{a \in A} \sum_{b \in B} \lVert a - b \rVert ,
\qquad
d_\text{ward} = \sqrt{\frac{2\,|A|\,|B|}{|A| + |B|}} \; \lVert \bar a - \bar b \rVert .
$$

Ward's $d^2 / 2$ is exactly what the merge adds to the inertia, the sum of the squared distances of
the points to the means of their clusters.

The points are needed only once. What the union is to any other cluster $C$ follows from what its
parts were (Lance and Williams 1967):

$$
d(A \cup B, C) =
\begin{cases}
\min \{ d(A, C),\, d(B, C) \} & \text{single} \\
\max \{ d(A, C),\, d(B, C) \} & \text{complete} \\
\bigl( |A|\, d(A, C) + |B|\, d(B, C) \bigr) / \bigl( |A| + |B| \bigr) & \text{average}
\end{cases}
$$

and with Ward the mean of $A \cup B$ is $(|A|\, \bar a + |B|\, \bar b) / (|A| + |B|)$.

If $A$ and $B$ are each other's nearest, $A \cup B$ is with none of them nearer to $C$ than the
nearer of $A$ and $B$ was. So the heights never fall, and two clusters that are each other's nearest
will be merged sooner or later, whatever happens elsewhere. The program makes use of that: it merges
all such pairs at once and puts the merges in order afterwards, which takes about $n^2$ operations
instead of $n^3$. The merges of single linkage are the edges of the shortest tree that connects all
points, from the shortest to the longest.

*Sources: CS725 lecture 20 (13.6); Ward 1963; Lance and Williams 1967; Gower and Ross 1969;
Murtagh 1983.*

## Try this
- [Around the bend](?data=moons&n=150&noise=0.1&linkage=single) Two moons, bent around each other.
  Which of the four linkages find them?
  Do: Drag the cut until two clusters are left. Then choose the other linkages, and cut again.
  Answer: Only single linkage: its two clusters are the two moons, for it goes from neighbour to
  neighbour. All three others mix the moons.
- [A chain of noise](?data=moons&n=150&noise=0.2&linkage=single) Now the moons are blurred. What is
  in the last two clusters of single linkage?
  Do: Cut into two, then step back from the end. Compare with complete linkage.
  Answer: A single point in one, everything else in the other: a few points between the moons are
  enough to chain them together. Of the last twenty merges eight add a single point. With complete
  linkage it is one.
- [Wide clusters are cut](?data=unequal&n=150&linkage=complete) A wide cluster of 120 points and two
  small ones. Does the wide one stay whole?
  Do: Cut into three. Then choose average linkage.
  Answer: No: complete linkage leaves 76 of them together, average linkage 118. Complete linkage
  looks at the two farthest points, which in a wide cluster are far apart.
- [One far point](?data=outlier&linkage=average) Two groups and one far point. Is it a cluster of
  its own when two are left?
  Do: Cut into two with average linkage, then with Ward.
  Answer: Yes, as it is with single and complete linkage, but not with Ward. One point weighs
  little there: its distance to the nearer group of 29 is multiplied by √(2 · 29 · 1 / 30) ≈ 1.4,
  that between the groups of 30 and 29 by √(2 · 30 · 29 / 59) ≈ 5.4.
- [What k-means finds](?data=blobs&classes=4&n=100&noise=0.6&linkage=ward) Ward merges what costs
  the least inertia. Does it end with less inertia than k-means?
  Do: Cut into four and note the inertia. Then open k-means, with four clusters and k-means++.
  Answer: No: it ends at 62.2, with the very same four clusters as k-means. On other samples the
  inertia of k-means is a little lower, by an eighth at most, because Ward never undoes a merge.
"""

from algorithms.clustering.hierarchical import hierarchical_clustering as algorithm
from algorithms.clustering.hierarchical.dendrogram import LINKAGES
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from viz.clustering import hierarchical_scenes as draw

LINKAGE_HELP = (
    "How far apart two clusters are: their nearest points, their farthest points, the mean of all "
    "distances, or (ward) by how much the merge adds to the inertia."
)


def merging(lab: Lab) -> Shown:
    """Merge the two nearest clusters until there is one."""
    linkage = lab.choice("linkage", "Linkage", LINKAGES, "average", help=LINKAGE_HELP)
    run = lab.run(algorithm.hierarchical_clustering, lab.plane.X, linkage=linkage)
    return lab.scene(draw.merging, run, lab.plane, code=algorithm)


MODES = {"merging": merging}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", n=60, noise=0.5).show(MODES)
