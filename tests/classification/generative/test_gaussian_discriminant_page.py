"""The page on the Gaussian classifiers: what its lesson says is what its runs do."""

import numpy as np
import pytest

from algorithms.classification.generative.categorical_naive_bayes import categorical_naive_bayes
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.classification.experiments import steps_of, text_of
from tests.core.figures import unpacked

GAUSSIANS = next(lab for lab in LABS if lab.name == "gaussian_discriminant")
SAMPLES = ["0", "1", "2", "3"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def wrong(session: Session, experiment: str, **changes: str) -> int:
    """Count the points that an experiment gets wrong at its end."""
    final = steps_of(session, GAUSSIANS, experiment, **changes)[-1]
    labels = unpacked(session.figure()["points"]["group"])
    count = int((final.predict(session.points) != labels).sum())
    assert f"Wrong side of the borders: {count} of {len(labels)} points" in session.captions[-1]
    return count


@pytest.mark.parametrize("sample", SAMPLES)
def test_curved_borders_where_one_class_is_wide(sample: str, session: Session) -> None:
    title = "Straight or curved?"
    curved = wrong(session, title, sample=sample)
    straight = wrong(session, title, sample=sample, covariance="shared")
    assert straight >= 3 * curved > 0
    assert sample != "0" or (curved, straight) == (3, 10)
    assert "3 of 1000" in text_of(GAUSSIANS, title)


@pytest.mark.parametrize("sample", SAMPLES)
def test_upright_ellipses_do_not_fit_slanted_classes(sample: str, session: Session) -> None:
    title = "What naive costs"
    naive = wrong(session, title, sample=sample)
    slanted = wrong(session, title, sample=sample, covariance="shared")
    assert naive >= 5 * slanted > 0
    assert sample != "0" or (naive, slanted) == (34, 6)
    assert "34 of 1000" in text_of(GAUSSIANS, title)


def test_too_many_bins_help_the_points_that_were_counted_and_not_new_ones(
    session: Session,
) -> None:
    assert wrong(session, "Steps", bins="12") < wrong(session, "Steps")
    make, found = DATASETS["moons"].make, {}
    for bins in (4, 12):
        counted, new = [], []
        for seed in range(60):
            data = make(40, noise=0.2, rng=np.random.default_rng(seed))
            fresh = make(2000, noise=0.2, rng=np.random.default_rng(1000 + seed))
            model = last(categorical_naive_bayes(data.X, data.labels, bins=bins))
            counted.append(model.mistakes(data.X, data.labels) / 40)
            new.append(np.mean(model.predict(fresh.X) != fresh.labels))
        found[bins] = np.mean(counted), 100 * np.mean(new)
    assert found[12][0] < found[4][0]
    assert found[4][1] == pytest.approx(8.2, abs=0.7)
    assert found[12][1] == pytest.approx(11.5, abs=0.7)
