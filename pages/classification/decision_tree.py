r"""Decision tree

Ask about one feature at a time, always the question that unmixes the classes most.

## Idea
A decision tree asks questions such as "is $x \le 0.4$?" until it knows enough. Every question cuts
a box of the plane in two, and every **leaf** of the tree is a box that predicts its commonest
class: colour tells which, pale colour that the leaf is still mixed.

Where to cut? The purer the two parts, the better. The [impurity](glossary#impurity) measures how
mixed a set of classes is, and the **gain** of a cut is by how much it lowers the impurity on
average. The tree tries every cut of every feature (the two curves) and, unless told otherwise,
takes the lowest point of the lower curve. That is [greedy](glossary#greedy): it never looks two
questions ahead and never takes a question back.

Cut on and every leaf becomes pure (unless points of two classes coincide), but where classes
overlap the last leaves follow single noisy points: the tree [overfits](glossary#overfitting).
Points that are **held out**, on which it does not grow, tell: their error stops falling, or rises
again, while the training error goes on to nothing. There are two ways out.

- **Stop early**: limit the depth, ask for a least number of points in a leaf or a least gain, or
  test whether the two parts differ by more than chance ([chi-square](glossary#chi-square-test)).
  It is a mistake to think that this test keeps noise out. It is made for a single cut, fixed
  beforehand; of hundreds the best one passes it easily, unless their number is allowed for.
- **Prune**: grow the whole tree, then cut branches off again as long as that does no harm on the
  held-out points.

Another sample, another tree: where two questions are nearly as good, a few points decide which is
asked, and all that follows depends on it. **Resample** grows a tree on one
[bootstrap](glossary#bootstrap) resample of the points after the other. Each is about as good as the
others, and yet they differ; the vote of them all (bagging) is mostly better than a single one.

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

Best first splits the leaf whose best cut lowers the impurity of the whole tree and its $N$ points
most, $\frac nN \, \text{gain}$; depth first splits the latest leaf, the left one of two. Both end
in the same tree. Ties go to the more even cut, then to the first feature, then to the lower
threshold.

The error is the bluntest of the three: a cut that leaves both sides with the commonest class of the
node gains nothing by it, however much purer one of them gets.

**Chi-square test.** If a cut had nothing to do with the classes, both sides would be expected to
have the shares $p_k$ of the node. With $n_{Lk}$ and $n_{Rk}$ points of class $k$ on the left and on
the right, and $K$ classes there,

$$
c = \sum_k \frac{(n_{Lk} - n_L p_k)^2}{n_L p_k} + \sum_k \frac{(n_{Rk} - n_R p_k)^2}{n_R p_k}
$$

would follow about $\chi^2_{K-1}$. The cut is dismissed unless $P(\chi^2_{K-1} \ge c) \le \alpha$.
This is right for a cut fixed beforehand. The cut here is the best of $M$, so $\alpha$ is not the
chance of splitting what is mere noise: with two classes drawn at random for 200 points ($M = 398$)
the root is split in more than 80 % of all cases at $\alpha = 0.05$, and in 31 % at 0.01. Shared
among the cuts ([Bonferroni](glossary#bonferroni-correction)), the condition is
$P(\chi^2_{K-1} \ge c) \le \alpha / M$: noise is
then split in at most a share $\alpha$ of all cases, as far as $\chi^2$ is near the truth, and in
fact in about 1 % at 0.05, for neighbouring cuts are nearly the same test.

**Resampling.** A resample is $N$ draws, with replacement, from the $N$ points: a point is missing
with probability $(1 - \frac1N)^N$, about 37 %. The first question is called another one if it
parts more than a tenth of the points otherwise than that of the tree of all points.

**Reduced-error pruning.** Let $E(u)$ be the held-out errors at and below node $u$, and $E_0(u)$
those if $u$ were a leaf. Cut off the node with the largest $E(u) - E_0(u)$, as long as that is not
negative.

**Description length.** Trees of any kind can be compared by the bits it takes to write down the
tree, and the points it gets wrong ($d$ features, $N$ points, $K$ classes in all):

$$
\text{inner nodes} \cdot \lceil \log_2 d \rceil + \text{leaves} \cdot \lceil \log_2 K \rceil
+ \text{errors} \cdot \lceil \log_2 N \rceil .
$$

**ID3** asks about categories instead: a branch for every value $v$ of an attribute $A$, and

$$
\text{Gain}(S, A) = \text{Entropy}(S) - \sum_v \frac{|S_v|}{|S|} \text{Entropy}(S_v) .
$$

*Sources: CS725 lectures 3 to 7 (3.3, 5, 7.3), CS337, CIS787 (description length), 20APC3316 (ID3,
reduced-error pruning); Quinlan 1986 and 1987; resampling: CS337, Breiman 1996.*

## Try this
- [When to stop](?data=moons&noise=0.5&depth=8&held=50) Half of the points are held out. After how
  many of the 19 splits does the tree do best on them?
  Do: Play and watch the two error curves, then choose Prune and go to the end.
  Answer: After 3: 8 of the 97 held-out points are wrong then. At the end it is 18, though only 1 of
  the 103 training points is: the last splits fence in single points. On most samples a smaller tree
  does better than the whole one. Pruning goes back from 21 leaves to 4, with 8 wrong again.
- [Does a test keep noise out?](?data=moons&noise=0.5&depth=8&alpha=0.05) Without a test this tree
  has 23 splits, most of them around noise. How many are left if the two sides of every cut have to
  differ significantly, at α = 0.05?
  Do: Go to the end, then switch on "Share α among the cuts tried".
  Answer: 13 are left, for P is that of a single cut chosen beforehand, and each cut here is the
  best of up to 398. On labels that are nothing but noise the test lets the root be split in more
  than 80 % of all cases. With α shared among the cuts tried, 3 splits are left.
- [A split that gains nothing](?data=gates&noise=0) Exclusive or: the classes stand in opposite
  corners. What does the first question gain?
  Do: Step on. Then ask for a gain of at least 0.01. Take that back and choose the XOR preset.
  Answer: Nothing: either side is as mixed as before, and only the next questions gain. With a least
  gain the root stays a leaf. On the XOR preset three splits would make the four boxes, but the best
  first cut fences in a few points at an edge: at depth 5, 85 of 200 points are still wrong.
- [A worse first cut](?data=xor) Exclusive or again: the best first cut gains 0.032, and at the end
  85 of 200 points are wrong. What if the first cut were one in the middle, which gains nearly
  nothing?
  Do: Press What if, choose the cut along x and drag its bar to the middle. Then step to the end.
  Answer: It gains only 0.00015, but the next two splits gain all the rest, and no point is wrong.
  Greedy is not optimal: the tree looks at the gain of one cut, never at what the next can make of
  it.
- [Another sample, another tree](?view=Resample) The first question of this tree is whether
  $x \le 1.13$. In how many of 20 resamples of the same points will it be another one?
  Do: Play, and watch the root of the tree; then drag the cross hair about.
  Answer: In 11 of 20: some ask for $x$ near −1, some for $y$. On average 12.9 % of the plane
  changes class, but only 5.7 % of the points: most of the change is where there are few.
- [Play tennis?](?view=ID3) Quinlan's 14 days. Which of the four questions comes first, and why?
  Do: Look for the column in which most answers have a strong colour, then step on.
  Answer: The outlook: it gains 0.247 bits, the humidity 0.152. All overcast days are tennis days,
  so that this answer needs no further question.
"""

