import numpy as np
from scipy.spatial.distance import cdist

from algorithms.clustering.k_medoids.categories import ANIMALS, by_chance
from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import vector

KINDS = {"build", "swap", "try", "sample", "row", "value"}
SETTINGS = {
    "view": ["PAM", "CLARANS", "CLARA", "k-modes"],
    "table": ["animals", "by chance"],
    "drawn": range(20),
    "modes": range(1, 6),
    "data": ["blobs", "moons", "stretched", "outlier"],
    "n": [30, 100],
    "k": range(2, 7),
    "init": ["BUILD", "random"],
    "metric": ["euclidean", "manhattan"],
    "seed": range(100),
    "size": [10, 20],
    "samples": [5, 10],
}


def judge(asked: Asked) -> str:
    if asked.link["view"] == "k-modes":
        return judge_half_step(asked)
    before, after, X = asked.before, asked.after, asked.X
    far = cdist(X, X, {"euclidean": "euclidean", "manhattan": "cityblock"}[after.metric])
    if asked.link["view"] == "CLARANS":
        gone = after.gone
        assert vector(X[gone]) in asked.question.text and gone in before.medoids
        swapped = [asked.point if i == gone else i for i in before.medoids.tolist()]
        costs = [far[list(medoids)].min(axis=0).sum() for medoids in (before.medoids, swapped)]
        assert (costs[1] < costs[0]) == asked.right.startswith("Yes")
        return "try"
    if asked.link["view"] == "CLARA":
        costs = [far[step.medoids].min(axis=0).sum() for step in asked.steps[: asked.now + 2]]
        assert (costs[-1] < min(costs[:-1])) == asked.right.startswith("Yes")
        return "sample"
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    medoids, k = before.medoids.tolist(), len(after.medoids)
    costs = []
    for point in points:
        kept = [medoids] if len(medoids) < k else [medoids[:j] + medoids[j + 1 :] for j in range(k)]
        costs.append(min(far[[*rest, point]].min(axis=0).sum() for rest in kept))
    assert np.argmin(costs) == asked.question.right
    assert points[asked.question.right] in after.medoids
    return after.phase


def judge_half_step(asked: Asked) -> str:
    """Count the cells again, row by row."""
    assert asked.run.call
    rows = asked.run.call.args[0].tolist()
    modes, text = asked.before.modes.tolist(), asked.question.text
    table = ANIMALS if asked.link["table"] == "animals" else by_chance(rng=np.random.default_rng(0))
    if text.startswith("Assign"):
        (i,) = (i for i, name in enumerate(table.names) if text.endswith(f" takes {name}?"))
        differ = [sum(a != b for a, b in zip(rows[i], mode, strict=True)) for mode in modes]
        right = int(asked.right.removeprefix("mode ")) - 1
        assert all(differ[right] < far for j, far in enumerate(differ) if j != right)
        return "row"
    j = int(text.split("mode ")[1].split()[0]) - 1
    column = table.columns.index(text.split("“")[1].split("”")[0])
    mine = [row[column] for row, c in zip(rows, asked.before.labels, strict=True) if c == j]
    count = {option.text: 0 for option in asked.question.options}
    for value in mine:
        count[table.values[column][value]] += 1
    assert all(count[asked.right] > n for name, n in count.items() if name != asked.right)
    assert table.values[column][asked.after.modes[j, column]] == asked.right
    return "value"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("k_medoids", SETTINGS, count, judge, KINDS)
