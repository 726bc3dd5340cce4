"""Every widget of every mode of every lab; in the ordinary tests a sample of them."""

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.clustering.k_means import k_means
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.crawl import Crawler, kinds_of_data, views

pytestmark = pytest.mark.usefixtures("as_in_the_app")

EVERY_LAB = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)


@pytest.mark.parametrize("seed", range(3))
def test_a_visitor_who_moves_this_and_that(seed: int) -> None:
    chance = random.Random(seed)
    lab = chance.choice(LABS)
    kinds = kinds_of_data(lab)
    Crawler(lab, kinds[seed % len(kinds)], chance.choice(views(lab))).stroll(chance, 6)


def breaks_at_eight(X: np.ndarray, k: int, **how: object) -> Iterator[object]:
    if k == 8:
        raise RuntimeError("eight")
    return iter(list(unbroken(X, k, **how)))


unbroken = k_means.k_means


def test_a_widget_that_breaks_its_lab_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = next(lab for lab in LABS if lab.name == "k_means")
    monkeypatch.setattr(k_means, "k_means", breaks_at_eight)
    with pytest.raises(AssertionError, match=re.escape("drawn: k_means.k = 8")):
        Crawler(lab, "drawn", None).walk()


@pytest.mark.long
@pytest.mark.timeout(400)
@EVERY_LAB
def test_every_widget_of_every_mode(lab: LabFile) -> None:
    for view in views(lab):
        for data in kinds_of_data(lab):
            crawler = Crawler(lab, data, view)
            crawler.walk()
            turned = any(view["track"] for view in crawler.session.opening["views"])
            assert crawler.moves >= 2 or turned, view
