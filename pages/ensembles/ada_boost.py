r"""AdaBoost

Weak learners take turns at the points that are still wrong, and vote: together they are strong.

## Idea
A [stump](glossary#decision-stump) is the smallest tree there is: one question such as "is
$x \le 0.4$?", and a class for either answer. Alone it is weak, though better than tossing a coin.
AdaBoost makes a good classifier out of many such **weak learners**, one a round.

- Every point has a **weight**: the area it is drawn with. At first all weigh the same.
- **Learn**: the stump that parts the *weighted* classes best. Its **weighted error** is the weight
  of all points that it gets wrong (thick outlines).
- **Merit**: the smaller its error, the more its vote counts.
- **Reweight**: the points it got wrong grow, those it got right shrink, until both parts weigh the
  same. The same stump would now be right by half, which is no better than a coin: the next one has
  to find something new.

In the end all learners **vote**, each by its merit. Every stump only cuts the plane in two, but the
votes add up to borders that no single tree of this size could draw. (A cut is chosen for how pure
it makes the parts, so both answers may be the same class. Such a stump has no border: it votes for
one class everywhere, which shifts the balance of the others.)

Drag the cross hair: the bars are the votes of the trees on the point it picks, and their sum
decides.

How sure is the vote of a point? Its [margin](glossary#margin) is the share of the votes for its
class minus the share against it: from −1, all are wrong, to 1, all are right. When no training
point is wrong any more, the points with the smallest margins still weigh most, and the rounds go on
pushing them away from the border. This is how one explains that the error on points **held out** of
the learning often goes on falling, too.

Some runs end early. A learner **no better than chance** has found nothing: it gets no vote. A
**perfect learner** needs nobody beside it: it alone decides. And since AdaBoost never gives a point
up, points with a **wrong label** come to hold much of the weight.

## Maths
The two classes of the $n$ points $x_i$ are $y_i = -1$ and $y_i = +1$, their weights $w_i = \frac1n$
at first. Round $t$ grows a tree $h_t$, which says $-1$ or $+1$: as the decision tree does, by the
cuts that lower the gini impurity $1 - p_-^2 - p_+^2$ most, but with each class's share of the
weight, $p_-$ and $p_+$, in the place of its share of the points. Then

$$
\varepsilon_t = \sum_{i :\, h_t(x_i) \ne y_i} w_i , \qquad
\alpha_t = \frac12 \ln \frac{1 - \varepsilon_t}{\varepsilon_t} , \qquad
w_i \leftarrow \frac{w_i \, e^{-\alpha_t y_i h_t(x_i)}}{Z_t} , \qquad
Z_t = 2 \sqrt{\varepsilon_t (1 - \varepsilon_t)} .
$$

So wrong points are multiplied by $\frac{1}{2 \varepsilon_t}$ and right ones by
$\frac{1}{2 (1 - \varepsilon_t)}$. The vote and the margin of a point are

$$
F_t(x) = \sum_{s \le t} \alpha_s h_s(x) , \quad \text{class } +1 \text{ where } F_t(x) > 0 ;
\qquad
\text{margin}_i = \frac{y_i F_t(x_i)}{\sum_{s \le t} \alpha_s} .
$$

**Why this $\alpha$?** AdaBoost lowers the exponential loss, one tree at a time:

$$
L(F_t) = \frac1n \sum_i e^{-y_i F_t(x_i)} = \prod_{s \le t} Z_s .
$$

With $h_t$ found, $\alpha_t$ is where $L$ is least. A wrong point has $y_i F_t(x_i) \le 0$ and adds
at least $\frac1n$ to $L$: so $L$ is a **bound** on the training error. If every learner is better
than chance by some $\gamma$, $\varepsilon_t \le \frac12 - \gamma$, the bound is at most
$(1 - 4 \gamma^2)^{t/2}$: it falls exponentially, however weak the learners are.

**The ends.** $\varepsilon_t \ge \frac12$: then $\alpha_t = 0$. $\varepsilon_t = 0$: then $\alpha_t$
would be infinite; here it is 1 more than all before it together, so that this tree alone decides.

**Ties.** Equal cuts: the first feature, then the lower threshold. Equal weights in a leaf, or
$F_t(x) = 0$: the first class.

*Sources: CIS787 (AdaBoost); Freund and Schapire 1997; margins: Schapire, Freund, Bartlett and
Lee 1998.*

## Try this
- [A ring out of straight cuts](?data=circles&noise=0.15) The first stump gets about a third of the
  points wrong. How many rounds does the vote need until no training point is wrong?
  Do: Go to the next event, then step back and forth and watch the dashed line.
  Answer: 10 rounds here, and on other samples hardly ever more than 20. Every other stump says the
  outer class either way: a cut that takes a sliver off the ring votes for the inner class on all
  the rest, and these take that back.
- [No better than chance](?data=xor&held=0) Exclusive or: what can fifty stumps do about it, and
  what can trees of depth 2 do?
  Do: Go to the end, then choose depth 2. Then take the preset Logic gates with noise 0, and stumps.
  Answer: Stumps leave a quarter of the points wrong or more, and the bound hardly falls; trees of
  depth 2 leave none wrong. On the logic gate each stump is right by half, no better than chance,
  and the run ends in round 1; there the very first tree of depth 2 is perfect.
- [After the last mistake](?data=spirals&depth=3&rounds=100) Round 5 is the first without a wrong
  training point. Are the 95 rounds after it in vain?
  Do: Go to the next event, then to the end. Compare the smallest margin and the held-out error.
  Answer: No: the smallest margin grows from 0.09 to 0.35, and the held-out error falls from 7.3 %
  to 3.6 %.
- [Three wrong labels](?data=almost%20separable&held=0) Three of the 100 points have the wrong
  class. Where are they?
  Do: Go to round 10 (step 9) and look for the largest points.
  Answer: They are the three largest of all, with a third of all the weight: the rounds never give
  them up.
- [Too much of it](?data=moons&n=400&noise=0.7&depth=2&held=50&rounds=200) Much noise, and trees
  that can fence single points in: the training error falls to 1 %. Where is the held-out error
  lowest?
  Do: Look at the error curves, then play.
  Answer: In the first rounds, at 15.8 %; in the last it is 25.5 %. On most samples it is higher
  after 200 rounds than after 10.
"""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles import ada_boost as algorithm
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from viz.ensembles import ada_boost_scenes as draw


def boosting(lab: Lab) -> Shown:
    """Grow a tree a round, on points that are held in."""
    rounds = lab.slider("rounds", "Rounds", 1, 200, 50)
    depth = lab.slider("depth", "Depth of the trees", 1, 3, 1, help="Trees of depth 1 are stumps.")
    share = lab.slider("held", "Held-out points, %", 0, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    run = lab.run(algorithm.ada_boost, X[~held], y[~held], rounds=rounds, max_depth=depth)
    sums = lab.later(algorithm.account, run, X[held], y[held])
    return lab.scene(draw.boosting, run, lab.plane, held, sums, picked_point(lab), code=algorithm)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point on which every tree's vote is shown: at first where there are few others."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"boosting": boosting}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES)
