"""Every number of a path, of bundling and of a running association is described, and no other is.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

import pytest
from pydantic import BaseModel

from thinlab.condition.path import BitErrors, Direction, GilbertElliott
from thinlab.condition.quantities import BIT_ERRORS, BUNDLING, BURSTS, DIRECTION, SCTP, Quantity
from thinlab.condition.transport import Bundling, Sctp
from thinlab.part import Milliseconds

NUMBERS = (int, float, int | float, int | None, Milliseconds | None)
# Settled when an association is opened, and not for a console.
SETTLED = {"streams"}


@pytest.mark.parametrize(
    ("model", "quantities"),
    [
        (Direction, DIRECTION),
        (GilbertElliott, BURSTS),
        (BitErrors, BIT_ERRORS),
        (Bundling, BUNDLING),
        (Sctp, SCTP),
    ],
)
def test_every_number_is_described(
    model: type[BaseModel], quantities: Mapping[str, Quantity]
) -> None:
    numbers = {name for name, one in model.model_fields.items() if one.annotation in NUMBERS}
    assert set(quantities) == numbers - SETTLED
    for one in quantities.values():
        assert one.title
        assert one.meaning
        assert one.unit
        assert 0 < one.step < one.usual <= one.most
