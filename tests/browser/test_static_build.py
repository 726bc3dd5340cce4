"""The app as a folder of static files: built once, served under a path of its own, and used."""

import ast
import gzip
import http.server
import json
import re
import subprocess
import sys
import threading
import tomllib
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

import pytest
import streamlit
from playwright.sync_api import Route, expect

from deploy.browser.build import bare
from pages._shared.lab.catalogue import LABS
from tests.browser.conftest import BROWSERS, ROOT, Stage, installed
from tests.browser.test_data_panel import CSV, upload
from tests.browser.test_labs import problems

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
START = 120_000  # milliseconds: Python starts anew at every visit, however busy the machine is
OUT_OF_REACH = "The package registry did not give what parts.json names"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder, one level down, so that it is served as many hosts would."""
    folder = tmp_path_factory.mktemp("static") / "chalkline"
    command = [sys.executable, "deploy/browser/build.py", "--to", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    if OUT_OF_REACH in done.stderr:  # whose doing is not ours
        pytest.skip("NOT TESTED: without the package registry the static app cannot be built")
    assert done.returncode == 0, f"the static app was not built:\n{done.stderr[-3000:]}"
    return folder


class Handler(http.server.SimpleHTTPRequestHandler):
    """The handler of `python -m http.server`, which also notes the files that it did not find."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def log_error(self, format: str, *args: object) -> None:
        self.server.missed.append(self.path)


class Host(http.server.ThreadingHTTPServer):
    def __init__(self, folder) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.missed: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


@pytest.fixture
def host(built):
    host = Host(built.parent)
    yield host
    host.stop()
    assert host.missed == []


@pytest.fixture
def visitor(chromium, host):
    """Return a fresh browser. The test fails if a page throws or requests any other host."""
    address = f"http://127.0.0.1:{host.server_port}"
    context = chromium.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    wrong: list[str] = []
    context.on("weberror", lambda error: wrong.append(f"thrown: {error.error}"))
    context.on(
        "request",
        lambda sent: (
            sent.url.startswith((address, "data:", "blob:")) or wrong.append(f"asked: {sent.url}")
        ),
    )
    yield Stage(context.new_page(), f"{address}/chalkline")
    context.close()
    assert wrong == []


def wait_for_app(stage: Stage) -> None:
    expect(stage.page.locator("#start")).to_have_count(0, timeout=START)


def wait_for_stage(stage: Stage) -> None:
    wait_for_app(stage)
    expect(stage.page.locator(".stage .plot .main-svg").first).to_be_attached(timeout=START)
    expect(stage.caption).not_to_be_empty()


def choose_lab(stage: Stage, section: str, title: str) -> None:
    stage.menu(section, title)
    wait_for_stage(stage)


def test_the_folder_is_small(built):
    contents = [file.read_bytes() for file in built.rglob("*") if file.is_file()]
    assert sum(map(len, contents)) < 60e6
    assert sum(min(len(one), len(gzip.compress(one))) for one in contents) < 25e6
    assert not [*built.rglob("*.map")]


def test_every_file_has_its_licence(built):
    parts = tomllib.loads((ROOT / "deploy/browser/licences.toml").read_text())["parts"]
    text = (built / "LICENSES.txt").read_text()
    patterns = [pattern for part in parts for pattern in part["files"]]
    for file in built.rglob("*"):
        name = file.relative_to(built).as_posix()
        assert file.is_dir() or any(fnmatch(name, each) for each in patterns), name
    for words in (
        "Mozilla Public License Version 2.0", "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2",
        "The OpenBLAS Project", "Apache License", "SIL OPEN FONT LICENSE", "Khan Academy",
        "Chalkline", "gifenc", "NumPy Developers", "Enthought", "Plotly",
    ):  # fmt: skip
        assert words in text, words
    for package in json.loads((ROOT / "deploy/browser/parts.json").read_text())["wheels"]:
        named = package.split("-")[0]
        assert f"{named}-" in text or named == "streamlit", f"{named} brings no licence"
    assert 'href="../LICENSES.txt"' in (built / "k_means" / "index.html").read_text()


