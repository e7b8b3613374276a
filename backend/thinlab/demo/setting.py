"""What a demo runs under: path, lanes, stream. Always whole: nothing has a default here.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Self

from pydantic import Field, model_validator

from thinlab.condition.condition import Condition, too_long
from thinlab.condition.path import Path
from thinlab.condition.transport import (
    Baseline,
    Tcp,
    Transport,
    serves_people,
    serves_terminals,
)
from thinlab.demo.part import LANES_LIMIT, DemoPart, Line
from thinlab.demo.stream import DemoStream, TerminalStream

Name = Annotated[Line, Field(min_length=1, max_length=40)]


class DemoLane(Transport):
    """How one lane's sender behaves."""

    name: Name | None = Field(description="None: named by what it does.")
    baseline: Baseline

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if reason := serves_people(self.baseline):
            raise ValueError(reason)
        if not self.in_use.sctp.keeps_order:
            raise ValueError("what a demo sends has an order: leave `streams` and `unordered` out")
        if self.tcp != Tcp():
            raise ValueError(
                "`tcp` has settings that count from a connection's beginning, and a demo's goes "
                "on: leave it out"
            )
        return self


def unfit_for(stream: DemoStream, lane: DemoLane) -> str:
    """Why a lane cannot have a stream; empty: it can."""
    if not isinstance(stream, TerminalStream):
        return ""
    return serves_terminals(lane.baseline, lane.mechanisms)


Lanes = Annotated[list[DemoLane], Field(min_length=1, max_length=LANES_LIMIT)]


class DemoSettings(DemoPart):
    """All of it."""

    path: Path
    lanes: Lanes
    stream: DemoStream

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        for lane in self.lanes:
            if reason := unfit_for(self.stream, lane) or too_long(
                lane.baseline, self.path.forward, self.path.backward
            ):
                raise ValueError(reason)
        return self

    def conditions(self) -> list[Condition]:
        """Of each lane."""
        return [Condition(transport=lane, path=self.path) for lane in self.lanes]
