r"""EM for mixtures

Share every point out among the components, fit each component to its shares, and again.

## Idea
The points are thought to come from a few **components**, each a [Gaussian](glossary#gaussian): a
hill with elliptic contours, drawn at 1 and 2 standard deviations (of six or more only at 1). Which
point came from which one is hidden. If it were known, every component could be fitted to its own
points. If the components were known, it could be said how probable each of them is for a point. EM
takes the two half-steps in turn:

- **Expectation**: every point is *shared out*. Its [responsibilities](glossary#responsibility) say
  how much of it belongs to each component; they are the blend of its colour, and a small pie where
  the points are few.
- **Maximization**: every component moves to the weighted mean of its shares and takes their spread
  and their weight. The dotted ellipse is where it was.

What rises is the [log-likelihood](glossary#log-likelihood): how probable the points are, as a
logarithm. It is the sum of a [lower bound](glossary#lower-bound) and of a gap,
[KL](glossary#kl-divergence), which says how far the shares are from the right ones. The expectation
closes the gap, the maximization lifts the bound, and the log-likelihood with it. So it never falls
(but for the floor, see below); but it ends on a summit, not always the highest.

**One parameter.** If all is held but one number, the log-likelihood is a curve and the bound
another one that touches it from below. EM jumps to the summit of the bound, draws a new bound that
touches the curve there, and jumps again. It never passes a place that is lower than where it is, so
of two summits it can end on the lower one.

**Collapse.** A component with a covariance of its own that shrinks onto a single point makes that
point as probable as it likes: the likelihood has no maximum. The **floor**, a share of the variance
of the data that is added to every variance, holds it.

**Choosing k.** The likelihood always likes more components. [BIC](glossary#bic) charges for every
number that is estimated; [held-out](glossary#held-out-points) likelihood asks points that were not
fitted. Where that curve leaves the picture, a collapsed component was sure that there are no other
points. As a single run can end on a poor summit, every k from 2 on gets **ten starts**, k-means and
random ones in turn, and the best is kept. Ten can still be too few.

**Soft k-means** is the bridge to k-means: round components, all of one size that is given by the
[stiffness](glossary#stiffness) β. With a large β every point belongs to its nearest centre alone.

**Words.** EM needs no Gaussians. A document is a row of word counts, a topic says how probable each
word is, and the same two half-steps sort the documents by topic. In this mixture every document has
one topic, of which EM may be unsure. (Models in which each *word* of a document may have another
topic, such as latent Dirichlet allocation, are different ones.)

## Maths
A point has the density $p(x) = \sum_k \pi_k N(x; \mu_k, \Sigma_k)$. For any responsibilities
$q_{ik} \ge 0$ with $\sum_k q_{ik} = 1$ the log-likelihood is

$$
\sum_i \ln p(x_i) = \underbrace{\sum_{ik}
q_{ik} \ln \frac{\pi_k N(x_i; \mu_k, \Sigma_k)}{q_{ik}}}_{\text{lower bound}}
+ \underbrace{\sum_{ik} q_{ik} \ln \frac{q_{ik}}{r_{ik}}}_{\text{KL} \,\ge\, 0} ,
\qquad r_{ik} = \frac{\pi_k N(x_i; \mu_k, \Sigma_k)}{\sum_l \pi_l N(x_i; \mu_l, \Sigma_l)} .
$$

**Expectation**: $q \leftarrow r$, so that $\text{KL} = 0$. **Maximization**, with
$n_k = \sum_i q_{ik}$, the floor $\lambda$, and $s^2$ the mean variance of the two columns:

$$
\pi_k \leftarrow \frac{n_k}{n} , \qquad \mu_k \leftarrow \frac{1}{n_k} \sum_i q_{ik}\, x_i , \qquad
\Sigma_k \leftarrow \frac{1}{n_k} \sum_i q_{ik} (x_i - \mu_k)(x_i - \mu_k)^\top + \lambda s^2 I .
$$

*Tied* covariances are averaged over the components, weighted by $n_k$; *diagonal* ones keep the
variances only; *spherical* ones are their mean times $I$. One of each half-step costs $O(nk)$ in
the plane. As a share of $s^2$, the floor does not depend on the unit of the data. Where a component
is about as small as the floor, it can lower the log-likelihood; the caption says so.

**One parameter**: two components of weight $\frac12$ and covariance $\sigma^2 I$; only $m$, the
first coordinate of $\mu_1$, is estimated. The bound is a parabola,

$$
B(m) = B(m^*) - \frac{\sum_i q_{i1}}{2 \sigma^2} (m - m^*)^2 ,
\qquad m \leftarrow m^* = \frac{\sum_i q_{i1} x_{i1}}{\sum_i q_{i1}} .
$$

$\text{BIC} = -2 \ln L + a \ln n$ with the $a$ numbers estimated and $\ln L$ the log-likelihood, the
lower the better. Held-out: three folds, each left out of the fit once.

**Soft k-means**, with the squared distances $d_{ij}^2 = \lVert x_i - c_j \rVert^2$, lowers the
[free energy](glossary#free-energy)
$F = \sum_{ij} r_{ij} d_{ij}^2 + \frac1\beta \sum_{ij} r_{ij} \ln r_{ij}$:

$$
r_{ij} \leftarrow \frac{e^{-\beta d_{ij}^2}}{\sum_l e^{-\beta d_{il}^2}} ,
\qquad c_j \leftarrow \frac{\sum_i r_{ij}\, x_i}{\sum_i r_{ij}} .
$$

It is EM with equal weights and $\Sigma = I / (2\beta)$, and k-means as $\beta \to \infty$. Below
the critical $\beta = 1 / (2 s_1^2)$, $s_1^2$ the largest variance in any direction, the solution
with all centres (two or more) on the mean is stable, above it is not. So below it the centres merge
as a rule; but another solution can be stable, too: a far outlier may keep a centre.

**Words**: document $i$ has the word $w$ $T_{iw}$ times, topic $k$ draws it with probability
$\delta_{kw}$:

$$
q_{ik} \leftarrow
\frac{\pi_k \prod_w \delta_{kw}^{T_{iw}}}{\sum_l \pi_l \prod_w \delta_{lw}^{T_{iw}}} ,
\qquad \delta_{kw} \leftarrow \frac{\sum_i q_{ik} T_{iw}}{\sum_{i,w'} q_{ik} T_{iw'}} ,
\qquad \pi_k \leftarrow \frac1n \sum_i q_{ik} .
$$

*Sources: CS725 lectures 17–18 (12.1–12.2), CPSC340 (EM), CS337 (soft k-means); Dempster, Laird and
Rubin 1977; Neal and Hinton 1998; Schwarz 1978.*

## Try this
- [How many components?](?view=choosing+k&data=stretched&covariance=full) The points are three long
  clusters. Does BIC find three? And with round components?
  Do: Step to three and read the caption. Then choose tied covariances, then spherical ones.
  Answer: Yes: BIC is 1071 for three, and the log-likelihood alone would go on rising. Tied ones
  need 11 numbers in place of 17 and have 1046, for these clusters are of one shape. Spherical ones
  are as round as the clusters of k-means: BIC picks four of them, at 1179, and none is a cluster.
- [Collapse](?data=outlier&init=random&seed=4&floor=1e-06) One component has the far point nearly to
  itself. How small can it get?
  Do: Jump to the event. Then raise the floor to 0.1, and lower it to 0. Then take seed 0.
  Answer: As small as the floor allows: its standard deviation is 0.001 of that of all points. With
  0.1 it stays round and wide. With 0 the run ends, the density is infinite. With seed 0 and the
  first floor it takes a second point, too, and shrinks onto the line through both.
- [Two wrong halves](?data=parallel&k=2&init=k-means) k-means has cut the two long clusters across,
  and EM starts from there. Does it find the clusters? What if one mean were elsewhere?
  Do: Step to the end, press What if and drag one of the means into the middle of a cluster, such as
  (0, 0.5). Then step on.
  Answer: It converges on the wrong halves, at a log-likelihood of −466.7: a local maximum, from any
  of the seeds 0 to 9. From the mean that was dragged it goes on to the clusters, at −354.4.
- [Two summits](?view=one+parameter&data=stretched) Only m may change. Does EM find the highest
  place of the curve?
  Do: Step to the end and watch the bound. Then drag 1 to the right of 2.
  Answer: No: it ends at m = −0.86 with a log-likelihood of −902.8, on the summit next to its
  start. From the right it ends near 1.04, with −884.4. The bound knows the curve only near where it
  touches it.
- [The bridge to k-means](?view=soft+k-means&data=blobs&k=3&beta=0.8) Three centres share all points
  out. Do they stay apart?
  Do: Step to the end. Then turn β up. Last, take “A far outlier”, k = 2, β = 0.8 and seed 29.
  Answer: No: below the critical β they merge on the mean. Above it they part, and for a very large
  β every point has one colour, as in k-means. But with the outlier, also below the critical β, the
  far point keeps a centre.
- [Topics](?view=words&k=3) “rained off” has 5 words of sport and 7 of weather. Does it belong to
  both topics?
  Do: Step to the end and look at its bar.
  Answer: No: its share of the weather is above 0.999. A topic in whose documents “wind” never
  stands is ruled out by a single “wind”. No document belongs to two.
"""

