"""Which cells something is about, as experiments' files say it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field

from thinlab.condition.transport import Baseline
from thinlab.part import Milliseconds, Part, Share

T = TypeVar("T")


def _listed(value: object) -> object:
    return value if isinstance(value, list | tuple) else (value,)


# An axis of a grid: one value, or a list of them.
OneOrMore = Annotated[tuple[T, ...], BeforeValidator(_listed), Field(min_length=1)]


class Where(Part):
    """Cells that a check or a figure is about; an axis that is not named may be anything."""

    baseline: OneOrMore[Baseline] | None = None
    loss_share: OneOrMore[Share] | None = None
    rtt_ms: OneOrMore[Milliseconds] | None = None
    iat_ms: OneOrMore[Milliseconds] | None = None
    message_bytes: OneOrMore[int] | None = None
    group: OneOrMore[str] | None = None

    def holds(self, cell: object) -> bool:
        """Whether the cell is one of them."""
        return all(
            wanted is None or getattr(cell, name) in wanted
            for name in type(self).model_fields
            for wanted in [getattr(self, name)]
        )
