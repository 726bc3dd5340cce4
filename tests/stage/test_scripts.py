"""The modules of the stage joined into one script, which the browser loads."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from pages._shared.stage import scripts
from tests.stage.test_stage_logic import run_node

STAGE = Path(scripts.__file__).parent
MODULES = pytest.mark.parametrize("name", scripts.SCRIPTS)
ALONE = {
    "boot/frames.js",
    "boot/judge.js",
    "boot/mount.js",
    "boot/fetch.js",
}  # components of their own
AT_THE_TOP = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const|let|var) (\w+|[{\[].*?[}\]])",
    re.MULTILINE,
)


def text_of(name: str) -> str:
    return (STAGE / name).read_text(encoding="utf-8")


def test_the_joined_scripts_are_one_module() -> None:
    done = run_node("--check", "--input-type=module", "-", text=scripts.ALL)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^\s*import\b(?!\()", scripts.ALL, re.MULTILINE)
    assert scripts.ALL.count("export default") == 1


def test_no_two_modules_share_a_name_at_their_top_level() -> None:
    homes = defaultdict(list)
    for name in scripts.SCRIPTS:
        for found in AT_THE_TOP.findall(text_of(name)):
            for each in re.findall(r"\w+", found):
                homes[each].append(name)
    assert len(homes) > 150
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


@MODULES
def test_an_import_can_be_taken_out(name: str) -> None:
    """It stands on one line and renames nothing, so that a name means the same in the whole."""
    text = text_of(name)
    lines = re.findall(r"^import\b.*", text, re.MULTILINE)
    assert len(lines) == len(scripts.imported(name))
    assert not [line for line in lines if not re.match(r"import \{ [\w, ]+ \} from", line)]
    assert not re.search(r"^import .*\bas\b|^export (\*|\{)", text, re.MULTILINE)


def test_no_script_is_left_out_and_each_comes_after_what_it_needs() -> None:
    assert {str(path.relative_to(STAGE)) for path in STAGE.rglob("*.js")} == {
        *scripts.SCRIPTS,
        *ALONE,
    }
    place = {name: i for i, name in enumerate(scripts.SCRIPTS)}
    for name in scripts.SCRIPTS:
        for needed in scripts.imported(name):
            other = ((STAGE / name).parent / needed).resolve().relative_to(STAGE)
            assert place[str(other)] < place[name], f"{name} needs {needed}"


def test_a_server_hands_out_all_scripts_as_a_file_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "_handed_out", False)
    assert scripts.loader() == scripts.ALL
    (route,) = scripts.routes()
    answer = route.endpoint(None)  # type: ignore
    assert answer.body.decode() == scripts.ALL
    assert "immutable" in answer.headers["Cache-Control"]
    assert f"{{location.origin}}{route.path}`" in scripts.loader()
    assert len(scripts.loader()) < 500
    done = run_node("--check", "--input-type=module", "-", text=scripts.loader())
    assert done.returncode == 0, done.stderr
