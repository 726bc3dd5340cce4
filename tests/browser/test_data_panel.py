"""Own data: files, pasted text, download."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_labs import problems

pytestmark = pytest.mark.thorough

CSV = """height;weight;sort
1,5;2,5;cat
1,7;2,25;cat
3,0;4,0;dog
3,2;4,25;dog
2,9;4,1;dog
"""
ARFF = """@relation pets
@attribute 'body height' numeric
@attribute weight numeric
@attribute age numeric
@attribute sort {cat, dog}
@data
1.5, 2.5, 1, cat
1.7, ?, 2, cat
3.0, 4.0, 2, dog
3.2, 4.25, 7, dog
"""


def upload(stage, name: str, text: str) -> None:
    stage.read(name, text.encode())
    stage.use()


def test_a_csv_file_with_decimal_commas(stage):
    stage.open("k_means?k=2")
    upload(stage, "pets.csv", CSV)
    expect(stage.count).to_have_text("5 points")
    expect(stage.page.locator(".on-board")).to_have_text("pets.csv: 5 points, 2 classes")
    expect(stage.page.locator(".stage .plot .xtitle")).to_have_text("height")
    stage.open_data()
    expect(stage.page.get_by_text("semicolons").first).to_be_visible()
    stage.close_data()
    stage.press("End")
    expect(stage.caption).to_contain_text("converged")
    stage.menu("Classification", "Logistic regression")
    expect(stage.count).to_have_text("5 points")
    expect(stage.caption).to_contain_text("of 5 points are right")
    names = stage.page.locator(".stage .picture .stage-legend text")
    expect(names).to_have_text(["cat", "dog"])
    stage.press("3")
    stage.tool("Point")
    stage.click(0.5, 0.5)
    expect(names).to_have_text(["cat", "dog", "class 3"])


def test_an_arff_file_with_a_missing_value_and_its_columns(stage):
    stage.open("k_means?k=2")
    stage.read("pets.arff", ARFF.encode())
    dialog = stage.page.get_by_role("dialog", name="Your own data")
    expect(dialog.get_by_text("1 row left out")).to_be_visible()
    stage.press("Escape")
    expect(dialog).to_be_hidden()
    expect(stage.page.locator(".on-board")).to_contain_text("Blobs")  # nothing is used
    upload(stage, "pets.arff", ARFF)
    expect(stage.count).to_have_text("3 points")
    expect(stage.page.locator(".stage .plot .ytitle")).to_have_text("weight")
    stage.page.get_by_role("button", name="Load", exact=True).click()
    stage.choose("Column for y", "age")
    stage.page.get_by_role("combobox", name="Other features").click()
    stage.press("Backspace")
    expect(dialog.get_by_text("1 row left out")).to_be_hidden()
    stage.press("Tab")  # the list of features closes, and the others are in reach again
    assert problems(stage.page) == []
    stage.page.get_by_role("button", name="Use these data").focus()
    stage.press("Enter")
    expect(stage.page.locator(".stage .plot .ytitle")).to_have_text("age")
    expect(stage.count).to_have_text("4 points")


def test_first_rows_are_shown_and_a_preset_does_not_lose_the_data(stage):
    stage.open("k_means?k=2")
    stage.read("pets.csv", CSV.encode())
    rows = stage.page.get_by_role("region", name="First rows").locator("tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.first).to_have_text("1.52.5cat")
    stage.use()
    stage.open_data()
    expect(stage.page.get_by_text("Your own points are on the board.")).to_be_visible()
    stage.page.get_by_role("spinbutton", name="Points n").fill("31")
    stage.press("Enter")
    expect(stage.count).to_have_text("31 points")
    stage.page.get_by_role("button", name="Back to your data").click()
    expect(stage.count).to_have_text("5 points")
    expect(stage.page.locator(".on-board")).to_have_text("pets.csv: 5 points, 2 classes")


def test_what_a_lesson_sets_is_in_the_panel(stage):
    stage.open("k_means")
    stage.page.get_by_role("link", name="A bad start").first.click()
    expect(stage.page).to_have_url(re.compile("noise=0.3"))
    stage.press("ArrowRight", "ArrowRight")  # the page runs again before the panel is opened
    stage.settle()
    stage.open_data()
    expect(stage.page.get_by_role("spinbutton", name="Points n")).to_have_value("200")
    expect(stage.page.get_by_role("slider", name="Noise")).to_have_value("0.3")


BAD_FILES = {
    "empty.csv": ("", "empty"),
    "words.csv": ("a,b\nx,y\nz,w\n", "fewer than two columns of numbers"),
    "many.csv": (",".join("a" * 70) + "\n" + ",".join("1" * 70), "columns"),
}


def test_a_bad_file_says_why_and_the_data_stay(stage):
    stage.open("k_means?n=30")
    for name, (text, sentence) in BAD_FILES.items():
        stage.read(name, text.encode())
        alert = stage.page.get_by_role("dialog").locator("[data-testid=stAlert]")
        expect(alert).to_contain_text(sentence)
        expect(stage.page.get_by_role("button", name="Use these data")).to_be_disabled()
        expect(stage.count).to_have_text("30 points")


def test_names_in_a_file_are_shown_as_they_are(stage):
    name = "<img src=x onerror=alert(1)> ![p](http://example.invalid/p.png)"
    stage.open("k_means?k=2")
    upload(stage, "www.example.invalid.csv", f'"{name}",b\n1,2\n3,4\n5,7\n')
    expect(stage.count).to_have_text("3 points")
    expect(stage.page.get_by_text("example.invalid.csv: 3 points")).to_be_visible()
    expect(stage.page.locator("a[href*=example]")).to_have_count(0)
    expect(stage.page.locator(".stage .plot .xtitle")).to_contain_text("![p](http")
    expect(stage.page.locator("img[src*=example]")).to_have_count(0)


def test_pasted_table_and_download_agree(stage):
    stage.open("k_means?k=2")
    stage.page.get_by_role("button", name="Load", exact=True).click()
    stage.page.get_by_label("or paste a table").fill("1\t2\ta\n3\t4\tb\n5\t7\tb\n")
    stage.page.get_by_role("button", name="Read the pasted table").click()
    stage.use()
    expect(stage.count).to_have_text("3 points")
    stage.open_data()
    with stage.page.expect_download() as download:
        stage.page.get_by_role("button", name="Download", exact=True).click()
    text = download.value.path().read_text()
    rows = list(csv.reader(io.StringIO(text)))
    assert [[float(cell) for cell in row[:2]] for row in rows[1:]] == [[1, 2], [3, 4], [5, 7]]


def test_presets_have_their_own_size_and_undo_brings_the_old_data_back(stage):
    stage.open("k_means?n=30")
    stage.open_data()
    stage.choose("Preset", "Iris")
    expect(stage.count).to_have_text("150 points")
    expect(stage.page.locator(".stage .plot .xtitle")).to_contain_text("petal")
    expect(stage.page).to_have_url(re.compile("data=iris"))
    stage.close_data()
    stage.page.get_by_role("button", name="Undo").click()
    expect(stage.count).to_have_text("30 points")
    stage.open_data()
    stage.page.get_by_role("button", name="Back to the preset").click()
    expect(stage.count).to_have_text("150 points")


def test_drawn_points_survive_a_reload_and_a_switch_of_labs(stage):
    stage.open("k_means?n=20")
    stage.tool("Point")
    stage.click(0.1, 0.9)
    expect(stage.page.locator(".on-board")).to_contain_text("21 points, 4 classes, edited")
    expect(stage.page).to_have_url(re.compile("points="))
    stage.page.reload()
    expect(stage.count).to_have_text("21 points")
    assert stage.pixel(20) == pytest.approx((0.1, 0.9), abs=0.01)
    stage.menu("Classification", "Logistic regression")
    expect(stage.count).to_have_text("21 points")
    expect(stage.page).to_have_url(re.compile("points="))


def test_damaged_points_in_a_link_are_said_and_left_out(stage):
    stage.open("k_means?n=20&points=AAAA")
    expect(stage.page.get_by_text("the points in it cannot be read")).to_be_visible()
    expect(stage.count).to_have_text("20 points")
