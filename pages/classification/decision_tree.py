r"""Decision tree

Ask about one feature at a time, always the question that unmixes the classes most.

## Idea
A decision tree asks questions such as "is $x \le 0.4$?" until it knows enough. Every question cuts
a box of the plane in two, and every **leaf** of the tree is a box that predicts its commonest
class: colour tells which, pale colour that the leaf is still mixed.

Where to cut? The purer the two parts, the better. The **impurity** measures how mixed a set of
classes is, and the **gain** of a cut is by how much it lowers the impurity on average. The tree
tries every cut of every feature (the two curves) and takes the lowest point of the lower curve.
That is greedy: it never looks two questions ahead and never takes a question back.

Cut on and every leaf becomes pure, but then the last leaves follow single noisy points: the tree
**overfits**. There are two ways out.

- **Stop early**: limit the depth, ask for a least number of points in a leaf or a least gain, or
  test whether the two parts differ by more than chance (chi-square). That test is made for a single
  cut; of hundreds the best one passes it easily, unless their number is allowed for.
- **Prune**: grow the whole tree, then cut branches off again as long as that does no harm on
  **held-out points**, which the tree has not seen.

The way from the root to a leaf is a chain of conditions, so a tree is also a list of **rules**: a
class is predicted if one *or* the other of its leaves' conditions holds, each being this *and*
that *and* that. Drag the cross hair to see which rule decides about the point it picks.

## Maths
With the shares $p_1, \dots, p_K$ of the classes at a node, its impurity is

$$
\text{entropy } -\sum_k p_k \log_2 p_k, \qquad
\text{gini } 1 - \sum_k p_k^2, \qquad \text{error } 1 - \max_k p_k .
$$

A cut $x_j \le t$ sends $n_L$ of the $n$ points to the left and $n_R$ to the right. Its gain, never
negative as all three are concave, and its gain ratio are

$$
\text{gain}(j, t) = \text{Imp} - \frac{n_L}{n} \text{Imp}_L - \frac{n_R}{n} \text{Imp}_R ,
\qquad
\frac{\text{gain}(j, t)}
{-\frac{n_L}{n} \log_2 \frac{n_L}{n} - \frac{n_R}{n} \log_2 \frac{n_R}{n}} .
$$

Best first splits the leaf whose best cut lowers the impurity of the whole tree most,
$\frac nN \, \text{gain}$; depth first splits the latest leaf, the left one of two. Both end in the
same tree. Ties go to the more even cut, then to the first feature, then to the lower threshold.

**Chi-square test.** If a cut had nothing to do with the classes, both sides $S$ would be expected
to have the shares $\mu_k$ of the node, and with $K$ classes there

$$
t_s = \sum_{S \in \{L, R\}} \sum_k \frac{(n_{Sk} - n_S \mu_k)^2}{n_S \mu_k}
$$

would follow about $\chi^2_{K-1}$. The cut is dismissed unless $P(\chi^2_{K-1} \ge t_s) \le \alpha$.
This is right for a cut fixed beforehand. The cut here is the best of $M$, so $\alpha$ is not the
chance of splitting what is mere noise: with two classes drawn at random for 200 points ($M = 398$)
the root is split in more than 80 % of all cases at $\alpha = 0.05$, and in 31 % at 0.01. Shared
among the cuts (Bonferroni), the condition is $P(\chi^2_{K-1} \ge t_s) \le \alpha / M$: noise is
then split in at most a share $\alpha$ of all cases, as far as $\chi^2$ is near the truth, and in
fact in about 1 % at 0.05, for neighbouring cuts are nearly the same test.

**Reduced-error pruning.** Let $E(v)$ be the held-out errors at and below node $v$, and $L(v)$
those if $v$ were a leaf. Cut off the node with the largest $E(v) - L(v)$, as long as that is not
negative.

**Description length.** Trees of any kind can be compared by the bits it takes to write down the
tree, and the points it gets wrong ($m$ features, $n$ points):

$$
\text{inner nodes} \cdot \lceil \log_2 m \rceil + \text{leaves} \cdot \lceil \log_2 K \rceil
+ \text{errors} \cdot \lceil \log_2 n \rceil .
$$

**ID3** asks about categories instead: a branch for every value $v$ of an attribute $A$, and

$$
\text{Gain}(S, A) = \text{Entropy}(S) - \sum_v \frac{|S_v|}{|S|} \text{Entropy}(S_v) .
$$

*Sources: CS725 lectures 3 to 7 (3.3, 5, 7.3), CS337, CIS787 (description length), 20APC3316 (ID3,
reduced-error pruning); Quinlan 1986 and 1987.*

## Try this
- [Overfitting](?data=moons&noise=0.5&depth=8) Step to the end: the last splits fence in single
  points. Which stopping rule would have prevented them? Try 5 points in a leaf. Then a chi-square
  test at 0.05: it lets through 13 of the 23 splits. Share α among the cuts: 3 are left.
- [Prune what was overfitted](?view=Prune&data=moons&noise=0.5) The dotted lines are from
  growing: the training error falls to nothing, the held-out error does not. Pruning goes back.
- [A split that gains nothing](?data=gates&noise=0) Exclusive or: the first cut leaves both sides as
  mixed as before, only the next ones gain. Ask for a gain of at least 0.01: the root stays a leaf.
  Take that back and choose the XOR preset. Three splits would make the four boxes, but the best
  first cut fences in a few points at an edge: at depth 5, 85 of 200 points are still wrong.
- [The error is blind](?data=blobs&classes=3&noise=0.6&criterion=error) The marked steps lower no
  error at all. Look at the flat stretches of the curves, then choose the entropy.
- [Play tennis?](?view=ID3) The textbook table: which question comes first, and why?
"""

