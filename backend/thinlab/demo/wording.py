"""A demo's settings in words, for its events and its lanes' names.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Self

from pydantic import Field

from thinlab.condition import words
from thinlab.demo.part import DemoPart
from thinlab.demo.setting import DemoLane, DemoSettings

LETTERS = "ABCD"


class SettingsWords(DemoPart):
    """A demo's settings for people."""

    path: str = Field(description="Briefly.")
    path_in_full: str = Field(description="Every number that is set.")
    stream: str
    senders: list[str] = Field(description="Of each lane, in the lanes' order.")

    @classmethod
    def of(cls, settings: DemoSettings) -> Self:
        """The words for a demo's settings."""
        return cls(
            path=words.settings(settings.path),
            path_in_full=words.in_full(settings.path),
            stream=settings.stream.words,
            senders=[words.transport(lane) for lane in settings.lanes],
        )


def lane_names(lanes: list[DemoLane]) -> list[str]:
    """A name for each: as given, or by what it does; the baseline where they differ in it."""
    differ = len({lane.baseline for lane in lanes}) > 1
    return [
        lane.name or words.sender(lane) + (f", {lane.baseline.value}" if differ else "")
        for lane in lanes
    ]


def lane_words(lane: DemoLane, before: DemoLane | None = None) -> str:
    """What a lane's sender does; its baseline where that is another than before."""
    does = words.sender(lane)
    same = before is not None and before.baseline is lane.baseline
    return does if same else f"{does} on {lane.baseline.value}"


def brief(reason: str) -> str:
    """Without a dead guest's console, which is for the log: a room reads this on every chart."""
    first, _, _ = reason.partition("\n")
    return first.removesuffix("; its console ends with:")


def take_words(settings: DemoSettings, letters: list[str]) -> str:
    """What a take shows; `letters`: what each lane is called."""
    names = zip(letters, lane_names(settings.lanes), strict=True)
    *most, last = sorted(f"{letter} ({name})" for letter, name in names)
    lanes = f"{', '.join(most)} and {last}" if most else last
    return f"{settings.stream.words} over {lanes}. {words.path(settings.path)}."
