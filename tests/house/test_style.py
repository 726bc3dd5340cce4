"""Lint, format and types, and the documents agree with the files."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(900)  # one busy core
@pytest.mark.parametrize(
    "tool",
    ["ruff check .", "ruff format --check .", pytest.param("pyright", marks=pytest.mark.thorough)],
)
def test_tools_find_nothing(tool):
    command = [sys.executable, "-m", *tool.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in readme if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_versions_are_pinned():
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").split("\n"):
            assert not line or line.startswith("-r ") or "==" in line
