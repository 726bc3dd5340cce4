r"""EM for mixtures

Share every point out among the components, fit each component to its shares, and again.

## Idea
The points are thought to come from a few **components**, each a Gaussian: a hill with elliptic
contours, drawn at 1 and 2 standard deviations (of six or more only at 1). Which point came from
which one is hidden. If it were known, every component could be fitted to its own points. If the
components were known, it could be said how probable each of them is for a point. EM takes the two
half-steps in turn:

- **Expectation**: every point is *shared out*. Its **responsibilities** say how much of it belongs
  to each component; they are the blend of its colour, and a small pie where the points are few.
- **Maximization**: every component moves to the weighted mean of its shares and takes their spread
  and their weight. The dotted ellipse is where it was.

What rises is the **log-likelihood**: how probable the points are. It is the sum of a **lower
bound** and of a gap, **KL**. The expectation closes the gap, the maximization lifts the bound, and
the log-likelihood with it. So it never falls; but it ends on the nearest summit, not always the
highest.

**Collapse.** A component that shrinks onto a single point makes that point as probable as it likes:
the likelihood has no maximum. The **floor**, added to every variance, holds it.

**How many components?** The likelihood always likes more. *BIC* charges for every number that is
estimated; *held-out* likelihood asks points that were not fitted. Where that curve leaves the
picture, a collapsed component was sure that there are no other points. Each k is tried from **one**
k-means start, so for some k the curves can be stuck on a poor summit. With the default data and
three components the run that is shown ends with a BIC of 1071; the curve has 1160 there, and so
picks four.

**Soft k-means** is the bridge to k-means: round components, all of one size that is given by the
**stiffness** β. With a large β every point belongs to its nearest centre alone.

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
$n_k = \sum_i q_{ik}$ and the floor $\lambda$:

$$
\pi_k \leftarrow \frac{n_k}{n} , \qquad \mu_k \leftarrow \frac{1}{n_k} \sum_i q_{ik}\, x_i , \qquad
\Sigma_k \leftarrow \frac{1}{n_k} \sum_i q_{ik} (x_i - \mu_k)(x_i - \mu_k)^\top + \lambda I .
$$

*Tied* covariances are averaged over the components, weighted by $n_k$; *diagonal* ones keep the
variances only; *spherical* ones are their mean times $I$. One of each half-step costs $O(nkd^2)$.
The floor can lower the log-likelihood of a component about as small as itself; the caption says so.

$\text{BIC} = -2 \ln L + p \ln n$ with the $p$ numbers estimated, the lower the better. Held-out:
three folds, each left out of the fit once.

**Soft k-means**, with the squared distances $d_{ij}^2 = \lVert x_i - c_j \rVert^2$, lowers the free
energy $F = \sum_{ij} r_{ij} d_{ij}^2 + \frac1\beta \sum_{ij} r_{ij} \ln r_{ij}$:

$$
r_{ij} \leftarrow \frac{e^{-\beta d_{ij}^2}}{\sum_l e^{-\beta d_{il}^2}} ,
\qquad c_j \leftarrow \frac{\sum_i r_{ij}\, x_i}{\sum_i r_{ij}} .
$$

It is EM with equal weights and $\Sigma = I / (2\beta)$, and k-means as $\beta \to \infty$. Below
the critical $\beta = 1 / (2v)$, $v$ the largest variance in any direction, the solution with all
centres on the mean is stable, above it is not. So below it the centres merge as a rule; but another
solution can be stable, too: a far outlier may keep a centre.

**Words**: document $i$ has the word $w$ $T_{iw}$ times, topic $k$ draws it with probability
$\delta_{kw}$:

$$
q_{ik} \leftarrow
\frac{\pi_k \prod_w \delta_{kw}^{T_{iw}}}{\sum_l \pi_l \prod_w \delta_{lw}^{T_{iw}}} ,
\qquad \delta_{kw} \leftarrow \frac{\sum_i q_{ik} T_{iw}}{\sum_{i,v} q_{ik} T_{iv}} ,
\qquad \pi_k \leftarrow \frac1n \sum_i q_{ik} .
$$

*Sources: CS725 lectures 17–18 (12.1–12.2), CPSC340 (EM), CS337 (soft k-means); Dempster, Laird and
Rubin 1977; Neal and Hinton 1998; Schwarz 1978.*

## Try this
- [What k-means cannot do](?data=stretched&covariance=full) Long clusters are found as they are.
  Then choose spherical: the components are as round as those of k-means. Which shapes need fewer
  numbers?
- [Collapse](?data=outlier&init=random&seed=4&floor=1e-06) One component takes the far
  point for itself and shrinks onto it: jump to that event. Then raise the floor to 0.1: the
  component stays round and wide. Lower it to 0: the run ends, the density is infinite. With seed 0
  it takes a second point, too, and shrinks onto the line through both.
- [A poor summit](?data=blobs&classes=4&noise=0.4&k=4&init=random&seed=3) One component covers
  two blobs, and another is left with six points. Change the seed and compare where the
  log-likelihood ends: −516 here, −466 with seeds 0, 1, 2 and 4.
- [The bridge to k-means](?view=soft k-means&data=blobs&k=3&beta=0.8) The centres merge on the
  mean. Turn β up: first they part, and in the end every point has one colour. Then take the data
  “A far outlier” with two centres, β = 0.8 and seed 29: below the critical β, and still the far
  point keeps a centre.
- [Topics](?view=words&k=3) Which words make a topic? Which document belongs to two? None: “rained
  off” has 5 words of sport and 7 of weather, and yet its share of the weather is above 0.999: a
  topic in whose documents “wind” never stands is ruled out by a single “wind”.
"""