from functools import partial
from typing import Any

import numpy as np

from algorithms.classification.trees import decision_tree as growing
from algorithms.classification.trees import id3 as asking
from algorithms.classification.trees import prune as pruning
from algorithms.classification.trees import resampled_trees as resampling
from algorithms.classification.trees.decision_tree import decision_tree
from algorithms.classification.trees.id3 import PLAY_TENNIS, id3
from algorithms.core.splits import held_out
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from pages._shared.what_if import Ways, what_if
from viz.classification.trees import decision_tree_scenes as draw
from viz.classification.trees import id3 as draw_id3
from viz.classification.trees import resampled_trees as draw_resampled
from viz.core.scene import Run

LEVELS = [0.0001, 0.001, 0.01, 0.05, 0.1, 1.0]


def grow(lab: Lab) -> Shown:
    """Split leaf after leaf, on all points or on those that are not held out."""
    data, how = lab.plane, how_to_cut(lab)
    how["order"] = lab.buttons("order", "Order", ["best first", "depth first"], "best first")
    how["max_depth"] = lab.slider("depth", "Depth at most", 1, 8, 5)
    how |= when_to_stop(lab)
    held = points_held_out(lab, 0, 0)
    X, y, query = data.X[~held], data.labels[~held], picked_point(lab)

    def show(**instead: Any) -> Shown:
        run = lab.run(decision_tree, X, y, **how, **instead)
        return lab.scene(draw.grow, run, data, query, held, how, code=growing)

    return what_if(lab, show, partial(another_cut, X, how["min_samples_leaf"]))


