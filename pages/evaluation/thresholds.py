r"""Thresholds and ROC

A classifier gives scores, a threshold decides: which errors, and how many, is your choice.

## Idea
Most classifiers know more than a class: they give every point a [score](glossary#score), and call
it **positive** where the score reaches a [threshold](glossary#threshold). A low threshold misses
few positives and raises many **false alarms**, a high one the other way round. Training settles the
scores. Which threshold is right depends on what errors cost.

The **confusion matrix** counts what can happen at one threshold: positives found, positives missed,
negatives called positive (false alarms), negatives left alone. Here the threshold starts above all
scores and goes down, past one [held-out point](glossary#held-out-points) after the other. A
positive takes the **ROC curve** a step up, a negative a step to the right. A perfect ranking goes
straight up and then to the right; tossing a coin stays near the diagonal. (ROC is *receiver
operating characteristic*: the first receivers were those of radar.)

The curve looks at positives and at negatives, each by themselves, so it does not tell how rare the
positives are. **Precision** does: how many of the points called positive are. Where positives are
rare, [accuracy](glossary#accuracy) misleads, too: calling nobody positive is nearly always right.

The area under the ROC curve, **AUC**, is a probability: that a positive drawn at random scores more
than a negative drawn at random, a tie counting half. It is about the order of the scores and
nothing else.

Drag the point on the curve, or the threshold among the scores. Put another classifier's curve
beside it, or make the positives rare.

**Folds** asks how sure a measured error is. The points are dealt into
[folds](glossary#fold), which take turns at being held out: this is
[cross-validation](glossary#cross-validation). Every point is judged once, by a model that had not
seen it. A **stratified** deal gives every fold its share of each class. Deal again, and the same
points give another estimate.

## Maths
With a threshold $t$ on the score $s$, a point is called positive where $s \ge t$. Of $P$ positives
$TP$ are found and $FN$ missed, of $N$ negatives $FP$ are false alarms and $TN$ are not:

$$
TPR = \frac{TP}{P} \qquad FPR = \frac{FP}{N} \qquad
\text{precision} = \frac{TP}{TP + FP} \qquad
\text{accuracy} = \frac{TP + TN}{P + N} .
$$

The true positive rate is also called **recall**. $F_1$ is the harmonic mean of precision and
recall, $F_1 = \dfrac{2\,TP}{2\,TP + FP + FN}$. Where nothing is called positive, precision is
$0/0$; it is drawn as 1.

**Costs.** A miss that is as dear as $c$ false alarms makes a threshold cost $FP + c\,FN$. On the
plane of the ROC curve the thresholds of one cost lie on a line with the slope $\dfrac{N}{c P}$. The
cheapest threshold (★) is where the line, coming from the upper left, first meets the curve.

**The area.** Points with the same score share a step, which may be slanted. With
$\text{AUC} = \sum (FPR_i - FPR_{i-1}) \dfrac{TPR_i + TPR_{i-1}}{2}$, every pair of a positive and a
negative adds $\frac{1}{PN}$ if the positive scores more, half of it if they tie:

$$
\text{AUC} = \frac{\#\{s_+ > s_-\} + \frac12 \#\{s_+ = s_-\}}{P N} .
$$

A strictly increasing map of the scores, such as $s^3$ or their ranks, changes no pair, and no point
of the curve.

**Folds.** Fold $f$ has the error $e_f$, the share of its points that the model of the other folds
gets wrong. Of $m$ folds

$$
\bar e = \frac1m \sum_f e_f \qquad
\sigma = \sqrt{\frac{1}{m - 1} \sum_f (e_f - \bar e)^2} .
$$

With as many folds as points, **leave one out**, every $e_f$ is 0 or 1, and there is only one deal.
Any two of the models share the points of all folds but two, and each learned from what the other is
judged on, so the $e_f$ are not independent: $\sigma / \sqrt m$ is only a rough
[standard error](glossary#standard-error) of the mean.

*Sources: CIS787 (performance evaluation), CS337 (k-fold cross-validation); Fawcett 2006 (ROC);
Kohavi 1995 (stratification).*

## Try this
- [What an error costs](?miss=0.1) A false alarm is as dear as ten misses. Where is the cheapest
  threshold, and where if a miss is as dear as ten false alarms?
  Do: Go to the least cost (★). Then set the price of a miss to 10 and go there again.
  Answer: At a score of 2.45, which finds 12 of 41 positives without a false alarm; then at −0.592,
  which finds 40 of 41 with 14 of 56. Logistic regression itself decides at 0, which would then
  cost 40 in place of 24.
- [A rare class](?n=1000&kept=5) Ten positives among 257 held-out points. Which accuracy has a
  classifier that calls nobody positive?
  Do: Look at the accuracy of step 0, then find 8 of the 10. Keep 100 % of the positives and find
  80 % of them.
  Answer: 96.1 %, and it finds none. To find 8 of 10 costs precision: 0.4, and fewer are right
  than at step 0, 94.6 %. With all positives kept the same share is found with a precision of 0.9.
  The AUC does not tell rare from common: 0.968 and 0.932.
- [Two curves cross](?n=1000&classifier=RBF SVM&against=Logistic) Which of the two ranks the points
  better?
  Do: Compare the curves at the far left, and then from a false positive rate of 0.1 on.
  Answer: It depends on how many false alarms are allowed. Without any, logistic regression finds 52
  of 235 positives and the SVM none. With up to 25 of 247, the SVM finds 201 and logistic regression
  193. The areas are close, 0.925 and 0.932, and do not tell of it.
- [Only the order counts](?scores=ranks) Every score is replaced by its rank among the 97, which
  makes the histogram flat. What becomes of the ROC curve?
  Do: Compare the curve, the AUC and the last step with the scores as they are, and cubed.
  Answer: Nothing changes but the numbers of the thresholds: the AUC is 0.9255 with all three, and
  2125 of 2296 pairs are in the right order.
- [Five folds or ten](?view=folds&deals=20) The errors of 5 folds differ by luck. Do those of 10
  folds differ less, and do the estimates?
  Do: Go to the end, and read both standard deviations. Then choose 10 folds.
  Answer: Single folds differ more, by 9.49 percentage points in place of 3.95 in the last deal: a
  fold has only 20 points. But the 20 estimates differ less, by 0.456 in place of 0.587, as on most
  samples. What differs is the deal only: other points would give another error altogether.
"""

