r"""Confidence intervals and tests

How sure a measured error is, and the difference of two.

## Idea
An error measured on [held-out points](glossary#held-out-points) is an estimate: other points would
have given another. Four questions follow, each with its own view.

**How far off may it be?** A [confidence interval](glossary#confidence-interval) says so with a
promise: of all intervals made this way, 95 %, say, hold the true error rate. Here the truth is
known, so the promise can be checked. Each step is a new sample of $n$ points with its interval. Not
the truth moves but the interval, and some intervals miss. The textbook's interval, **Wald**'s,
mostly misses more often than it promises, and where errors are rare it fails: a sample without an
error gives an interval without width.

**And a mean?** The mean $m$ of $n$ numbers is off by $\sigma / \sqrt n$ or so, but the true spread
$\sigma$ is rarely known. The **z** interval takes the sample's own, $s$, for it. In a small sample
$s$ is easily too small, and the interval with it. The **t** interval of “Student” makes up for that
by a larger factor.

**Is one classifier better?** Hold out one part of the points after the other, judge both on it, and
look at the differences. A t-test asks whether their mean could be 0. The plain test counts every
random split as fresh news. But all splits are of the same points, so 50 of them do not make one
more sure than the points allow. After so many it calls two equally good classifiers different more
often than not: [false alarms](glossary#false-alarm). The corrected test adds what all splits share.

**And with a single held-out set?** Then [McNemar's test](glossary#mc-nemar-test) looks only at the
points on which the two disagree. If both were equally good, each of these would be like the toss of
a coin.

## Maths
Of $n$ points with the true error rate $p$, $r$ are wrong: a binomial number,
$P(r) = \binom{n}{r} p^r (1 - p)^{n - r}$. With $e = r/n$, and $z$ such that a standard normal
number is within $\pm z$ with the probability promised ($z = 1.96$ for 95 %):

- **Wald**: $e \pm z \sqrt{e (1 - e) / n}$, the normal curve around the estimate.
- **Wilson**: all $p$ that have $e$ within $z$ of their own
  [standard errors](glossary#standard-error), $\lvert e - p \rvert \le z \sqrt{p (1 - p) / n}$.
- **Clopper-Pearson**: all $p$ with which neither so many errors nor so few would be rarer than half
  of what may miss, 2.5 % for 95 %. It holds $p$ at least as often as it promises.

How often an interval holds $p$ is a sum over all counts, its [coverage](glossary#coverage):

$$
\text{coverage}(p) = \sum_{r:\; \text{low}(r) \le p \le \text{high}(r)} P(r) .
$$

For the mean of $n$ normal numbers, $(m - \mu) / (\sigma / \sqrt n)$ is a standard normal one. With
$s$ in the place of $\sigma$ it has [Student's distribution](glossary#student-distribution) with
$n - 1$ [degrees of freedom](glossary#degrees-of-freedom), which goes farther out. Its own quantile
$t$ keeps the promise, and the interval by $z$ holds $\mu$ less often:

$$
m \pm t\, \frac{s}{\sqrt n} \qquad
\text{coverage of } z = P(\lvert T_{n - 1} \rvert \le z) .
$$

The $b$ differences $d_i$ of two classifiers have the mean $m$ and the
[standard deviation](glossary#standard-deviation) $s$. With $b - 1$ degrees of freedom

$$
t_\text{plain} = \frac{m}{s \sqrt{1 / b}} \qquad
t_\text{corrected} = \frac{m}{s \sqrt{1 / b + n_\text{test} / n_\text{train}}} .
$$

The [p-value](glossary#p-value) is the probability of a $t$ so far from 0 if there is no difference
and the test's assumptions hold. A test calls two classifiers different where $p$ is below 5 %. So
of equally good ones it promises to call 5 % different. The plain test assumes that the $d_i$ are
independent. Over folds no point is judged twice, and it comes close to its promise; over random
splits it does not.

For **McNemar's test**, only the first classifier is wrong on $b$ held-out points, only the second
on $c$. The exact test counts coins, the older one compares with chi-square (1 degree of freedom):

$$
p = 2\, P(\text{at most } \min(b, c) \text{ heads of } b + c) \qquad
\chi^2 = \frac{(\lvert b - c \rvert - 1)^2}{b + c} .
$$

*Sources: 20APC3316 (evaluating hypotheses; its example: 12 of 40 wrong, 0.30 ± 0.14); Student
1908; Wilson 1927; Clopper and Pearson 1934; Brown, Cai and DasGupta 2001; McNemar 1947; Dietterich
1998; Nadeau and Bengio 2003.*

## Try this
- [A hundred intervals](?size=40) A classifier errs on 30 % of all points. A rule of thumb calls
  Wald good where n p (1 − p) is at least 5; here it is 8.4. Of 100 intervals, how many miss?
  Do: Step through some, then go to the end. Then take n = 100 and p = 0.08, and look at the curves.
  Answer: 7 miss; with seeds 0 to 9 it is 3 to 13. In the long run 7.01 % miss, not 5 %. For 100
  points and 0.08 the rule has 7.36, and 10.4 % miss; with p = 0.1 it is 6.76 %. Counts are whole
  numbers, so the curves are saws. With 1000 points and 0.3 it is 4.96 %.
- [A rare error](?p=0.02) Now only 2 % of all points are wrong. How often does Wald's interval hold
  that?
  Do: Go to the end. Then choose Wilson, and Clopper-Pearson.
  Answer: In 58 of 100 samples. The other 42 had no error, and their interval is from 0 to 0. In the
  long run Wald holds in 55.3 %, Wilson in 95.4 %, Clopper-Pearson in 99.2 %.
- [Five numbers](?view=a mean) Of 100 intervals for a mean, each from five numbers by z, how many
  miss it? Which samples are these?
  Do: Go to the end, and look at the crosses beside. Choose t. Then take two numbers.
  Answer: 12, where 5 were promised; in the long run 12.2 %. In 11 of them s is below the true
  spread, 2. On seeds 0 to 9 it is 6 to 17, and by t 2 to 9. Of two numbers t is 12.7: the intervals
  are 0.293 to 91.3 wide, and 3 of 100 miss. With 30 numbers z misses in 5.97 %.
- [Equally good](?view=two learners&data=blobs&noise=1&second=Nearest mean&splits=50&sample=4)
  Round classes of one size: in the long run the nearest mean and LDA draw the same borders. What
  does the plain t-test say after 50 splits, and the corrected one?
  Do: Go to the end. Then look at other samples of the data.
  Answer: The plain one calls them different, with p = 0.00031; the corrected one does not, with p =
  0.42. On samples 0 to 9 the plain test calls 5 times, once against the nearest mean and 4 times
  against LDA, the corrected one never. Of the simulated data sets the plain one calls in 61.8 %,
  the corrected one in 3 %.
- [More splits or more points?](?view=two learners&sample=4) After 20 splits k-NN seems better than
  LDA, but the corrected test does not call them different. Do 50 splits settle it?
  Do: Set 50 splits. Then go back to 20, and draw 1000 points.
  Answer: No: its p goes from 0.22 to 0.12. With 1000 points it is 0.0084. On samples 0 to 4 the
  corrected test calls once with 20 splits, once with 50, but 4 times with 1000 points.
- [Only disagreements count](?view=one held-out set) LDA gets 12.4 % of 97 held-out points wrong,
  k-NN 9.28 %. Is that luck?
  Do: Go to the end and read b and c. Then draw 1000 points.
  Answer: It may be: they disagree on 3 points only, all of them against LDA, and p = 0.25. Six to
  none would be needed. With 1000 points it is 28 to 13, and p = 0.028.
"""

