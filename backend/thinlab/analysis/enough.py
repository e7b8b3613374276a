"""Whether there are enough votes for a share to say anything.

A share of two votes is a number with an interval, and reads like a finding. It is told as none
where the interval leaves nearly nothing out, or where chance alone makes that many people agree.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.analysis.findings import Estimate
from thinlab.analysis.wording import too_few

# An interval of shares that is wider than this leaves out nearly nothing.
WIDEST = 0.9


def is_too_few(participants: int, low: float | None, high: float | None, confidence: float) -> bool:
    """For a share with this interval. An end that the votes do not set is at 0 or 1.

    >>> is_too_few(5, 0.48, 1.0, 0.95), is_too_few(6, 0.54, 1.0, 0.95)
    (True, False)
    >>> is_too_few(40, 0.02, 0.99, 0.95)
    True
    """
    # Coins that all fall alike, on whichever side.
    all_alike = 2 * 0.5**participants
    width = (1.0 if high is None else high) - (0.0 if low is None else low)
    return all_alike > 1 - confidence or width > WIDEST


def told(share: Estimate, confidence: float, what: str) -> Estimate:
    """The finding, or that there are too few votes to say `what`."""
    if not is_too_few(share.participants, share.low, share.high, confidence):
        return share
    sentence = too_few(share.votes, share.participants, what)
    return share.model_copy(update={"too_few": True, "sentence": sentence})