from typing import Any

import numpy as np

from algorithms.evaluation import held_out_scores as scoring
from algorithms.evaluation import roc_curve, rotating_folds
from algorithms.evaluation.held_out_scores import MAPS, SCORERS
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.split_rng import split_rng
from viz.evaluation import rotating_folds as draw_folds
from viz.evaluation import thresholds_scenes as draw
from viz.evaluation.thresholds import Choice

NONE = "(none)"
PRICES = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
LEAVE_ONE_OUT = "leave one out"


def threshold(lab: Lab) -> Shown:
    """Lower the threshold past one held-out point after the other."""
    name = lab.choice("classifier", "Classifier", SCORERS, SCORERS[0])
    rival = lab.choice("against", "Beside it", [NONE, *SCORERS], NONE)
    positive = positive_class(lab)
    held, kept = parts(lab, positive)
    miss = lab.log_slider("miss", "A miss costs … false alarms", PRICES, 1.0)
    scale = lab.choice("scores", "Scores", list(MAPS), "as they are")
    X, y = lab.plane.X[kept], lab.plane.labels[kept]

    def how(classifier: str) -> dict[str, Any]:
        """Give every fit a generator of its own: a key may not depend on what ran before."""
        split = {"positive": positive, "held_out": held[kept], "scale": scale}
        return split | {"classifier": classifier, "rng": np.random.default_rng(0)}

    run = lab.run(scoring.held_out_curve, X, y, miss=miss, **how(name))
    beside = None
    if rival != NONE:
        beside = lab.run(scoring.held_out_curve, X, y, miss=miss, **how(rival))
        run = beside if beside.error else run
    judged = lab.later(scoring.judged, X, y, **how(name))
    choice = Choice(name, rival, positive, held, kept, miss, picked_point(lab))
    return lab.scene(draw.lowering, run, lab.plane, judged, choice, beside, code=roc_curve)


def positive_class(lab: Lab) -> int:
    """Give the class that is looked for: the second of two, or the one that is chosen."""
    names = lab.plane.classes
    present = np.unique(lab.plane.labels).tolist() or [0]
    if len(present) <= 2:
        return present[-1]
    options = [names[k] for k in present]
    return present[options.index(lab.choice("positive", "Positive class", options, options[-1]))]


def parts(lab: Lab, positive: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw which points are held out, and which positives are kept."""
    share = lab.slider("held", "Held-out points, %", 10, 80, 50, 5)
    kept = lab.slider("kept", "Positives kept, %", 5, 100, 100, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws both.")
    sought = lab.plane.labels == positive
    held = scoring.split(sought, share / 100, rng=split_rng(seed))
    return held, scoring.thinned(sought, held, kept / 100, rng=np.random.default_rng([seed, 2]))


def folds(lab: Lab) -> Shown:
    """Hold out one fold after the other."""
    names = list(scoring.BY_NAME)
    name = lab.choice("classifier", "Classifier", names, SCORERS[0])
    options = ["2", "3", "5", "10", "20", LEAVE_ONE_OUT]
    chosen = lab.choice("folds", "Folds", options, "5")
    alone = chosen == LEAVE_ONE_OUT
    stratified = lab.toggle("stratified", "Stratified", True)
    deals = lab.slider("deals", "Deals", 1, 50, 5, help="Leaving one out needs only one.")
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Deals the points.")
    data = lab.plane
    run = lab.run(
        rotating_folds.rotating_folds, data.X, data.labels,
        rng=split_rng(seed), folds=len(data.X) if alone else int(chosen),
        repeats=1 if alone else deals, stratified=stratified, classifier=name,
    )  # fmt: skip
    return lab.scene(draw_folds.rotating, run, data, name, stratified, code=rotating_folds)


def picked_point(lab: Lab) -> np.ndarray:
    """Give the point whose score is told: at first where there are few others."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"threshold": threshold, "folds": folds}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.6).show(MODES)