import numpy as np

from algorithms.evaluation import (
    confidence_intervals,
    mcnemar,
    mean_intervals,
    paired_comparison,
)
from algorithms.evaluation.confidence_intervals import METHODS
from algorithms.evaluation.held_out_scores import BY_NAME
from algorithms.evaluation.paired_comparison import FOLDS, SCHEMES, SPLITS
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.split_rng import split_rng
from viz.evaluation import confidence_intervals as draw_intervals
from viz.evaluation import mcnemar as draw_mcnemar
from viz.evaluation import mean_intervals as draw_means
from viz.evaluation import paired_comparison as draw_paired

LEVELS = [50.0, 68.0, 80.0, 90.0, 95.0, 98.0, 99.0]
SIZES = [5, 10, 20, 30, 40, 50, 100, 200, 500, 1000]
NUMBERS = [2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100]
MEAN, SPREAD = 10.0, 2.0
RATES = np.linspace(0, 0.5, 401)[1:]


def intervals(lab: Lab) -> Shown:
    """Draw one sample after the other, and see whose interval holds the true error rate."""
    method = lab.choice("method", "Interval", list(METHODS), "Wald")
    n = int(lab.log_slider("size", "Points in a sample, n", SIZES, 40))
    p = lab.slider("p", "True error rate p", 0.01, 0.5, 0.3, 0.01)
    level = lab.log_slider("level", "Confidence level, %", LEVELS, 95.0) / 100
    samples = lab.slider("samples", "Samples", 20, 200, 100, 20)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the samples.")
    run = lab.run_apart(
        confidence_intervals.confidence_intervals, p, n,
        rng=np.random.default_rng(seed), level=level, samples=samples, method=method,
    )  # fmt: skip
    exact = lab.later(confidence_intervals.exactly, p, n, level, RATES)
    return lab.scene(draw_intervals.intervals, run, exact, method, code=confidence_intervals)