from copy import deepcopy
from typing import Any

import numpy as np

from algorithms.clustering.mixtures import gaussian_mixture as gaussians
from algorithms.clustering.mixtures import mixture_choice as choosing
from algorithms.clustering.mixtures import multinomial_mixture as multinomials
from algorithms.clustering.mixtures import one_mean as climbing
from algorithms.clustering.mixtures import soft_k_means as soft
from algorithms.data.headlines import HEADLINES
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.start_choice import choose_start, moved_to
from pages._shared.what_if import Ways, seen, what_if
from viz.clustering.mixtures import gaussian_mixture_scenes as draw
from viz.clustering.mixtures import mixture_choice as draw_choice
from viz.clustering.mixtures import multinomial_mixture as draw_words
from viz.clustering.mixtures import one_mean as draw_climbing
from viz.clustering.mixtures import soft_k_means as draw_soft
from viz.clustering.mixtures.gaussian_mixture_words import Settings
from viz.core.scene import Run

FLOORS = [0.0, 1e-6, 1e-4, 0.001, 0.01, 0.1, 1.0]
STIFFNESSES = [0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0]
MOST, STARTS, FOLDS = 8, 10, 3  # components among which k is chosen; runs for each; parts held out
TOL = 1e-5  # of the log-likelihood per point: the last steps show nothing new