import numpy as np

from algorithms.clustering.mixtures import gaussian_mixture as gaussians
from algorithms.clustering.mixtures import multinomial_mixture as multinomials
from algorithms.clustering.mixtures import soft_k_means as soft
from algorithms.clustering.mixtures.mixture_choice import mixture_choice
from algorithms.data.headlines import HEADLINES
from pages._shared.lab import Lab, Shown, open_lab
from pages._shared.start_choice import choose_start
from viz.clustering.mixtures import gaussian_mixture_scenes as draw
from viz.clustering.mixtures import multinomial_mixture as draw_words
from viz.clustering.mixtures import soft_k_means as draw_soft
from viz.clustering.mixtures.gaussian_mixture_words import Settings

FLOORS = [0.0, 1e-6, 1e-4, 0.001, 0.01, 0.1, 1.0]
STIFFNESSES = [0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0]
MOST, FOLDS = 8, 3  # components among which k is chosen, and parts of the points
TOL = 1e-5  # of the log-likelihood per point: the last steps show nothing new


def mixture(lab: Lab) -> Shown:
    """Fit Gaussians."""
    X = lab.plane.X
    k, rng = how_many(lab, "Components k")
    start, init = choose_start(lab, "Start", "k-means", k)
    covariance = lab.buttons("covariance", "Covariance", list(gaussians.SHAPES), "full")
    floor = lab.log_slider("floor", "Floor λ of the variances", FLOORS, 1e-6)
    run = lab.run(
        gaussians.gaussian_mixture, X, k,
        rng=rng, covariance=covariance, init=init, max_iter=100, tol=TOL, floor=floor,
    )  # fmt: skip
    ks = list(range(1, min(MOST, len(X) - -(-len(X) // FOLDS)) + 1))
    choices = lab.run(
        mixture_choice, X, ks,
        rng=np.random.default_rng(0), covariance=covariance, floor=floor, folds=FOLDS, tol=1e-3,
    )  # fmt: skip
    settings = Settings(start, covariance, floor, TOL, FOLDS)
    return lab.scene(draw.mixture, run, lab.plane, choices, settings, code=gaussians)


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


open_lab(__file__, data="stretched").show(
    {"mixture": mixture, "soft k-means": soft_k_means, "words": words}
)
