"""About how long a heard trial takes. A guess, to be told before a study begins.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.definition import Block
from thinlab.study.duration import ANSWER_S

# Parts are heard again before an answer.
HEARD_AGAIN = 1.3


def trial_seconds(block: Block, duration_ms: int) -> float:
    """About how long one trial takes with recordings of this length."""
    return ANSWER_S + HEARD_AGAIN * block.scale.presents * duration_ms / 1000
