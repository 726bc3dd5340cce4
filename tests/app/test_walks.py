"""What a lab says at the steps that a user reaches by keys, and what its scene then shows.

In the same words as in the browser, without one: what the stage does with keys, captions and
points, its own tests show.
"""

import re
from urllib.parse import parse_qsl

import pytest

from algorithms.classification.classifiers import CLASSIFIERS
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.told import NUMBER, value

LABS_BY_NAME = {lab.name: lab for lab in LABS}


def opened(session: Session, address: str) -> Session:
    """Open a lab by its address, as a link has it."""
    name, _, query = address.partition("?")
    return session.open(LABS_BY_NAME[name], **dict(parse_qsl(query, keep_blank_values=True)))


def numbers(pattern: str, text: str) -> list[float]:
    """Return the numbers in a text at the places that the pattern marks with #."""
    found = re.search(pattern.replace("#", NUMBER), text)
    assert found, text
    return [value(number) for number in found.groups()]


WALKS: dict[str, list[tuple[str, ...]]] = {
    # AdaBoost
    "ada_boost?data=gates&noise=0&held=0": [
        ("", "no better than chance: it has no vote, and the run ends", "½ ln 1 = 0"),
    ],
    "ada_boost?data=gates&noise=0&held=0&depth=2": [
        ("", "a tree of 3 tests gets none of 40 points wrong", "it alone decides, and the run"),
    ],
    "ada_boost?data=circles&noise=0.15": [
        ("]", "Round 10: ", "of all 10 gets none of 145 wrong", "first time (held out: 2 of 55)."),
    ],
    "ada_boost?n=100&held=0": [("", "all 100 points weigh the same")],
    "ada_boost?data=blobs&classes=3": [
        ("", "This needs exactly two classes; these data have 3"),
    ],
    # Bias and variance
    "bias_variance?size=30&share=8&sets=30&degree=1": [
        ("", "One fit cannot separate bias from variance"),
        ("→", "Set 2 of 30:", "Together, bias² 0.652 + variance", "error on 100 fresh points"),
        ("→ ]", "Least error"),
    ],
    "bias_variance?size=30&share=8&sets=30&degree=9": [("→", "bias² = (mean − f)² − variance/2 =")],
    "bias_variance?truth=step&size=30&sets=20": [("", "Set 1 of 20: 30 noisy points")],
    "bias_variance?truth=step&sets=20&over=neighbours": [("", "their fit, k = 5")],
    "bias_variance?data=sine&n=40&noise=0.4&truth=unknown: bootstrap&sets=20": [
        ("", "Resample 1 of 20 holds"),
        ("End", "Out-of-bag error of a single fit", "Least error: "),
    ],
    # Clusterings
    "clusterings?n=60&noise=0.1": [
        ("", "k-means finds 2 clusters; ", "are not with their class"),
        ("End", "DBSCAN finds "),
    ],
    # DBSCAN
    "dbscan?data=moons&noise=0.1&n=40&eps=0.6": [
        ("", "Cluster 1 begins with a core point"),
        ("End", "All points are visited: "),
    ],
    "dbscan?data=moons&noise=0.1&n=40&eps=1": [("", "the ball of radius ε = 1 holds")],
    # Decision tree
    "decision_tree?data=moons&criterion=error": [
        ("]", "No gain: the split only prepares the next one"),
    ],
    "decision_tree?data=moons&noise=0.5&alpha=0.01": [("]", "without a significant cut")],
    "decision_tree?view=Prune&data=moons&noise=0.5": [
        ("", "The grown tree"),
        ("End", "Pruned: every further cut would add"),
    ],
    "decision_tree?view=Rules": [
        ("", "The tree as rules, one for each of its 6 leaves, with 20 conditions in all: 7 of 75",
         "A = (13 + 1)/(13 + 2) = 0.933"),
        ("→", "Rule 2 loses x ≤ 1.13", "0.833 ≥ (5 + 1)/(6 + 2) = 0.750 with it"),
        ("]", "Rule 2 is done: A would fall without any other condition"),
        ("End", "Sorted by A, rule 5 is asked first and rule 4 last",
         "grown tree 7, pruned tree 7, rules 7"),
    ],
    "decision_tree?view=Resample": [
        ("]", "another first question"),
        ("End", "So far 11 of 20 trees ask another first question"),
    ],
    "decision_tree?view=ID3": [
        ("", "= 0.9403 bits", "Wind 0.0481"),
        ("→ →", "= 0.9710; Temperature 0.5710, Wind 0.0200"),
    ],
    "decision_tree?view=ID3&costs=Nunez&w=1&cost_1=20": [
        ("", "Values of (2^gain − 1) / (cost + 1)^w: Humidity 0.0370"),
        ("→", "; (2^0.1518 − 1) / (2 + 1)^1 = 0.0370", "Its questions cost 2, those of a day"),
        ("End", "(in the tree by the gain alone 21.8)"),
    ],
    "decision_tree?view=Missing": [
        ("", "one leaf with 5 No and 9 Yes. 4 values of 56 are missing", "Outlook 0.253"),
        ("→", "1 day without it goes down every branch", "p(Sunny) = 0.38, p(Overcast) = 0.31",
         "in every leaf: P(Yes) = 0.38 · 0.44 + 0.31 · 1 + 0.31 · 0.54 = 0.64."),
        ("End", "Done: some leaves stay mixed", "= 0.9."),
    ],
    # Gaussian discriminant analysis, naive Bayes
    "gaussian_discriminant?data=unequal&covariance=shared&held=0": [
        ("", "π(1) = 160/200 = 0.800"),
        ("]", "its own centre"),
        ("] ]", "Class 3 is added to the shape"),
        ("] ] ]", "is straight"),
        ("] ] ] ←", "(point − μ)(point − μ)ᵀ over 200 points"),
    ],
    "gaussian_discriminant?data=blobs&classes=2&n=4&noise=0.6&covariance=separate&held=0": [
        ("] ]", "has no density: its 2 points have no spread across a line"),
        ("End", "No border can be written down"),
    ],
    "gaussian_discriminant?data=blobs&classes=2&n=4&noise=0.6&covariance=separate&ridge=0.01": [
        ("End", "remain in the equation and their border (thick) bends"),
    ],
    "gaussian_discriminant?view=naive&data=moons": [
        ("", "Priors π, the share of each class"),
        ("End", "With independent features in each class",
         "x² and y² remain in the equation (no xy)"),
    ],
    "gaussian_discriminant?view=binned&data=moons&model=categorical": [
        ("", "Priors π, the share of each class"),
        ("End", "a border of steps"),
    ],
    "gaussian_discriminant?view=binned&data=moons&model=bernoulli&bins=3": [
        ("", "Priors π, the share of each class"),
        ("End", "answers about x"),
    ],
    "gaussian_discriminant?view=few or many&data=iris": [
        ("", "With 6 training points"),
        ("]", "diagonal (naive) covariances do best"),
        ("End", "With 75 training points, separate covariances do best"),
    ],
    # Expectation maximisation
    "gaussian_mixture?data=outlier&init=random&seed=0": [
        ("", "Start (random)"),
        ("→", "Maximization: "),
        ("→ →", "Expectation: "),
        ("]", "Collapse: component", "the floor λ = 10⁻⁶ holds it"),
    ],
    "gaussian_mixture?data=outlier&init=random&seed=0&floor=0": [
        ("End", "its density is infinite"),
    ],
    "gaussian_mixture?view=soft k-means&data=blobs&k=3&beta=0.8": [
        ("", "Start: 3 centres"),
        ("]", "Centres merge"),
    ],
    "gaussian_mixture?view=words&k=3": [
        ("", "each of 3 topics takes the words of one document"),
        ("]", "now rules out “"),
    ],
    "gaussian_mixture?view=place and class": [
        ("", "Start (k-means)", "Picked point, of class “Adelie”"),
        ("→", "Maximization: ", "Σ q [y = c] / Σ q"),
        ("End", "Converged"),
    ],
    # Hierarchical clustering
    "hierarchical_clustering?n=25": [
        ("", "each of the 25 points is a cluster of its own"),
        *((" ".join("→" * (25 - left)), f"; {left} clusters left") for left in range(24, 1, -1)),
        ("End", "all points are one cluster"),
        ("]", "8 clusters left"),
    ],
    "hierarchical_clustering?view=BIRCH": [
        ("", "The first point makes the first entry"),
        ("→", "Point 2 begins an entry"),
        ("End ←", "Point 60 is absorbed", "≤ T = 0.4"),
        ("End", "merges 11 entries into 3 clusters", "44 numbers; the 60 points had 120"),
    ],
    "dbscan?view=STING&data=moons&noise=0.1": [
        ("", "A cell of level 0 is relevant", "1 cell of 341 is looked at"),
        ("]", "A cell of level 1 is relevant", "5 cells of 341 are looked at"),
        ("] ] ] ]", "A cell of the lowest level, 4", "132 cells of 341 are looked at"),
        ("] ] ] ] →", "A dense cell begins cluster 1"),
        ("End", "DBSCAN: 2 clusters of 100 and 100 points"),
    ],
    "k_means?view=shards": [
        ("", "Map: each of 4 shards assigns its own points to the first centres", "16 pairs"),
        ("→", "Reduce: sums and numbers are added", "Lloyd's algorithm moves it to the same place"),
        ("End", "converged, at 132", "64 numbers"),
    ],
    # k-modes
    "k_medoids?view=k-modes": [
        ("", "3 rows are drawn as modes", "Picked row, penguin"),
        ("→", "Move: 2 cells of the modes change", "falls to 14"),
        ("→ →", "Assign: penguin and lizard go to another cluster", "equally near"),
        ("End", "converged, at a cost of 14"),
    ],
    # k-nearest neighbours
    "k_nearest_neighbors?k=5": [("", "Neighbour 1 of 5"), ("End", "Neighbour 5 of 5")],
    # Ridge and lasso paths
    "linear_paths?test_share=0": [
        ("", "“bmi” enters", "1 of 10 weights is in use, 9 stay at 0"),
        ("]", "“fats” enters", "2 of 10 weights are in use, 8 stay at 0"),
        ("] ] ] ] ] ] ] ] ] ]", "“HDL” is back at 0", "9 of 10 weights are in use"),
        ("] ] ] ] ] ] ] ] ] ] ←", "“age” enters", "10 of 10 weights are in use."),
        ("End", "this is least squares", "“chol” −37.7 and “LDL” 22.7 pull against each other"),
    ],
    "linear_paths?data=correlated&view=two weights&second=x4": [
        ("", "“x1” enters"),
        ("→", "at a corner"),
        ("→ ]", "“x4” enters"),
    ],
    "linear_paths?data=correlated&view=two weights&second=x4&mode=ridge": [
        ("→", "touches the circle"),
    ],
    "linear_paths?data=sine&mode=coordinate descent&count=3&level=0.3": [
        ("→", "Sweep 1: the weight of “x” goes from 0 to", "It enters."),
        ("End", "Converged"),
    ],
    # Linear regression
    "linear_regression?eta=0.001": [("]", "Too slow")],
    "linear_regression?eta=0.4": [
        ("]", "The loss rose: η = 0.4 > 2/L"),
        ("] ]", "Diverged: η = 0.4"),
        ("] ] ←", "(the rate η) times the gradient"),
    ],
    "linear_regression?data=line with outliers&view=formula": [
        ("", "Start: the fit is 0"),
        ("End", "w = "),
    ],
    "linear_regression?data=line with outliers&view=outliers": [
        ("", "Start: least squares"),
        ("End", "0.773 · 1.38 + 0.2892"),
    ],
    "linear_regression?view=bases&data=sine&n=20&held=50": [
        ("", "No function yet"),
        ("→", "u joins"),
        ("End", "10 training points cannot determine 13 weights"),
    ],
    # Logistic regression
    "logistic_regression?data=blobs&classes=2&noise=1&method=newton&start=zeros": [
        ("End", "Converged: the gradient is nearly 0"),
    ],
    "logistic_regression?data=moons&method=gradient&rate=30&start=zeros": [
        ("End", "Oscillates: the learning rate is too high"),
    ],
    "logistic_regression?data=separable&method=newton&start=zeros": [
        ("]", "Every point is on its right side"),
        ("End", "grow without bound"),
    ],
    "logistic_regression?view=least squares&data=row": [
        ("", "least squares gets 44 of 200 wrong, logistic regression 0"),
        ("→", "With 8 far points"),
        ("End", "pays −ln P"),
    ],
    # Multi-layer perceptron
    "multilayer_perceptron?view=batch normalisation&updates=10": [
        ("", "the training loss is 0.751 with normalisation, 0.751 without"),
        ("→", "Update 1, forward: z of unit 1 of layer 1 has mean 0.00717 and spread 0.711",
         "(−1.12 − 0.00717)/√(0.505 + 10⁻⁵) = −1.59"),
        ("→ →", "Update 1, backward: a part of d", "so ∂L/∂b = 0"),
        ("→ → →", "Update 1: the training loss goes to", "γ ← γ − η ∂L/∂γ = 1 − 1 · ",
         "running mean m ← 0.9 m + 0.1 z̄ = 0.9 · 0 + 0.1 · 0.00717 = 0.000717"),
        ("End", "Update 10: the training loss goes to 0.691 with normalisation, 0.693 without"),
    ],
    "multilayer_perceptron?view=batch normalisation&hidden=8&activation=relu&factor=1000&rate=3": [
        ("End", "The other network diverged in update"),
    ],
    "multilayer_perceptron?view=batch normalisation&batch=1&updates=10": [
        ("→", "has mean 0", "γẑ + β = 1 · 0 + 0 = 0 goes into g and gives 0.5"),
    ],
    # Perceptron
    "perceptron?data=separable&n=40": [
        ("", "A separator exists"),
        ("]", "(mistake 1)"),
        ("End", "Converged"),
    ],
    "perceptron?data=blobs&classes=3": [("", "exactly two classes; these data have 3")],
    "perceptron?data=moons&variant=delta rule&delta_rate=1": [("End", "Diverged")],
    "perceptron?data=row&variant=several classes": [
        ("", "the class with the highest score"),
        ("]", "mistake 1): both weight vectors move"),
        ("End", "Converged"),
    ],
    # Principal components
    "pca?view=eigenvectors": [
        ("]", "enough for the 90 % to keep"),
        ("] ←", "every point is replaced by the mean"),
    ],
    "pca?view=eigenvectors&standardize=1": [("] ←", "is lost, 4.")],
    "pca?data=circles&n=80&view=kernel PCA&kernel=RBF&gamma=0.3": [
        ("", "Component 1 holds"),
        ("→", "Component 2 holds"),
    ],
    # Support vector machines
    "svm?data=circles&n=80&kernel=hyperbolic tangent&scale=1&offset=0.5&view=all at once": [
        ("", "the program is not convex"),
    ],
    "svm?data=blobs&classes=4&kernel=linear&view=classes": [
        ("End", "Machine 4 of 4", "are claimed by no machine"),
    ],
    "svm?data=blobs&classes=4&kernel=linear&view=classes&scheme=one-versus-one": [
        ("End", "Machine 6 of 6: class 3 (f > 0) against class 4"),
    ],
    # Thresholds
    "thresholds?view=folds": [
        ("", "Deal 1 of 5, fold 1 of 5:"),
        ("]", "every point has been judged once"),
    ],
    "thresholds?miss=0.1": [
        ("", "0 false alarms + 0.1 × 41 misses = 4.1."),
        ("]", "no threshold costs less", "0 false alarms + 0.1 × 29 misses = 2.9."),
        ("] ]", "this is the first false alarm", "; the least so far is 2.9, at 2.45."),
    ],
    # The wall of classifiers
    "wall?data=moons&noise=0.3&sample=5&view=Repeat&splits=10": [
        ("", "Split 1 of 10:", "One split has no spread"),
        ("End", "of the other 14 (●), the lag is at most 2 standard errors and could be chance. ",
         "If one half of the held-out points picks the winner, it gets"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("address", WALKS)
def test_at_the_end_of_a_walk_stand_these_words(address: str, session: Session) -> None:
    opened(session, address)
    for keys, *words in WALKS[address]:
        caption = session.caption(keys)
        for text in words:
            assert text in caption, keys or "at the start"


@pytest.mark.parametrize(
    ("address", "words"),
    {
        "decision_tree?view=Prune&data=moons&noise=0.5": "⇐",
        "gaussian_discriminant?data=unequal&covariance=shared": "make equally many errors",
        "perceptron?data=moons&variant=delta rule&delta_rate=1": "keep the delta rule stable",
        "linear_regression?data=line with outliers&view=outliers": "How hard each point pulls",
        "perceptron?data=moons&n=1000&epochs=200": "there are at most 50 epochs",
        "pca?data=circles&n=80&view=kernel PCA": "The matrix is centred, K̃ = K",
        "svm?data=circles&n=80&kernel=hyperbolic tangent&scale=1&offset=0.5": (
            "is not positive semi-definite"
        ),
    }.items(),
)
def test_what_holds_for_the_whole_run_is_said_beside_it(
    address: str, words: str, session: Session
) -> None:
    opened(session, address)
    scene, run = session.scene_shown, session.run_shown
    assert scene is not None
    assert run is not None
    at_last = scene.answer(len(run.steps) - 1)
    said = [scene.note, at_last, *(view.title for view in scene.views), *sum(scene.details, ())]
    assert any(words in text for text in said)


# The numbers of a rule give what it says they give.


def test_the_gain_of_a_cut(session: Session) -> None:
    opened(session, "decision_tree?data=moons")
    before, left, n, low, right, _, high, gain = numbers(
        r"falls: # − \(#/#\) · # − \(#/#\) · # = #", session.caption("→")
    )
    assert gain == pytest.approx(before - left / n * low - right / n * high, abs=0.002)


def test_pruning_lowers_the_held_out_errors(session: Session) -> None:
    opened(session, "decision_tree?view=Prune&data=moons&n=200&noise=0.5&held=30")
    (wrong,) = numbers("gets # of", session.caption())
    before, after = numbers(r"fall \(# → # of", session.caption("]"))
    assert after < before == wrong


def test_the_vote_gets_better(session: Session) -> None:
    opened(session, "ada_boost?held=0")
    (first,) = numbers("misses # of them", session.caption(""))
    (last,) = numbers("the vote of all 25 gets # of 200 wrong", session.caption("End"))
    assert last < first / 4
    assert "The stump that says" in session.caption("→")
    assert session.scene_shown is not None
    (vote,) = (text for title, text in session.scene_shown.details if "tree by tree" in title)
    assert re.search(r"25\s+α 0\.\d{3}", vote)


def test_the_likelihood_rises_by_half_steps(session: Session) -> None:
    opened(session, "gaussian_mixture?data=outlier&init=random&seed=0")
    said = r"(?:log-likelihood|rises to it), #"
    (start,), (after,) = (numbers(said, session.caption(keys)) for keys in ("", "→ →"))
    assert after > start


def test_every_linkage_measures_otherwise(session: Session) -> None:
    heights = {}
    for linkage, rule in {
        "single": "the least distance between",
        "complete": "the largest distance between",
        "average": "distances between",
        "ward": "the inertia rises by d² / 2",
    }.items():
        opened(session, f"hierarchical_clustering?linkage={linkage}")
        assert rule in session.caption("End")
        (heights[linkage],) = numbers("at height #", session.caption("End"))
    assert sorted(heights, key=lambda name: heights[name]) == [
        "single", "average", "complete", "ward",
    ]  # fmt: skip


def test_k_means_finds_what_ward_found(session: Session) -> None:
    data = "data=blobs&classes=4&n=100&noise=0.6"
    opened(session, f"hierarchical_clustering?{data}&linkage=ward")
    assert "4 clusters left" in session.caption("End ← ← ←")
    assert "to 62.205" in session.caption("End ← ← ←")
    opened(session, f"k_means?{data}&k=4&init=k-means%2B%2B")
    assert "62.205" in session.caption("End")


def test_a_gradient_step(session: Session) -> None:
    opened(session, "logistic_regression?data=moons&method=gradient&rate=0.3&start=zeros")
    old1, old2, g1, g2, new1, new2 = numbers(
        r"= \(#, #\) − 0.3 · \(#, #\) = \(#, #\)", session.caption("→")
    )
    assert new1 == pytest.approx(old1 - 0.3 * g1, abs=0.0011)
    assert new2 == pytest.approx(old2 - 0.3 * g2, abs=0.0011)


def test_power_iteration_finds_what_the_eigenvectors_have(session: Session) -> None:
    opened(session, "pca?view=power iteration&components=1")
    assert "Converged" in session.caption("]")
    (found,) = numbers(r"stays at #", session.caption("]"))
    opened(session, "pca?view=eigenvectors")
    (value,) = numbers("That is # of the variance", session.caption("]"))
    assert value == pytest.approx(found, rel=1e-2)


def test_exclusive_or_comes_back_to_its_weights(session: Session) -> None:
    opened(session, "perceptron?data=gates&second=2&n=4&noise=0&order=cyclic&init=ones")
    assert "No separator exists (linear programming)" in session.caption()
    assert "Cycle: after epoch 3 the weights are those of one epoch" in session.caption("End")
    first, rule, picked = session.caption("]").split("\n")
    assert "on the wrong side (mistake 1" in first
    assert re.match(r"Picked point: class \d, as its score w·x \+ b = ", picked)
    assert re.search(r"w ← w \+ η y x = \(1.000, 1.000\) \+ 1 · \(.1\) · \(", rule)


def test_a_pair_of_duals_goes_along_its_slope(session: Session) -> None:
    opened(session, "svm?data=moons&n=100&C=10&kernel=linear")
    caption = session.caption("→")
    slope, curvature, step = numbers("slope / curvature of D = # / # = #", caption)
    assert step == pytest.approx(slope / curvature, rel=1e-3)
    old, move, new = numbers(r"αᵢ # \+ # = #", caption)
    assert new == pytest.approx(old + move, abs=1e-3)


def test_all_at_once_reaches_the_same_objective(session: Session) -> None:
    link = "svm?data=moons&n=100&C=10&tol=0.0001"
    opened(session, link)
    assert "Converged." in session.caption("End")
    (pairs,) = numbers("D = #", session.caption("End"))
    opened(session, f"{link}&view=all at once")
    assert "Newton step on all 100 duals" in session.caption("End ←")
    assert "Converged." in session.caption("End")
    (together,) = numbers("D = #", session.caption("End"))
    assert together == pytest.approx(pairs, rel=1e-3)


def test_the_best_classifier_so_far(session: Session) -> None:
    opened(session, "wall?data=circles")
    assert "Nearest mean gets " in session.caption()
    assert "wrong, fewer than any before it." in session.caption("]")
    errors = [numbers(r" gets # of \d+ held-out", session.caption(keys))[0] for keys in ("", "]")]
    assert errors[1] < errors[0]
    last = CLASSIFIERS[-1]
    assert session.caption("End").startswith(f"{last.shape}: {last.label} gets ")
    assert last.why in session.caption("End")


def test_both_of_a_pair_are_named_where_they_disagree(session: Session) -> None:
    opened(session, "wall?data=moons&noise=0.3&sample=5&compare=LDA&against=RBF SVM")
    for keys in ("", "End"):
        assert "Hatched: LDA and RBF SVM disagree on" in session.caption(keys)
