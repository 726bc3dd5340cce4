"""What the lesson of singular values says of its experiments."""

import numpy as np

from tests.house.claims import Numbers, Trial, claims_test


def missed(steps, k: int) -> float:
    """Return which percentage of the squares the first k terms miss."""
    A = steps[-1].rebuilt
    return 100 * np.square(A - steps[k].rebuilt).sum() / np.square(A).sum()


def an_s(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[-1].event == "exact"
    return [4, missed(steps, 4), 4 * (32 + 32 + 1), 32 * 32, len(steps) - 1]


def four_corners(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert np.allclose(steps[1].rebuilt.sum(), 16)
    return [len(steps) - 1]


def slanted(trial: Trial) -> Numbers:
    steps = trial.steps()
    found = [missed(steps, 4), missed(trial.steps(data="s_curve", noise="0.02"), 4)]
    A = np.round(steps[-1].rebuilt).astype(int)
    rows = [tuple(row) for row in A.tolist() if any(row)]
    assert len(set(rows)) >= 0.9 * len(rows)
    return [*found, len(steps) - 1]


test_claims = claims_test(
    "singular_values",
    {"How many terms is an S?": an_s, "Four corners": four_corners, "A slanted line": slanted},
)
