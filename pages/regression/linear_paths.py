r"""Ridge and lasso paths

Turn the penalty down and watch the weights come in: all at once with ridge, one by one with lasso.

## Idea
A linear model with many features can follow every wiggle of the training points, with huge weights
that cancel each other. A [penalty](glossary#penalty) $\lambda$ on the size of the weights holds
them back:

- **ridge** charges for the *squares* of the weights. Together they shrink: their length
  $\lVert w \rVert$, and their part along every direction of the data (see Maths). A single weight
  may grow for a while or cross zero, but none is held there. Features that say the same share their
  weight.
- **lasso** charges for their *absolute values*. It sets weights to exactly zero, and so **selects
  features**: as $\lambda$ falls, one variable after the other enters, and some may leave again.

The run starts at a large $\lambda$, where the weights are (nearly) zero, and ends at (nearly) none,
which is least squares, the dotted line. Too large a penalty underfits, too small a one overfits.
The training error cannot tell: it never rises. So some points are **held out**, the squares;
the star marks the penalty with the least error on them.

A few held-out points may mislead. **Cross-validation** lets every training point be held out once:
the points are dealt into 10 [folds](glossary#fold) (or 5), each is predicted by the model that the
others make, and the errors of all folds are averaged. The ribbon is this mean, one
[standard error](glossary#standard-error) up and down. Its ring marks the least mean; the mark ◇
stands at the largest penalty that is no worse than that by more than one standard error. To be
honest, all that is learned has to be learned anew for every fold, the means and the spreads of
the features, too.

**Two weights** shows why the lasso selects. Each ellipse joins the weights with the same error. The
solution is where the smallest ellipse touches the *circle* (ridge) or the *diamond* (lasso) of all
weights that are as small. A diamond has corners, and a corner is a weight that is zero.

The penalty can also be read as a [prior](glossary#prior): before looking at the data, large weights
are thought unlikely. Ridge has a Gaussian prior, lasso a Laplace prior with a sharp peak at 0. The
larger $\lambda$, the narrower the prior, and the most probable weights are the ones found here.

**Coordinate descent** solves the lasso for one $\lambda$ in the simplest way: it changes one weight
at a time to what is best for it alone, around and around.

## Maths
With $r = y - Xw - b$ and the intercept $b$ never penalised,

$$
\text{ridge:}\quad \min_{w, b}\ \lVert r \rVert^2 + \lambda \lVert w \rVert_2^2
\qquad\qquad
\text{lasso:}\quad \min_{w, b}\ \tfrac12 \lVert r \rVert^2 + \lambda \lVert w \rVert_1 .
$$

The best $b$ puts the fit through the means. So take all columns and $y$ about their means. With
$X = \sum_i s_i u_i v_i^\top$ **ridge** is

$$
w = (X^\top X + \lambda I)^{-1} X^\top y
  = \sum_i \frac{s_i^2}{s_i^2 + \lambda} \cdot \frac{u_i \cdot y}{s_i}\, v_i ,
$$

least squares with the share $s_i^2 / (s_i^2 + \lambda)$ kept along each direction; the shares sum
to the effective number of weights.

The **lasso** has no formula, but a condition: with $x_j$ the columns,

$$
x_j \cdot r = \lambda\, \mathrm{sign}(w_j) \ \text{ where } w_j \ne 0,
\qquad |x_j \cdot r| \le \lambda \ \text{ where } w_j = 0 .
$$

While the same variables $A$ with signs $g$ are in use, $w$ is a straight line in $\lambda$: when
$\lambda$ falls by $t$,

$$
w_A \leftarrow w_A + t \delta, \quad \delta = (X_A^\top X_A)^{-1} g, \qquad
X^\top r \leftarrow X^\top r - t \gamma, \quad \gamma = X^\top X_A \delta .
$$

The next knot is the first $t$ at which a variable **enters**,
$t = (\lambda \mp x_j \cdot r) / (1 \mp \gamma_j)$, or **leaves**, $t = |w_j| / (-g_j \delta_j)$. Of
several at the same $\lambda$ the first column goes first; a column that is a combination of those
in use stays out. **Coordinate descent** solves the condition for one $j$, with the others held, so
that the lasso's objective, $f$, never rises:

$$
\rho_j = x_j \cdot r + \lVert x_j \rVert^2 w_j , \qquad
w_j \leftarrow \frac{S(\rho_j, \lambda)}{\lVert x_j \rVert^2} , \qquad
S(z, \lambda) = \mathrm{sign}(z) \max(|z| - \lambda, 0) .
$$

**Cross-validation.** With $n$ training points, fold $q$ of $n_q$ is predicted by the weights
learned from the other $n - n_q$ with the penalty $\lambda (n - n_q) / n$; its error is $e_q$, the
mean of $r_i^2$ over the fold. Of $k$ folds

$$
\bar e = \frac1k \sum_q e_q , \qquad
\mathrm{SE} = \sqrt{\frac1k \cdot \frac{1}{k - 1} \sum_q (e_q - \bar e)^2} .
$$

The picture has $\sqrt{\bar e}$ and $\sqrt{\bar e \pm \mathrm{SE}}$.

**Prior.** With Gaussian noise of variance $\sigma^2$, the most probable $w$ under a Gaussian prior
of variance $\tau^2$ is ridge with $\lambda = \sigma^2 / \tau^2$; under a Laplace prior of scale
$\beta$ it is the lasso with $\lambda = \sigma^2 / \beta$. In the picture $\sigma^2$ is the residual
variance of least squares, or the variance of $y$ where least squares leaves no residual.

*Sources: CS725 19.3 (figure 31), CS337 lectures 3, 4, 7 and on cross-validation, CIS787; Osborne et
al. 2000 and Efron et al. 2004 for the path; Friedman et al. 2010 for coordinate descent.*

## Try this
- [The path of the LARS paper](?data=diabetes&test_share=0) Ten measurements of 442 patients predict
  how their diabetes goes on. Once a variable is in use, does it stay?
  Do: Jump from event to event with the ] key.
  Answer: Not always. They enter in the order bmi, ltg, bp, hdl, sex, glu, tc, tch, ldl, age; then
  hdl leaves again, for tc, tch and ldl together say 85 % of what it said; it comes back at the end.
- [The true variables](?data=correlated) The targets were made of x1, x2 and x4 alone, plus noise.
  Does the lasso find these three?
  Do: Read off which weights are not 0 at the diamond; then draw other samples in the data panel.
  Answer: Not here: it uses x1, x3, x4 and a little x5. x3 is nearly equal to x1 and x2, and
  predicts as well. At the diamond exactly x1, x2 and x4 are in use in 5 of the samples 0 to 19, at
  the ring in 1. Ridge shares: at λ = 10 the weights of x1, x2 and x3 are 0.47, 0.39 and 0.41.
- [Overfitting, figure 31](?data=sine&n=16&noise=0.5&mode=ridge&count=9) Nine powers for
  nine points, seven are held out. What do the two errors do between the star and the end?
  Do: Go to the end, then back to the star.
  Answer: The training error falls all the way. The held-out error is least at the
  star, 0.58, and 7.8 at the end. With so few points the folds choose another penalty.
- [Corners](?data=correlated&view=two weights&feature=x4&noise=1) The lasso holds the two weights in
  a diamond, ridge in a circle. On the way to least squares, which of the two has zeros?
  Do: Step until the second variable enters. Then choose ridge.
  Answer: The lasso: until λ = 42.7 the ellipse touches the diamond at a corner, where the weight of
  x4 is 0. A circle has no corners: no weight of ridge is 0 at any of its 51 penalties.
- [Down a valley](?data=correlated&view=two weights&mode=coordinate descent&level=0.03&sweeps=100)
  One weight at a time, each as good as can be: is the solution soon found?
  Do: Step to the end. Then choose x4 as the second feature.
  Answer: Not here: x1 and x2 are nearly equal and make a narrow valley, and after 200 visits the
  way down is still a staircase of tiny steps. With x4, which is another thing, 8 visits will do.
"""