def code(source: bytes) -> tuple[str, list[int]]:
    """Return a module without the text of its docstrings, and the lines that its parts begin in."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if documented and ast.get_docstring(node) is not None:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    return ast.dump(tree), [node.lineno for node in ast.walk(tree) if hasattr(node, "lineno")]


def test_nothing_but_docstrings_and_comments_is_left_out_of_a_package():
    files = [*Path(streamlit.__file__).parent.glob("*.py")]
    before = [file.read_bytes() for file in files]
    after = [bare("module.py", source) for source in before]
    assert list(map(code, after)) == list(map(code, before))
    assert sum(map(len, after)) < 0.8 * sum(map(len, before))


def test_a_class_hour_without_a_server(visitor, host, built, tmp_path):
    page = visitor.page
    page.goto(f"{visitor.address}/")
    # The start page is there before anything else, and says what is loading and how much.
    expect(page.locator("#start h1")).to_have_text("Chalkline")
    expect(page.get_by_role("progressbar", name="Loaded")).to_be_visible()
    expect(page.locator("#amount")).to_contain_text("MB")
    expect(page.locator("#start").get_by_role("link", name="k-means")).to_be_visible()
    assert problems(page) == []
    page.emulate_media(color_scheme="dark")
    # Streamlit's style comes meanwhile, in the theme that was chosen there: not for this page.
    page.add_style_tag(content="body { background: white }")
    assert problems(page) == []
    page.emulate_media(color_scheme="light")
    # A lab that is chosen there is the one that opens.
    page.locator("#start").get_by_role("link", name="k-means").click()
    wait_for_stage(visitor)
    expect(page.locator(".lab-title h1")).to_have_text("k-means")

    visitor.tool("Play")
    expect(visitor.where).to_contain_text("step 2", timeout=START)
    slider = page.get_by_role("slider", name="Clusters k").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile("k=5"))
    slider.blur()  # where Home has a meaning of its own
    visitor.press("Home")
    expect(visitor.caption).to_contain_text("Start: 5 centres")
    expect(visitor.count).to_have_text("200 points")
    visitor.tool("Point")
    visitor.click(0.5, 0.9)
    expect(visitor.count).to_have_text("201 points")

    upload(visitor, "pets.csv", CSV)
    expect(visitor.count).to_have_text("5 points")
    visitor.open_data()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "chalkline.csv"
    download.value.save_as(tmp_path / "chalkline.csv")
    assert len((tmp_path / "chalkline.csv").read_text().splitlines()) == 1 + 5
    visitor.close_data()

    choose_lab(visitor, "Classification", "Decision tree")
    expect(visitor.count).to_have_text("5 points")
    choose_lab(visitor, "Regression", "Linear regression")

    # What is taken away holds Plotly's own script, which comes last of all.
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="One HTML file").click()
    assert download.value.suggested_filename.endswith(".html")
    download.value.save_as(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 4e6
    visitor.press("Escape")

    # The link brings the same points to somebody else; a host sends it on to the lab's folder.
    choose_lab(visitor, "Clustering", "k-means")
    page.wait_for_url("**points=**")
    link = page.url
    assert link.startswith(f"{visitor.address}/k_means?")
    kept = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")

    # From now on there is neither a host nor a network.
    host.stop()
    page.context.set_offline(True)
    page.goto(link)
    wait_for_stage(visitor)
    expect(visitor.count).to_have_text("5 points")
    assert page.evaluate(kept)
    page.goto(f"{visitor.address}/")
    wait_for_app(visitor)
    expect(page.get_by_role("link", name="Decision tree").first).to_be_visible()
    page.get_by_role("link", name="A course of fourteen weeks").click()
    expect(page.get_by_role("heading", name="Week 12")).to_be_attached(timeout=START)
    count = len([*built.rglob("situations/*_light.avif")])
    assert count > 100
    page.wait_for_function(
        "(count) => [...document.images].filter((image) => image.naturalWidth).length === count",
        arg=count, timeout=START,
    )  # fmt: skip


def test_a_link_to_a_lab_is_a_first_visit_too(visitor):
    page = visitor.page
    page.goto(f"{visitor.address}/decision_tree?criterion=gini")
    expect(page.locator("#start h1")).to_have_text("Decision tree")
    wait_for_stage(visitor)
    expect(page.locator(".lab-title h1")).to_have_text("Decision tree")
    expect(page.get_by_text("The link was corrected")).to_have_count(0)
    assert "criterion=gini" in page.url


def test_a_tab_that_visits_every_lab_twice_keeps_its_size(visitor):
    page = visitor.page

    def with_python_in_reach(route: Route) -> None:
        asked = route.fetch()
        reach = "\nstarted.then(({ python }) => (globalThis.python = python));"
        route.fulfill(response=asked, body=asked.text() + reach)

    page.route(re.compile(r"/kernel\.js"), with_python_in_reach)
    page.goto(f"{visitor.address}/{LABS[0].name}")
    wait_for_stage(visitor)
    tools, sizes = page.context.new_cdp_session(page), []
    for _ in range(2):
        for lab in LABS:
            choose_lab(visitor, lab.section.title, lab.title)
        tools.send("HeapProfiler.collectGarbage")
        scripts = tools.send("Runtime.getHeapUsage")["usedSize"]
        python = page.workers[0].evaluate("python._module.HEAP8.length")
        sizes.append((scripts, python, tools.send("Memory.getDOMCounters")["jsEventListeners"]))
    (scripts, python, listeners), (scripts_after, python_after, listeners_after) = sizes
    assert scripts_after < scripts + 0.5e6 * len(LABS)
    assert python_after < python + 0.5e6 * len(LABS)
    assert listeners_after < listeners + len(LABS)


def test_a_frame_of_another_site_that_may_store_nothing(chromium, host, tmp_path):
    profile = tmp_path / "profile"
    (profile / "Default").mkdir(parents=True)
    blocked = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
    (profile / "Default" / "Preferences").write_text(json.dumps(blocked))
    app = f"http://127.0.0.1:{host.server_port}/chalkline/k_means/?k=3&embed=true"
    deck = Path(host.RequestHandlerClass.keywords["directory"], "deck.html")
    deck.write_text(
        "<!doctype html><link rel=icon href='data:,'>"
        f"<iframe src='{app}' width=800 height=450></iframe>"
    )
    context = chromium.browser_type.launch_persistent_context(
        str(profile), executable_path=installed(BROWSERS), args=["--no-sandbox"]
    )
    wrong: list[str] = []
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    page = context.new_page()
    page.goto(f"http://localhost:{host.server_port}/deck.html")  # not the site of 127.0.0.1
    framed = page.frame_locator("iframe")
    expect(framed.locator(".stage .plot .main-svg").first).to_be_attached(timeout=START)
    expect(framed.locator(".stage .caption")).not_to_be_empty()
    refused = "() => { try { return !localStorage } catch { return true } }"
    assert page.frames[1].evaluate(refused)
    page.locator("iframe").click(position={"x": 600, "y": 200})
    page.keyboard.press("ArrowRight")
    expect(framed.locator(".stage .where")).to_contain_text("step 1 of")
    page.keyboard.press("Escape")
    assert page.frames[1].evaluate("'present' in document.documentElement.dataset")
    context.close()
    deck.unlink()
    assert wrong == []
