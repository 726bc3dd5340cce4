"""The headers that deploy/nginx.conf adds must not break the app, and must forbid the rest."""

import re
from pathlib import Path

from playwright.sync_api import expect

from deploy.serve import Settings, frames
from tests.browser.conftest import Stage

NGINX = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text()
NGINX = Settings(NGINX).safe_substitute(frames([]))
HEADERS = dict(re.findall(r'add_header ([\w-]+) "?([^$"]+?)"? always;', NGINX))


FOREIGN = """document.head.append(
    Object.assign(document.createElement("script"), {src: "http://example.invalid/x.js"}))"""


def test_the_labs_work_under_the_strict_headers_and_nothing_foreign_does(chromium, server):
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    stage, refused = Stage(page, server), []
    page.on("console", lambda line: "Content Security" in line.text and refused.append(line.text))

    def add_headers(route):
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, **HEADERS})

    page.route(re.compile("^http"), add_headers)
    stage.open("k_means?n=30")
    stage.tool("Point")
    stage.click(0.1, 0.1)
    expect(stage.caption).to_contain_text("31 points")
    page.get_by_role("tab", name="Maths").click()
    expect(page.locator(".katex-display").first).to_be_visible()
    assert not refused
    with page.expect_console_message(lambda line: "example.invalid" in line.text):
        page.evaluate(FOREIGN)
    assert refused
    page.unroute_all(behavior="ignoreErrors")
    page.close()
