"""How fast keys may come: faster than any hand or held key, slower than a pasted page.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.throttle.rate import Rate

# Held keys repeat 30 times a second, 60 at the fastest setting of any system.
KEYS_A_SECOND = 100.0
BURST_KEYS = 200.0


def typing_rate() -> Rate:
    """Of one session's keys."""
    return Rate(KEYS_A_SECOND, BURST_KEYS)