def means(lab: Lab) -> Shown:
    """Do so with the mean of numbers whose spread is not known."""
    method = lab.buttons("quantile", "Interval", list(mean_intervals.METHODS), "z")
    n = int(lab.log_slider("numbers", "Numbers in a sample, n", NUMBERS, 5))
    level = lab.log_slider("level", "Confidence level, %", LEVELS, 95.0) / 100
    samples = lab.slider("samples", "Samples", 20, 200, 100, 20)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the samples.")
    run = lab.run_apart(
        mean_intervals.mean_intervals, MEAN, SPREAD, n,
        rng=np.random.default_rng(seed), level=level, samples=samples, method=method,
    )  # fmt: skip
    truth = lab.later(mean_intervals.in_the_long_run, MEAN, n, level, np.arange(2, 101))
    return lab.scene(draw_means.means, run, truth, method, code=mean_intervals)


def two_learners(lab: Lab) -> Shown:
    """Compare two classifiers over folds or over random splits."""
    first, second = two_names(lab)
    scheme = lab.choice("scheme", "Held out in turn", list(SCHEMES), SPLITS)
    share = 30
    if scheme == FOLDS:
        resamples = lab.slider("folds", "Folds", 2, 20, 10)
    else:
        resamples = lab.slider("splits", "Random splits", 5, 50, 20, 5)
        share = lab.slider("held", "Held-out points, %", 10, 60, 30, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    data = lab.plane
    run = lab.run(
        paired_comparison.paired_comparison, data.X, data.labels,
        rng=split_rng(seed), first=first, second=second, scheme=scheme,
        resamples=resamples, test_share=share / 100,
    )  # fmt: skip
    alarms = lab.later(
        paired_comparison.false_alarms, scheme, resamples, share / 100, rng=np.random.default_rng(0)
    )
    compared = draw_paired.Compared(first, second, scheme)
    return lab.scene(draw_paired.comparison, run, data, alarms, compared, code=paired_comparison)


def one_held_out_set(lab: Lab) -> Shown:
    """Compare two classifiers on the points of one held-out set, one by one."""
    first, second = two_names(lab)
    share = lab.slider("held", "Held-out points, %", 10, 80, 50, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    data = lab.plane
    run = lab.run(
        mcnemar.mcnemar, data.X, data.labels, rng=split_rng(seed),
        first=first, second=second, test_share=share / 100,
    )  # fmt: skip
    return lab.scene(draw_mcnemar.one_set, run, data, first, second, code=mcnemar)


def two_names(lab: Lab) -> tuple[str, str]:
    """Ask which two classifiers are compared."""
    names = list(BY_NAME)
    first = lab.choice("first", "First classifier", names, "LDA")
    return first, lab.choice("second", "Second classifier", names, "k-NN")


MODES = {
    "intervals": intervals,
    "a mean": means,
    "two learners": two_learners,
    "one held-out set": one_held_out_set,
}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.6).show(MODES)
