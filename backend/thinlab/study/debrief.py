"""What participants are told at the end, where their study wants it: what was what.

Whoever has been told is no blind participant any more, and may tell others: the
study says whether that is after each session or only once the study is closed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from thinlab.part import Name, Part
from thinlab.study.text import LocalText
from thinlab.study.trial import TrappingTrial, Trial, member_conditions


class Debrief(Part):
    """When participants are told, and by which names."""

    when: Literal["complete", "closed"] = Field(
        description="`complete`: as soon as their own session is; they may tell those who come "
        "after them. `closed`: once the study takes nobody any more; they keep the link."
    )
    names: dict[Name, LocalText] = Field(
        description="Of each condition that a trial has, in plain words."
    )


def undescribed(debrief: Debrief, trials: Iterable[Trial]) -> set[str]:
    """Conditions that participants would be told of, and that have no name for them."""
    used = {
        name
        for trial in trials
        if not isinstance(trial, TrappingTrial)
        for name in member_conditions(trial)
    }
    return used - set(debrief.names)
