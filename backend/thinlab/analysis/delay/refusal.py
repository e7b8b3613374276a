"""What votes and metrics cannot tell, with what would help. A number without sense is never told.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from thinlab.analysis.crossed import FEWEST_PARTICIPANTS
from thinlab.analysis.delay.observed import NEITHER, Observed
from thinlab.analysis.wording import counted
from thinlab.study.scale import RATINGS

# A curve with a slope and a level goes through any two points, and bends to any third.
FEWEST_VALUES = 4


def why_no_curve(observed: Observed, title: str) -> str | None:
    """A sentence; none where there can be one."""
    if not observed.votes:
        return f"Nothing was measured of what was presented that would be “{title}”."
    people = len(set(observed.people))
    if people < FEWEST_PARTICIPANTS:
        return (
            f"{counted(people, 'participant')} cannot tell how much people differ: "
            f"{FEWEST_PARTICIPANTS} can."
        )
    return _of_values(observed, title) or _of_answers(observed)


def _of_values(observed: Observed, title: str) -> str | None:
    values = np.unique(observed.delay)
    if len(values) == 1:
        return (
            f"“{title}” {_alike(observed)} in all recordings. Add runs, or conditions with more "
            "and with less loss."
        )
    if len(values) < FEWEST_VALUES:
        what = "differences" if observed.scale not in RATINGS else "values"
        return (
            f"“{title}” has {len(values)} different {what}, and a curve needs {FEWEST_VALUES}. "
            "Add runs, or conditions with more and with less loss."
        )
    return None


def _of_answers(observed: Observed) -> str | None:
    if observed.scale == "preference" and (observed.answer == NEITHER).all():
        return "Nobody preferred any. Compare recordings that differ more."
    if observed.scale != "preference" and len(np.unique(observed.answer)) == 1:
        return "All gave the same score. Present recordings that differ more."
    return None


def _alike(observed: Observed) -> str:
    if observed.scale in RATINGS:
        return "is the same"
    return "differs by nothing" if observed.delay.max() == 0 else "differs by the same"