from dataclasses import dataclass, replace

import numpy as np

from algorithms.data.presets import Dataset
from algorithms.regression.paths import lasso_descent, lasso_homotopy, linear_paths
from algorithms.regression.paths.cross_validation import cross_validation
from algorithms.regression.paths.on_training import (
    descent_on_training,
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.paths.regressors import BASES, FeatureChoice, regressors
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.session.cache import Later
from pages._shared.split_rng import split_rng
from viz.core.scene import Run
from viz.regression.paths import linear_paths_scenes as scenes

LEVELS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]
LEVEL = "Penalty λ / the largest of use"
BETWEEN = 7  # steps from knot to knot, where the ellipse can be seen to move


@dataclass(frozen=True)
class Prepared:
    """The features that were chosen, and the table made ready with them."""

    choice: FeatureChoice
    made: Later
    seed: int


def paths(lab: Lab) -> Shown:
    """See all weights while the penalty falls."""
    methods = {"ridge": ridge, "lasso": lasso, "coordinate descent": descent}
    method = lab.choice("mode", "Method", list(methods), "lasso")
    return methods[method](lab, prepare(lab, all_features(lab)))


def two_weights(lab: Lab) -> Shown:
    """See two weights, and the ball that holds them."""
    methods = {"ridge": ridge_of_two, "lasso": lasso_of_two, "coordinate descent": descent_of_two}
    method = lab.choice("mode", "Method", list(methods), "lasso")
    return methods[method](lab, prepare(lab, two_features(lab)))


