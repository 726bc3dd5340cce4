"""The static build uses the same versions of packages as the server."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Pyodide brings its own versions of what is compiled.
COMPILED = {"numpy", "scipy", "contourpy"}


def test_the_static_build_has_the_server_s_versions():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    required = dict(line.split("==") for line in lines)
    parts = json.loads((ROOT / "deploy/browser/parts.json").read_text(encoding="utf-8"))
    built = dict(name.split("-")[:2] for name in parts["wheels"])
    assert {name: built.get(name) for name in required.keys() - COMPILED} == {
        name: version for name, version in required.items() if name not in COMPILED
    }
    assert {name.partition("-")[0] for name in parts["pyodide"]["files"]} >= COMPILED
