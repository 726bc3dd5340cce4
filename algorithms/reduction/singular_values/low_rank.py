"""A table of numbers rebuilt from few terms: the singular value decomposition.

Every table A is a sum of terms, each a column times a row:

    A = sum_k sigma_k u_k v_k^T,   sigma_1 >= sigma_2 >= ... >= 0,   u_j.u_k = v_j.v_k = 0, length 1

    A_k <- A_(k-1) + sigma_k u_k v_k^T,   A_0 = 0                        `with_term`
    missed = || A - A_k ||^2 = sum of sigma_j^2 over j > k

No other sum of k such terms misses less (Eckart and Young). A_k takes k (h + w + 1) numbers in
place of h w. If the columns of A have mean 0, the v_k are the principal components of its rows, and
sigma_k^2 / (h - 1) their variances: singular values and PCA are the same thing.

A step adds a term, until the further singular values are 0, up to 1e-9 of the first.

Cost: O(h w min(h, w)) for all terms, O(h w) a step.

Source: CIS787 (004:452); Eckart and Young 1936.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import svd

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen

NOTHING = 1e-9  # of the first singular value: a singular value up to this is 0


class Terms(NamedTuple):
    """The parts of all terms: columns u_k, singular values, rows v_k."""

    U: Float[ndarray, "h r"]
    values: Float[ndarray, " r"]
    V: Float[ndarray, "r w"]


def low_rank(A: Float[ndarray, "h w"]) -> Iterator["LowRankStep"]:
    """Add one term after the other, from none.

    Raises ValueError, at the call, unless A is a finite table.
    """
    A = validate.points(A, name="A")
    terms = Terms(*svd(A, full_matrices=False))
    first = LowRankStep(0, frozen(terms.values), np.zeros_like(A), np.zeros_like(A))
    return iterate(first.ended(), partial(with_term, terms), most=len(terms.values), stopped=None)


def with_term(terms: Terms, step: "LowRankStep") -> "LowRankStep":
    """A_k <- A_(k-1) + sigma_k u_k v_k^T."""
    k = step.terms
    term = terms.values[k] * np.outer(terms.U[:, k], terms.V[k])
    return LowRankStep(k + 1, step.singular_values, step.rebuilt + term, term).ended()


@dataclass(frozen=True, eq=False)
class LowRankStep(Record):
    """The table rebuilt from its first terms, and the last of these. All singular values."""

    is_model = False
    final_events: ClassVar = (*Record.final_events, "exact")

    terms: int
    singular_values: Float[ndarray, " r"]
    rebuilt: Float[ndarray, "h w"]
    term: Float[ndarray, "h w"]
    event: Literal["exact"] | None = None

    @property
    def rank(self) -> int:
        """Return the number of singular values above 0."""
        s = self.singular_values
        return int(np.count_nonzero(s > NOTHING * s.max()))

    @property
    def missed(self) -> float:
        """Return the share of the squares that is missed: sum of sigma_j^2 over j > k."""
        squares = np.square(self.singular_values / (self.singular_values.max() or 1.0))
        return float(squares[self.terms : self.rank].sum() / (squares.sum() or 1.0))

    def ended(self) -> "LowRankStep":
        """Return this step, with its event if no term is left."""
        event = "exact" if self.terms == self.rank else None
        return replace(self, event=event)

    def certain(self) -> dict[str, Any]:
        """Return the singular values; terms with equal ones may be mixed by rounding errors."""
        return {"terms": self.terms, "singular_values": self.singular_values}
