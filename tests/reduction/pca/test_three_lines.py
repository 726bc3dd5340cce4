import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression

from algorithms.data.presets import DATASETS
from algorithms.reduction.pca.three_lines import LineStep, three_lines
from tests.house.check_steps import AsInTheApp, check_steps

PRESETS = ["line", "iris", "penguins", "diabetes", "parallel", "sine"]


def cloud(name: str) -> np.ndarray:
    preset = DATASETS[name]
    return preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(2)).X


def best(steps: list[LineStep], side: str) -> LineStep:
    return next(step for step in steps if step.event == f"least {side}")


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("standardize", [False, True])
def test_the_three_lines_are_those_of_scikit_learn(name: str, standardize: bool) -> None:
    X = cloud(name)
    steps = check_steps(three_lines(X, standardize=standardize))
    x, y = X[:, :1], X[:, 1:]
    assert best(steps, "up").slope == pytest.approx(LinearRegression().fit(x, y).coef_.item())
    on_y = LinearRegression().fit(y, x).coef_.item()
    assert best(steps, "sideways").slope == pytest.approx(1 / on_y)
    spread = X.std(axis=0) if standardize else np.ones(2)
    u = PCA(1).fit(X / spread).components_[0] * spread
    assert best(steps, "across").slope == pytest.approx(u[1] / u[0])


@pytest.mark.parametrize("name", PRESETS)
def test_each_is_least_at_its_own_line_and_the_axis_lies_between(name: str) -> None:
    X = cloud(name)
    units = tuple(np.ptp(X, axis=0).tolist())
    steps = list(three_lines(X, units=units))
    for side in ("up", "across", "sideways"):
        least = min(getattr(step, side) for step in steps)
        assert getattr(best(steps, side), side) == pytest.approx(least, rel=1e-9)
    for standardize in (False, True):
        steps = list(three_lines(X, standardize=standardize))
        slopes = [abs(best(steps, side).slope) for side in ("up", "across", "sideways")]
        assert slopes == sorted(slopes)
        r = np.corrcoef(X.T)[0, 1]
        assert slopes[0] / slopes[2] == pytest.approx(r**2)
        assert steps[-1] is best(steps, "across")


def test_the_mean_squares_are_those_of_the_distances() -> None:
    X = cloud("line")
    offsets = X - X.mean(axis=0)
    for step in list(three_lines(X))[1::9]:
        up = offsets[:, 1] - step.slope * offsets[:, 0]
        assert step.up == pytest.approx((up**2).sum() / (len(X) - 1))
        assert step.sideways == pytest.approx(((up / step.slope) ** 2).sum() / (len(X) - 1))
        lost = X - step.reconstruct(X)
        assert step.across == pytest.approx((lost**2).sum() / (len(X) - 1))


def test_columns_that_do_not_vary_together() -> None:
    X = np.array([[-2.0, 0], [2, 0], [0, -1], [0, 1]])
    steps = list(three_lines(X))
    assert best(steps, "up").slope == 0
    assert best(steps, "across").slope == 0
    assert best(steps, "sideways").slope == np.inf
    upright = list(three_lines(np.array([[1.0, 0], [1, 1], [1, 3]])))
    assert best(upright, "across").slope == np.inf


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones((4, 2)), "two different points"),
        (np.arange(6.0).reshape(2, 3), "two columns"),
    ],
)
def test_bad_points_are_refused(X: np.ndarray, message: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=message):
        three_lines(X)