def mixture(lab: Lab) -> Shown:
    """Fit Gaussians."""
    X = lab.plane.X
    k, rng = how_many(lab, "Components k")
    start, init = choose_start(lab, "Start", "k-means", k)
    covariance, floor = shape(lab)
    settings, query = Settings(start, covariance, floor, TOL), picked_point(lab)

    def show(**how: Any) -> Shown:
        run = lab.run(
            gaussians.gaussian_mixture, X, k, rng=deepcopy(rng), covariance=covariance,
            init=init, max_iter=100, tol=TOL, floor=floor, **how,
        )  # fmt: skip
        data = seen(lab.plane, **how)
        return lab.scene(draw.mixture, run, data, query, settings, code=gaussians)

    return what_if(lab, show, move_means, after=True, points=True)


def move_means(ways: Ways, was: Run, step: int) -> dict[str, Any]:
    """Ask where the means are put by hand; weights and covariances stay."""
    return moved_to(ways, step, was.steps[step - 1].means)


def one_parameter(lab: Lab) -> Shown:
    """Hold all but one number: the log-likelihood is a curve, and the bound touches it."""
    left, right, bottom, top = lab.plane.bounds
    middle = (bottom + top) / 2
    default = np.array([[0.75 * left + 0.25 * right, middle], [(left + right) / 2, middle]])
    means = lab.places("means", "Mean 1 at the start, mean 2", default)
    width = lab.slider("width", "Width σ, of the data's spread", 0.1, 1.0, 0.5, 0.05)
    run = lab.run(climbing.one_mean, lab.plane.X, means=means, width=width)
    return lab.scene(draw_climbing.climbing, run, lab.plane, width, code=climbing)


def choosing_k(lab: Lab) -> Shown:
    """Fit every number of components, from several starts each."""
    X = lab.plane.X
    covariance, floor = shape(lab)
    ks = list(range(1, min(MOST, len(X) - -(-len(X) // FOLDS)) + 1))
    run = lab.run(
        choosing.mixture_choice, X, ks, rng=np.random.default_rng(0),
        covariance=covariance, floor=floor, starts=STARTS, folds=FOLDS, tol=1e-3,
    )  # fmt: skip
    return lab.scene(draw_choice.choosing_k, run, lab.plane, STARTS, FOLDS, code=choosing)


def soft_k_means(lab: Lab) -> Shown:
    """Share the points out among round components of one size."""
    X = lab.plane.X
    k, rng = how_many(lab, "Components k")
    start, init = choose_start(lab, "Start", "k-means++", k)
    multiple = lab.log_slider("beta", "Stiffness β / critical β", STIFFNESSES, 3.0)
    stiffness = lab.later(soft.times_critical, X, multiple)
    run = lab.run(soft.soft_k_means, X, k, rng=rng, init=init, stiffness=stiffness)
    return lab.scene(draw_soft.soft_k_means, run, lab.plane, start, multiple, code=soft)


def words(lab: Lab) -> Shown:
    """Sort documents by topic."""
    table = HEADLINES
    k, rng = how_many(lab, "Topics k")
    run = lab.run_apart(multinomials.multinomial_mixture, table.counts, k, rng=rng)
    return lab.scene(draw_words.documents, run, table, code=multinomials)


def how_many(lab: Lab, label: str) -> tuple[int, np.random.Generator]:
    """Ask for the number of groups, and for the seed that their start is drawn with."""
    k = lab.slider("k", label, 1, 8, 3)
    seed = lab.number("seed", "Seed", 0, 9999, 1, help="Draws the start.")
    return k, np.random.default_rng(seed)


def shape(lab: Lab) -> tuple[str, float]:
    """Ask what the covariances may be, and for the floor that holds them."""
    covariance = lab.choice("covariance", "Covariances", list(gaussians.SHAPES), "full")
    floor = lab.log_slider(
        "floor", "Floor λ, share of the variance", FLOORS, 1e-6,
        help="Of the mean variance of the two columns; added to every variance.",
    )  # fmt: skip
    return covariance, floor


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point that is seen shared out: at first off the middle."""
    return picked_place(lab, across=0.7, up=0.65)


MODES = {
    "mixture": mixture,
    "one parameter": one_parameter,
    "choosing k": choosing_k,
    "soft k-means": soft_k_means,
    "words": words,
}

if __name__ == "__main__":
    open_lab(__file__, data="stretched").show(MODES)