from typing import Any

import numpy as np

from algorithms.classification.trees import decision_tree as growing
from algorithms.classification.trees import id3 as asking
from algorithms.classification.trees import prune as pruning
from algorithms.classification.trees.decision_tree import decision_tree
from algorithms.classification.trees.id3 import PLAY_TENNIS, id3
from algorithms.classification.trees.prune import grow_and_prune
from algorithms.core.splits import held_out
from pages._shared.lab import Lab, Shown, open_lab
from viz.classification.trees import decision_tree_scenes as draw
from viz.classification.trees import id3 as draw_id3

LEVELS = [0.0001, 0.001, 0.01, 0.05, 0.1, 1.0]


def grow(lab: Lab) -> Shown:
    """Split leaf after leaf."""
    data, cuts = lab.plane, how_to_cut(lab)
    depth = lab.slider("depth", "Depth at most", 1, 8, 5)
    limits = when_to_stop(lab)
    probe = picked_point(lab)
    run = lab.run(decision_tree, data.X, data.labels, max_depth=depth, **cuts, **limits)
    return lab.scene(draw.grow, run, data, probe, cuts["criterion"], cuts["order"], code=growing)


def prune(lab: Lab) -> Shown:
    """Grow a tree on some of the points, then cut it back on the others."""
    data, cuts = lab.plane, how_to_cut(lab)
    depth = lab.slider("grown", "Depth of the grown tree at most", 1, 10, 10)
    how = {"max_depth": depth} | cuts | when_to_stop(lab)
    probe = picked_point(lab)
    share = lab.slider("held", "Held-out points, %", 10, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    # A stream of its own: the one that drew the points would hold out a part of the shape.
    held = held_out(len(data.X), share / 100, rng=np.random.default_rng([seed, 1]))
    run = lab.run(grow_and_prune, data.X, data.labels, held, growing=how)
    grown = lab.run(decision_tree, data.X[~held], data.labels[~held], **how)
    return lab.scene(draw.prune, run, data, probe, held, grown, code=pruning)


def ask(lab: Lab) -> Shown:
    """Ask about categories (ID3); the points on the board are not used."""
    ratio = by_gain_ratio(lab)
    day = lab.slider("day", "Day to follow", 1, len(PLAY_TENNIS.labels), 1)
    run = lab.run_apart(id3, PLAY_TENNIS, gain_ratio=ratio)
    return lab.scene(draw_id3.ask, run, PLAY_TENNIS, day, code=asking)


def by_gain_ratio(lab: Lab) -> bool:
    """Ask what cuts, or questions, are compared by."""
    return lab.toggle("ratio", "Compare by gain ratio", False)


def how_to_cut(lab: Lab) -> dict[str, Any]:
    """Ask which cut is the best one, and which leaf is next."""
    return {
        "gain_ratio": by_gain_ratio(lab),
        "criterion": lab.buttons("criterion", "Impurity", ["entropy", "gini", "error"], "entropy"),
        "order": lab.buttons("order", "Order", ["best first", "depth first"], "best first"),
    }


def when_to_stop(lab: Lab) -> dict[str, Any]:
    """Ask for the rules, other than the depth, by which a leaf stays a leaf."""
    return {
        "min_samples_leaf": lab.slider("leaf", "Points in a leaf at least", 1, 50, 1),
        "min_gain": lab.slider("gain", "Gain at least", 0.0, 0.5, 0.0, 0.01),
        "significance": lab.log_slider(
            "alpha", "Chi-square test at level α (1: none)", LEVELS, 1.0
        ),
        "corrected": lab.toggle("corrected", "Share α among the cuts tried", False),
    }


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point whose way through the tree is shown: at first near the middle."""
    left, right, bottom, top = lab.plane.bounds
    start = np.array([[0.6 * left + 0.4 * right, 0.4 * bottom + 0.6 * top]])
    return lab.places("probe", "Picked point", start, look="query")[0]


open_lab(__file__, data="moons", noise=0.3).show({"Grow": grow, "Prune": prune, "ID3": ask})
