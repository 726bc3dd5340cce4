"""Denoising by reconstruction: keep the first q components, drop the rest.

Noise spreads evenly over all directions, the structure of correlated columns over a few. So a
reconstruction x^ from q components drops (d - q) / d of the noise, but only the part of the
structure that is in the last components:

    distance to the noisy points   sum |x_noisy - x^|^2 / (n - 1)      falls with every component
    distance to the clean points   sum |x_clean - x^|^2 / (n - 1)      falls, then rises again

The second one needs points without noise. Here they are known, since the noise is added on purpose.
Both distances are taken after scaling, as all variances of the run are.

Cost: that of PCA, and O(n d) a component.

Source: CIS787 (004:84), noise cancellation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.reduction.pca.pca import PcaStep, pca


@dataclass(frozen=True, eq=False, kw_only=True)
class DenoisingStep(PcaStep):
    """The first `index` components of the `noisy` points; also a model.

    `error` is the distance of the reconstructions to the noisy points, `clean_error` that to the
    points without the noise.
    """

    noisy: Float[ndarray, "n d"]
    clean_error: float


def denoising(
    X: Float[ndarray, "n d"],
    amount: float,
    *,
    rng: Generator,
    standardize: bool = False,
    target: float = 0.9,
) -> Iterator[DenoisingStep]:
    """Add noise of `amount` standard deviations of each column, then one component per step.

    Raises ValueError, at the call, unless X holds two different points, amount >= 0 and target is
    a share.
    """
    X = validate.points(X)
    amount = validate.number("amount", amount)
    noisy = frozen(X + amount * X.std(axis=0) * rng.normal(size=X.shape)) if amount else X
    return _compared(pca(noisy, standardize=standardize, target=target), noisy, X)


def _compared(
    steps: Iterator[PcaStep], noisy: Float[ndarray, "n d"], clean: Float[ndarray, "n d"]
) -> Iterator[DenoisingStep]:
    lost, offsets = clean, noisy
    for step in steps:
        if step.index == 0:
            lost, offsets = step.scaling.transform(clean), step.scaling.transform(noisy)
        else:
            u = step.components[-1]
            lost = lost - np.outer(offsets @ u, u)
        yield DenoisingStep(
            **{field.name: getattr(step, field.name) for field in fields(step)},
            noisy=noisy,
            clean_error=float(np.vdot(lost, lost)) / (len(clean) - 1),
        )
