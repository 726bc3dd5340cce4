"""The table of results that deploy/read_results.py writes, from texts of the stage."""

import csv
import json
import subprocess
import sys
from pathlib import Path

from deploy.read_results import check_code, read_result
from tests.stage.test_stage_logic import QUIET, run_node

ROOT = Path(__file__).parents[2]
RESULT = {
    "name": "Žofie Größenwahn", "lab": "k_means, seeding",
    "link": "https://a.org/k_means?quiz=1&quiz_seed=7", "began": 1.7e12,
    "answers": [
        {"step": 3, "question": {"text": "Which?", "right": 0, "options": [{"text": "x ≤ −1"}]},
         "chosen": 0, "right": True, "at": 1.7e12 + 4000, "seconds": 4},
    ],
}  # fmt: skip


def written() -> str:
    script = (ROOT / "pages/_shared/stage/result.js").as_uri()
    code = (
        f"import {{ resultText }} from {json.dumps(script)};"
        f"process.stdout.write(resultText({json.dumps(RESULT)}))"
    )
    done = run_node(QUIET, "--input-type=module", text=code)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_result_is_read_and_its_code_fits_until_it_is_edited(tmp_path: Path) -> None:
    text = written()
    found = read_result(text)
    assert found["Name"] == RESULT["name"] and found["Score"] == "1 of 1"
    assert found["Questions"] == "1, drawn with seed 7" and found["Code"] == "fits"
    mail = "Dear teacher,\r\n\r\n" + text.replace("\n", "\r\n")
    assert read_result(mail) == found
    for old, new in (("1 of 1", "2 of 2"), ("Größenwahn", "X"), ("4 s", "2 s"), ("Check", "No")):
        assert read_result(text.replace(old, new, 1))["Code"] == "does not fit"
    assert read_result("")["Code"] == "does not fit"
    assert check_code("a") == "af63-dc4c-8601-ec8c"

    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "b.txt").write_text(text.replace("Žofie", "=1+1"), encoding="utf-8")
    script = ROOT / "deploy" / "read_results.py"
    names = [tmp_path / "a.txt", tmp_path / "b.txt"]
    done = subprocess.run(
        [sys.executable, script, *names],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["Code"] for row in rows] == ["fits", "does not fit"]
    assert rows[1]["Name"].startswith("'=")