def ridge(lab: Lab, data: Prepared) -> Shown:
    """Shrink the weights along every direction at once."""
    run = lab.run(ridge_on_training, data.made)
    made, folds = data.made, judged(lab, data, run)
    return lab.scene(scenes.ridge, run, lab.plane, made, data.choice, folds, code=linear_paths)


def lasso(lab: Lab, data: Prepared) -> Shown:
    """Let one weight after the other enter."""
    run = lab.run(lasso_on_training, data.made)
    made, folds = data.made, judged(lab, data, run)
    return lab.scene(scenes.lasso, run, lab.plane, made, data.choice, folds, code=lasso_homotopy)


def descent(lab: Lab, data: Prepared) -> Shown:
    """Change one weight at a time."""
    run, level = sweep(lab, data)
    return lab.scene(
        scenes.descent, run, lab.plane, data.made, data.choice, level, code=lasso_descent
    )


def ridge_of_two(lab: Lab, data: Prepared) -> Shown:
    """Touch a circle."""
    run = lab.run(ridge_on_training, data.made)
    made, folds = data.made, judged(lab, data, run)
    return lab.scene(
        scenes.path_of_two, run, lab.plane, made, data.choice, folds, code=linear_paths
    )


def lasso_of_two(lab: Lab, data: Prepared) -> Shown:
    """Touch a diamond."""
    run = lab.run(lasso_on_training, data.made, between=BETWEEN)
    made, folds = data.made, judged(lab, data, run)
    return lab.scene(
        scenes.path_of_two, run, lab.plane, made, data.choice, folds, code=lasso_homotopy
    )


def descent_of_two(lab: Lab, data: Prepared) -> Shown:
    """Go down a valley along the axes."""
    run, level = sweep(lab, data)
    return lab.scene(
        scenes.descent_of_two, run, lab.plane, data.made, data.choice, level, code=lasso_descent
    )


def sweep(lab: Lab, data: Prepared) -> tuple[Run, float]:
    """Run coordinate descent; give its penalty, too, as a share of the largest."""
    level = lab.log_slider("level", LEVEL, LEVELS, 0.1)
    sweeps = lab.log_slider("sweeps", "Sweeps at most", [3, 10, 30, 100, 300], 30)
    return lab.run(descent_on_training, data.made, level=level, max_iter=sweeps), level


def judged(lab: Lab, data: Prepared, run: Run) -> Later:
    """Judge the run's penalties by cross-validation, with draws from a stream of their own."""
    folds = lab.buttons("folds", "Folds of cross-validation", [5, 10], 10)
    return lab.later(
        cross_validation, lab.data, data.choice, data.made, run,
        folds=folds, rng=np.random.default_rng([data.seed, 2]),
    )  # fmt: skip


def all_features(lab: Lab) -> FeatureChoice:
    """Take all columns but the target, or functions of the only one."""
    if others := other_columns(lab.data):
        return FeatureChoice(others)
    basis = choose_basis(lab)
    return FeatureChoice(basis=basis, count=lab.slider("count", "How many features", 1, 10, 9))


def two_features(lab: Lab) -> FeatureChoice:
    """Take the column on the x axis and another one, or two functions of the only one."""
    if not (others := other_columns(lab.data)):
        return FeatureChoice(basis=choose_basis(lab), count=2)
    names = [lab.data.columns[j] for j in others]
    second = lab.choice("feature", "Second feature", names, names[0], before="second")
    return FeatureChoice((others[names.index(second)],))


def other_columns(data: Dataset) -> tuple[int, ...]:
    """Give the columns that are not on the plane."""
    return tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))


def choose_basis(lab: Lab) -> str:
    """Ask for the functions that are the features of a single column."""
    return lab.choice("basis", "Features of x", list(BASES), "polynomial")


def prepare(lab: Lab, choice: FeatureChoice) -> Prepared:
    """Hold points out, by draws from a stream of their own, and make the features."""
    share = lab.slider("test_share", "Held-out points, %", 0, 60, 30, 5)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 0, help="Draws which points are held out, and the folds."
    )
    standardize = lab.toggle("standardize", "Standardise the features", True)
    choice = replace(choice, standardize=standardize)
    made = lab.later(
        regressors, lab.data, choice, share=share / 100, rng=split_rng(seed),
        window=lab.plane.bounds[:2],
    )  # fmt: skip
    return Prepared(choice, made, seed)


MODES = {"paths": paths, "two weights": two_weights}

if __name__ == "__main__":
    open_lab(__file__, data="diabetes").show(MODES)
