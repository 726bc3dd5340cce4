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
    stored = 4 * (32 + 32 + 1)
    return [4, 8, missed(steps, 4), stored, 32 * 32, 7, missed(steps, 7), len(steps) - 1]


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


def arrows(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix, and the singular values found by trying all directions."""
    A = trial.steps()[-1].M
    turn = np.linspace(0, np.pi, 20_001)
    lengths = np.linalg.norm(A @ [np.cos(turn), np.sin(turn)], axis=0)
    return A, np.array([lengths.max(), lengths.min()])


def stretched_most(trial: Trial) -> Numbers:
    A, found = arrows(trial)
    images = A @ trial.steps()[-1].V
    assert abs(images[:, 0] @ images[:, 1]) < 1e-9
    return [*np.linalg.norm(A, axis=0), *found]


def in_the_mirror(trial: Trial) -> Numbers:
    A, found = arrows(trial)
    before = trial.steps(columns="1.2,-0.4;1,1.4")[-1].M
    np.testing.assert_allclose(A, before[:, ::-1])
    steps = trial.steps(columns="1,1.4;1.2,-0.4")
    shortest = min(np.linalg.norm(step.M @ step.V[:, 1]) for step in steps if step.count > 12)
    assert shortest < 1e-9
    return [*found, np.linalg.det(A)]


def it_is_pca(trial: Trial) -> Numbers:
    end, X = trial.steps()[-1], trial.data.X
    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    variances = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    x, y = end.M[:, 0]
    return [*s, len(X) - 1, *variances, *np.sqrt(variances), np.degrees(np.arctan2(y, x))]


test_claims = claims_test(
    "singular_values",
    {"How many terms is an S?": an_s, "Four corners": four_corners, "A slanted line": slanted}
    | {"Stretched most": stretched_most, "In the mirror": in_the_mirror}
    | {"Stretched and turned: PCA": it_is_pca},
)
