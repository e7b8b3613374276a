"""A cell to judge by hand.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.transport import Mechanism, Transport
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment.definition import Cell, plain_path

CELL = Cell(
    transport=Transport(mechanisms=(Mechanism.BUNDLING,)),
    path=plain_path(100, 0.01),
    message_bytes=120,
    iat_ms=140,
    iat_spread_ms=2,
    iat_distribution=IatDistribution.EVEN,
)
