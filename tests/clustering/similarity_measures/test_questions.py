import numpy as np
from scipy.spatial.distance import cdist

from algorithms.data.baskets import BASKETS
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["neighbours", "neighbours", "yes or no"],
    "binary": ["simple matching", "Jaccard", "shared yes"],
    "shopper": BASKETS.shoppers,
    "measure": ["Minkowski", "Chebyshev", "cosine", "Mahalanobis"],
    "p": [0.5, 1, 3],
    "data": ["stretched", "moons", "outlier", "parallel"],
    "n": [12, 60],
    "sample": range(100),
    "k": [5, 10],
}


def shoppers(asked: Asked) -> str:
    """Compare with SciPy: is the next row the nearest so far?"""
    names = {"simple matching": "hamming", "Jaccard": "jaccard", "shared yes": "russellrao"}
    table, this, other = BASKETS.bought, asked.after.row, asked.after.other
    (far,) = cdist(table[[this]], table, names[asked.link["binary"]])
    nearer = far[other] < far[asked.before.compared].min()
    assert nearer == (asked.right == f"{BASKETS.shoppers[other]} is nearer")
    return "shoppers"


def judge(asked: Asked) -> str:
    """Compare with SciPy: no other option is as near, and no point before it was left out."""
    if asked.link["view"] == "yes or no":
        return shoppers(asked)
    measure, query = asked.link["measure"], asked.before.query[None]
    kinds = {
        "Minkowski": ("minkowski", {"p": float(asked.link.get("p", 2))}),
        "Chebyshev": ("chebyshev", {}),
        "cosine": ("cosine", {}),
        "Mahalanobis": ("mahalanobis", {"VI": np.linalg.inv(np.cov(asked.X.T))}),
    }
    name, how = kinds[measure]
    far = cdist(query, asked.X, name, **how)[0]
    options = [asked.nearest(option) for option in range(len(asked.question.options))]
    right = options.pop(asked.question.right)
    assert right == np.argsort(far, kind="stable")[asked.now + 1]
    assert (far[options] > far[right]).all()
    return measure


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    kinds = {"Minkowski", "Chebyshev", "cosine", "Mahalanobis", "shoppers"}
    check_judgements("similarity_measures", SETTINGS, count, judge, kinds)