def another_cut(X: np.ndarray, least: int, ways: Ways, was: Run, step: int) -> dict[str, Any]:
    """Ask where the leaf whose turn it is is cut instead: along which feature, by a line.

    X : the points that the tree grows on. least : the number of points in a leaf at least. The
    first choice is the best cut of another feature, if there is one.
    """
    split = was.steps[step]
    best = {cut.feature: cut.threshold for cut in split.candidates}
    others = [feature for feature in best if feature != split.chosen.feature]
    names = ways.plane.names
    row = ways.place.container(horizontal=True, vertical_alignment="center", gap="small")
    row.markdown("Cut along", width="content")
    feature = ways.within(row).buttons(
        "feature", "Cut along", list(best), [*others, split.chosen.feature][0],
        format_func=lambda j: names[j], label_visibility="collapsed",
    )  # fmt: skip
    cuts = growing.possible_cuts(split.tree, split.node, X, feature, least)
    box = np.array(ways.plane.bounds)
    middle = np.clip(np.array(split.tree.boxes(2))[:, split.node], box[[0, 2]], box[[1, 3]]).mean(0)
    middle[feature] = best[feature]
    cut = ways.places("cut", "The cut", middle[None], look="line", along="xy"[feature])[0, feature]
    return {"instead": (step, (feature, float(cuts[np.abs(cuts - cut).argmin()])))}


def prune(lab: Lab) -> Shown:
    """Grow a tree on some of the points, then cut it back on the others."""
    data, how = lab.plane, how_to_cut(lab)
    how["max_depth"] = lab.slider("grown", "Depth of the grown tree at most", 1, 10, 10)
    how |= when_to_stop(lab)
    held = points_held_out(lab, 10, 30)
    run = grown = lab.run(decision_tree, data.X[~held], data.labels[~held], **how)
    if not grown.error:
        run = lab.run(pruning.prune, grown.steps[-1].tree, data.X[held], data.labels[held])
    return lab.scene(draw.prune, run, data, picked_point(lab), held, grown, code=pruning)


def resample(lab: Lab) -> Shown:
    """Grow a tree on one resample of the points after the other."""
    data, how = lab.plane, how_to_cut(lab)
    how["max_depth"] = lab.slider("depth", "Depth at most", 1, 8, 5)
    how["min_samples_leaf"] = fewest_in_a_leaf(lab)
    resamples = lab.slider("resamples", "Resamples", 1, 30, 20)
    rng = seeded(lab, "Draws the resamples.")
    run = lab.run(
        resampling.resampled_trees, data.X, data.labels,
        resamples=resamples, rng=rng, growing=how,
    )  # fmt: skip
    return lab.scene(draw_resampled.resample, run, data, picked_point(lab), code=resampling)


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
    """Ask which cut is the best one."""
    return {
        "gain_ratio": by_gain_ratio(lab),
        "criterion": lab.buttons("criterion", "Impurity", ["entropy", "gini", "error"], "entropy"),
    }


def when_to_stop(lab: Lab) -> dict[str, Any]:
    """Ask for the rules, other than the depth, by which a leaf stays a leaf."""
    least, gain = fewest_in_a_leaf(lab), lab.slider("gain", "Gain at least", 0.0, 0.5, 0.0, 0.01)
    level = lab.log_slider("alpha", "Chi-square test at α (1: none)", LEVELS, 1.0)
    shared = level < 1 and lab.toggle("corrected", "Share α among the cuts tried", False)
    return {
        "min_samples_leaf": least,
        "min_gain": gain,
        "significance": level,
        "corrected": shared,
    }


def fewest_in_a_leaf(lab: Lab) -> int:
    """Ask for the least number of points in a leaf."""
    return lab.slider("leaf", "Points in a leaf at least", 1, 50, 1)


def points_held_out(lab: Lab, least: int, default: int) -> np.ndarray:
    """Ask which share of the points is held out, and draw which; every class keeps a point."""
    y = lab.plane.labels
    share = lab.slider("held", "Held-out points, %", least, 60, default)
    if share == 0:
        return np.zeros(len(y), bool)
    return held_out(len(y), share / 100, rng=seeded(lab, "Draws the held-out points."), codes=y)


def seeded(lab: Lab, draws: str) -> np.random.Generator:
    """Ask for a seed. draws : what it decides."""
    return split_rng(lab.number("seed", "Seed", 0, 9999, 0, help=draws))


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point whose way through the tree is shown: at first where there are few others."""
    return picked_place(lab, across=0.7, up=0.8, before="probe")


MODES = {"Grow": grow, "Prune": prune, "Resample": resample, "ID3": ask}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES)
