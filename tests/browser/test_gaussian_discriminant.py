import re

from playwright.sync_api import expect


def test_a_point_changes_the_surface_and_its_equation(stage):
    stage.open("gaussian_discriminant?data=blobs&classes=2&n=20&covariance=separate&held=0")
    stage.press("End")
    expect(stage.caption).to_contain_text("They are equal where")
    image = stage.page.locator(".stage .picture image")
    equation, drawn = stage.caption.inner_text(), image.get_attribute("href")
    stage.press("2", "a")
    stage.click(0.1, 0.1)
    expect(stage.count).to_have_text("21 points")
    expect(image).not_to_have_attribute("href", drawn)
    expect(stage.caption).not_to_have_text(equation)
    stage.press("Control+z")
    expect(stage.count).to_have_text("20 points")
    expect(stage.caption).to_have_text(re.compile(re.escape(equation.split("\n")[0])))


def test_stepping_to_the_named_events(stage):
    stage.open("gaussian_discriminant?data=unequal&covariance=shared&held=0")
    expect(stage.caption).to_contain_text("π(1) = 160/200 = 0.800")
    for text in ("a centre of its own", "Class 3 is added to the shape", "part along a line"):
        stage.press("]")
        expect(stage.caption).to_contain_text(text)
    stage.press("ArrowLeft")
    expect(stage.caption).to_contain_text("(point − μ)(point − μ)ᵀ over 200 points")
    expect(stage.page.get_by_text("Points on the wrong side, by covariance")).to_be_visible()


def test_the_picked_point_follows_its_handle(stage):
    stage.open("gaussian_discriminant?data=moons")
    expect(stage.caption).to_contain_text("Picked point, π · density: 1: 0.48·")
    line = stage.caption.inner_text().split("\n")[-1]
    stage.page.locator(".handle").focus()
    stage.press("ArrowLeft", "ArrowLeft")
    expect(stage.caption).not_to_contain_text(line)
    expect(stage.page).to_have_url(re.compile("query="))


def test_a_singular_covariance_is_explained_and_the_ridge_repairs_it(stage):
    stage.open(
        "gaussian_discriminant?data=blobs&classes=2&n=4&noise=0.6&covariance=separate&held=0"
    )
    stage.press("]", "]")
    expect(stage.caption).to_contain_text(
        "has no density: its 2 points have no spread across a line"
    )
    stage.press("End")
    expect(stage.caption).to_contain_text("No surface to write down")
    stage.page.get_by_role("slider", name="Ridge λ").focus()
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Classes 1 and 2 part along")


def test_the_other_views(stage):
    for link, words in {
        "view=naive&data=moons": "independent features give no xy",
        "view=binned&data=moons&model=categorical": "a border of steps",
        "view=binned&data=moons&model=bernoulli&bins=3": "answers about x",
    }.items():
        stage.open(f"gaussian_discriminant?{link}")
        expect(stage.caption).to_contain_text("Priors π, the share of each class")
        stage.press("End")
        expect(stage.caption).to_contain_text(words)


def test_switching_the_view_keeps_the_data(stage):
    stage.open("gaussian_discriminant?data=moons&n=60")
    stage.page.get_by_text("binned", exact=True).first.click()
    expect(stage.caption).to_contain_text("The dotted lines cut each axis into bins")
    expect(stage.count).to_have_text("60 points")
    expect(stage.page).to_have_url(re.compile("view=binned"))


def test_learning_from_more_and_more_points(stage):
    stage.open("gaussian_discriminant?view=few or many&data=iris")
    expect(stage.caption).to_contain_text("Learned from 6 points")
    stage.press("]")
    expect(stage.caption).to_contain_text("diagonal (naive) covariances do best")
    stage.press("End")
    expect(stage.caption).to_contain_text("Learned from 75 points, separate covariances do best")
