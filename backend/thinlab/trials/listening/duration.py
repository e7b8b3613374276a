"""About how long a heard trial takes. A guess, to be told before a study begins.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.definition import Block
from thinlab.study.duration import ANSWER_S
from thinlab.study.scale import presented_of

# Parts are heard again before an answer.
HEARD_AGAIN = 1.3


def trial_seconds(block: Block, duration_ms: int) -> float:
    """About how long one trial takes with recordings of this length."""
    heard = presented_of(block.scale)
    return ANSWER_S + HEARD_AGAIN * heard * duration_ms / 1000
