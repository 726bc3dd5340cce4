"""Words for bias and variance."""

from algorithms.core.features import SUPERSCRIPTS
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from algorithms.regression.bias_variance.curve_fits import Models, Polynomials, RidgePolynomials
from viz.core.words import decimal, number
from viz.regression.bias_variance.bias_variance import Fits, parts


def kinds(models: Models) -> tuple[str, ...]:
    """Name the complexities."""
    if isinstance(models, Polynomials):
        return tuple(f"degree {degree}" for degree in models.degrees)
    if isinstance(models, RidgePolynomials):
        return tuple(f"λ = {number(penalty, 4)}" for penalty in models.penalties)
    return tuple(f"k = {k}" for k in models.ks)


def titles(fits: Fits) -> tuple[str, str, str, str]:
    """Give the titles of picture, error against complexity, error at each x, and bull's-eye."""
    kind = fits.kinds[fits.chosen]
    what = kind.rpartition(" ")[0].removesuffix(" =")
    center = "f"
    if isinstance(fits.last, BiasVarianceStep):
        by_place = f"At each x, {kind}: noise + bias² + variance"
        against = f"Error against {what}, ± 2 standard errors; ▽ below"
    else:
        by_place, against = f"Variance at each x, {kind}", f"Out-of-bag error against {what}"
        center = "full fit"
    return (
        f"Fits of many training sets, {kind}",
        against,
        by_place,
        f"Bull’s-eye: h − {center} at x₁ → and x₂ ↑; outer ring {number(fits.eye.reach)}",
    )


def caption(fits: Fits, now: int) -> str:
    """Say what set `now` did, with its numbers."""
    step = fits.steps[now]
    if isinstance(step, BootstrapStep):
        lines = _resampled(fits, step)
    elif now == 0:
        lines = _first(fits, step)
    else:
        lines = _joined(fits, now, step)
    here = fits.kinds[step.best]
    if now and step.best != fits.steps[now - 1].best:
        before = fits.kinds[fits.steps[now - 1].best]
        lines[0] += f" Least error now: {here}; before: {before}."
    elif now and now == len(fits.steps) - 1:
        lines[0] += f" All {step.sets} sets are drawn. Least error: {here}."
    return "\n".join(lines)


def _first(fits: Fits, step: BiasVarianceStep) -> list[str]:
    j, spot = fits.chosen, fits.spots[0]
    rest = step.expected_error[j] - step.noise
    return [
        f"Set 1 of {len(fits.steps)}: {len(step.train)} noisy points of the truth and their fit, "
        f"{fits.kinds[j]}.",
        f"At x₁ the fit is h = {decimal(step.predictions[j, spot])}, the truth f = "
        f"{decimal(step.truth[spot])}. One fit cannot tell bias from variance: all of its error "
        "counts as bias.",
        f"Over all x: (h − f)² {_amount(rest)} + noise {_amount(step.noise)} = "
        f"{_amount(step.expected_error[j])}; {_tested(step, j)}.",
    ]


def _joined(fits: Fits, now: int, step: BiasVarianceStep) -> list[str]:
    j, spot, b = fits.chosen, fits.spots[0], step.sets
    old, h, m, f = map(
        decimal,
        (
            fits.steps[now - 1].mean[j, spot],
            step.predictions[j, spot],
            step.mean[j, spot],
            step.truth[spot],
        ),
    )
    bias, variance, _ = (float(part[j]) for part in parts(step))
    shown, spread, error = map(_amount, (bias, variance, step.bias_error[j]))
    doubt = "" if bias > 2 * step.bias_error[j] else ", not to be told from 0"
    off = _amount(step.test_error[j] - step.expected_error[j])
    return [
        f"Set {b} of {len(fits.steps)} joins: bias² is {shown}{doubt}, the variance {spread}.",
        f"At x₁: mean ← mean + (h − mean)/{b} = {old} + ({h} − {_bracketed(old)})/{b} = {m}; "
        f"truth {f}.",
        f"Over all x: bias² = (mean − f)² − variance/{b} = {_amount(step.bias_squared[j].mean())} "
        f"− {_amount(variance / b)} = {shown}, standard error {error}.",
        f"bias² {shown} + variance {spread} + noise {_amount(step.noise)} = "
        f"{_amount(step.expected_error[j])}; {_tested(step, j)}, off by {off} (standard error "
        f"{_amount(step.standard_error[j])}).",
    ]


def _tested(step: BiasVarianceStep, j: int) -> str:
    return f"error on {step.tested} fresh points {_amount(step.test_error[j])}"


def _resampled(fits: Fits, step: BootstrapStep) -> list[str]:
    j, n = fits.chosen, len(step.counts)
    held = int((step.counts > 0).sum())
    squares = " (squares)" if fits.squares else ""
    first = (
        f"Resample {step.sets} of {len(fits.steps)} holds {held} of the {n} points "
        f"({number(100 * held / n)} %), some repeatedly; the {n - held} left out{squares} test it."
    )
    if held == n:
        first = f"Resample {step.sets} of {len(fits.steps)} holds every point: none can test it."
    if step.judged == 0:
        return [first, "No point was left out so far, so nothing could be tested."]
    single, mean, variance = (
        _amount(values[j]) for values in (step.test_error, step.mean_error, step.test_variance)
    )
    second = (
        f"Out-of-bag error of a single fit {single} = mean fit {mean} (bias² + noise, inseparable) "
        f"+ variance {variance}, over {step.judged} points."
    )
    return [first, second]


def _amount(value: float) -> str:
    return number(value, 4) if abs(value) >= 100 else decimal(value)


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith("−") else text


def note(fits: Fits, models: Models, truth: str) -> str:
    """State where the points come from and what is fitted to them."""
    step = fits.last
    low, high = (1.5 * step.x[[0, -1]] - 0.5 * step.x[[1, -2]]).tolist()
    scaled = f"x is scaled to t from −1 to 1 on [{number(low)}, {number(high)}]"
    if isinstance(models, Polynomials):
        ridge = f", + {number(models.penalty)} Σ w² on t, t², …" if models.penalty else ""
        fitted = f"{scaled}; the polynomials are fitted by least squares{ridge}."
    elif isinstance(models, RidgePolynomials):
        power = str(models.degree).translate(SUPERSCRIPTS)
        fitted = f"{scaled}; of t, …, t{power} least squares + λ Σ w², intercept free."
    else:
        fitted = "The prediction at x is the mean y of the k points with the nearest x."
    if isinstance(step, BootstrapStep):
        source = (
            f"Only the {len(step.counts)} points are known. Resampling shows the variance; without "
            "a truth, the bias cannot be told from the noise."
        )
    else:
        source = (
            "The shown parts are corrected for the wobble of a mean of few fits, so that bias² may "
            "fall below 0 by chance; at single x it then is not drawn. ▽: below the picture. "
            f"Truth: {truth}; x in [{number(low)}, {number(high)}], noise σ = "
            f"{number(step.noise**0.5)} (σ² = {number(step.noise)}). Every set is tested on "
            f"{step.tested // step.sets} points of its own, drawn anew."
        )
    return f"{source} {fitted}"
