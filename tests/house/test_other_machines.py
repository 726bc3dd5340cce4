"""The tests of algorithms, pictures and lessons pass with the arithmetic of other machines, too.

Libraries choose their instructions by the processor, and these differ in the last digit of a sum:
OpenBLAS has kernels for each kind, and NumPy loops for some sets of instructions.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy._core._multiarray_umath as umath  # pyright: ignore
import pytest

ROOT = Path(__file__).parents[2]
MACHINES = {
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "Sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "plain NumPy": {
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name]
        )
    },
}
ELSEWHERE = {"app", "browser", "house", "stage"}  # no arithmetic, or one that other tests have
FILES = [
    file
    for file in sorted((ROOT / "tests").rglob("test_*.py"))
    if file.relative_to(ROOT / "tests").parts[0] not in ELSEWHERE
]


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_sample_passes_on_another_machine(machine: str) -> None:
    """The ordinary tests of a share of all files: together the machines have each of them once."""
    share = FILES[list(MACHINES).index(machine) :: len(MACHINES)]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *map(str, share)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | MACHINES[machine], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
