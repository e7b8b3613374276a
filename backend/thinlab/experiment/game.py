"""A session's tanks: where the server's messages were in each stream, and when each was read.

SPDX-License-Identifier: Apache-2.0
"""

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from thinlab.experiment.flows import PlannedFlow
from thinlab.experiment.provenance import CAPTURES, LaneFiles
from thinlab.experiment.tanks.error import NEVER_NS, Heard, measure
from thinlab.experiment.tanks.known import Told
from thinlab.experiment.tanks.sent import Sent
from thinlab.lab.analyser import AnalyserError
from thinlab.lab.deliveries import LaneCaptures


def of_session(
    planned: Sequence[PlannedFlow], lanes: Sequence[LaneFiles], analyser: Path
) -> list[dict[str, Any]]:
    """What the player at the end of each flow saw that tells of tanks. Raises `AnalyserError`."""
    found = []
    with tempfile.TemporaryDirectory(prefix="thinlab-tanks-") as folder:
        for number, files in enumerate(lanes):
            mine = [one for one in planned if one.lane == number]
            if all(one.tanks is None for one in mine):
                continue
            sides = [Path(folder) / f"{number}-{name}" for name in CAPTURES]
            for side, kind in zip(sides, CAPTURES.values(), strict=True):
                side.write_bytes(files[kind])
            captures = LaneCaptures(analyser, *sides)
            for one, opener in with_openers(mine):
                if one.tanks is not None:
                    told = asdict(measure(_heard(one, one.tanks, opener, captures)))
                    found.append({"lane": one.lane, "flow": one.flow, **told})
    return found


def with_openers(lane: Iterable[PlannedFlow]) -> Iterable[tuple[PlannedFlow, int]]:
    """Each flow of a lane, and the number of the one whose connection it has."""
    opener = 0
    for one in lane:
        opener = opener if one.asked.same_connection else one.flow
        yield one, opener


def _heard(one: PlannedFlow, told: Told, opener: int, captures: LaneCaptures) -> Heard:
    replay = one.asked.stream.replay
    sent = Sent.of(told, replay)
    available_ns = captures.available_ns(
        opener, sent.ends.tolist(), answers=one.asked.same_connection, backward=one.backward
    )
    # The first byte leaves the moment it is written.
    first_ns = replay.messages[0].at_ns
    came_ns = [NEVER_NS if at_ns is None else at_ns + first_ns for at_ns in available_ns]
    heard = sent.heard(np.array(came_ns, np.int64))
    if heard.lowest_ns < 0 or (np.diff(heard.came_ns) < 0).any():
        raise AnalyserError(
            f"flow {one.flow}: its captures say that messages were read before they were written"
        )
    return heard
