"""Run exported code as a student does: in a fresh environment, without the project."""

import io
import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

PACKAGES = ("numpy", "scipy")


def fresh_python(folder: Path) -> Path:
    """Make an environment that has NumPy and SciPy and nothing else; return its Python."""
    venv.create(folder / "env", with_pip=False, symlinks=True)
    installed = folder / "installed"
    installed.mkdir()
    for name in PACKAGES:
        spec = find_spec(name)
        assert spec and spec.origin
        package = Path(spec.origin).parent
        for part in (package, package.with_name(f"{name}.libs")):  # its compiled libraries
            if part.exists():
                (installed / part.name).symlink_to(part)
    (packages,) = (folder / "env").glob("lib/python*/site-packages")
    (packages / "installed.pth").write_text(str(installed), encoding="utf-8")
    return folder / "env" / "bin" / "python"


def run_script(
    python: Path, script: Path, machine: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Run a script in its own folder, fail if it fails, and return what it prints.

    machine : variables of the environment that give it the arithmetic of another machine.
    """
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, script.name],
        cwd=script.parent,
        env=clean | machine,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def execute(script: str) -> None:
    """Run a script in this process; fail if its last step differs.

    The modules that it makes are gone afterwards.
    """
    ours = [name for name in sys.modules if name.partition(".")[0] == "algorithms"]
    kept = {name: sys.modules.pop(name) for name in ours}
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            exec(compile(script, "script", "exec"), {})
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "algorithms"]:
            del sys.modules[name]
        sys.modules.update(kept)
    sys.stdout.write(said.getvalue())
    assert "the same last step" in said.getvalue(), said.getvalue()
