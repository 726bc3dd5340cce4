"""The tests of the experiments can fail: without any parameter of a link, one of them does."""

import subprocess
import sys
from pathlib import Path

import pytest

from pages._shared.lab.catalogue import LABS

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("lab", [lab.name for lab in LABS])
def test_no_parameter_of_an_experiment_can_be_left_out_unnoticed(lab: str) -> None:
    command = [sys.executable, "-m", "tests.house.changed_links", lab]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
