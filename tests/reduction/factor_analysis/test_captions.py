"""What the captions say of the part of a variance that is common."""

import re

import numpy as np
import pytest

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.told import value

(LAB,) = (lab for lab in LABS if lab.name == "factor_analysis")


@pytest.mark.parametrize("seed", [0, 1])
def test_chance_is_why_noise_changes_the_common_part(session: Session, seed: int) -> None:
    captions = session.open(LAB, view="noise", seed=str(seed)).captions
    assert session.run_shown
    first, *_, last = session.run_shown.steps
    z = (first.table - first.factors.mean) @ first.factors.regression[0]
    chance = np.corrcoef(last.table[:, 1] - first.table[:, 1], z)[0, 1]
    grows = last.factors.common[1] > first.factors.common[1]
    assert grows == (chance > 0) == (seed == 0)
    said = re.search(
        r"correlation of ([−\d.]+) with .*: the common part (grew|shrank) from ([\d.]+)\.",
        captions[-1],
    )
    assert said and said[2] == ("grew" if grows else "shrank")
    assert value(said[3]) == pytest.approx(first.factors.common[1], rel=5e-3)
    assert value(said[1]) == pytest.approx(chance, rel=5e-2)
    assert all("fitted to all 5 columns" in caption for caption in captions)
    assert not any("chance" in caption for caption in captions[:-1])
