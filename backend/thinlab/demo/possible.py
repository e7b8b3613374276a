"""What can be shown here: clips, and what the host's kernel has.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.clips.manifest import ClipPurpose, Clips
from thinlab.condition import words
from thinlab.condition.support import baselines_of, lacking, mechanisms_of
from thinlab.condition.transport import Baseline, Mechanism, serves_people
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import (
    PROTOCOL_OF_BASELINE,
    PROTOCOLS_OF_MECHANISM,
    Editor,
)
from thinlab.demo.options import Availability, BaselineOption, ClipOption, MechanismOption
from thinlab.demo.setting import DemoLane, DemoSettings, unfit_for
from thinlab.demo.stream import ClipStream, DemoStream, TerminalStream
from thinlab.demo.wording import LETTERS


class UnfitError(Exception):
    """Settings that cannot be; the texts name the field and the remedy."""

    def __init__(self, field: str, text: str, remedy: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.remedy = remedy


def mechanisms_here(description: pb.HostDescription) -> list[MechanismOption]:
    """Every mechanism, as a console shows it."""
    return [
        MechanismOption(
            name=one.value,
            title=words.title(one),
            available=support.available,
            reason=support.reason,
            protocols=sorted(PROTOCOLS_OF_MECHANISM[one]),
        )
        for one, support in zip(Mechanism, mechanisms_of(description), strict=True)
    ]


def baselines_here(description: pb.HostDescription) -> list[BaselineOption]:
    """Every baseline, likewise."""
    return [
        BaselineOption(
            name=one.value,
            title=words.title(one),
            available=support.available and not serves_people(one),
            reason=serves_people(one) or support.reason,
            protocol=PROTOCOL_OF_BASELINE[one],
        )
        for one, support in zip(Baseline, baselines_of(description), strict=True)
    ]


def editors_of(description: pb.HostDescription) -> list[Availability]:
    """Every editor, and whether the host has terminals."""
    support = description.terminal
    reason = "" if support.available else support.reason or "this host has no terminals"
    return [
        Availability(
            name=editor.value, title=editor.value, available=support.available, reason=reason
        )
        for editor in Editor
    ]


def clips_of(clips: Clips) -> list[ClipOption]:
    """What can be played: no voices that ask to be answered."""
    return [
        ClipOption(
            name=name,
            title=clip.title,
            kind=clip.kind,
            length_ms=clip.length_ms,
            attribution=" ".join(clip.attribution.split()),
        )
        for name, clip in clips.manifest.items()
        if clip.purpose is ClipPurpose.TRIAL
    ]


def check_settings(
    settings: DemoSettings, clips: Clips, description: pb.HostDescription, field: str = ""
) -> None:
    """Raises `UnfitError` for what cannot be here; `field`: what has these settings."""
    within = f"{field}." if field else ""
    check_stream(settings.stream, clips, description, f"{within}stream")
    for at, lane in enumerate(settings.lanes):
        check_lane(lane, description, f"{within}lanes.{at}")


def check_stream(
    stream: DemoStream, clips: Clips, description: pb.HostDescription, field: str
) -> None:
    """The same for a stream."""
    if isinstance(stream, ClipStream) and stream.clip not in {
        clip.name for clip in clips_of(clips)
    }:
        raise UnfitError(
            f"{field}.clip", f"There is no clip {stream.clip!r}.", "Choose one of the options."
        )
    if isinstance(stream, TerminalStream):
        for editor in editors_of(description):
            if editor.name == stream.editor.value and not editor.available:
                raise UnfitError(
                    f"{field}.editor",
                    f"There are no terminals: {editor.reason}.",
                    "Choose another stream, or start the live lab host with its terminals.",
                )


def check_together(stream: DemoStream, lanes: Sequence[DemoLane], field: str) -> None:
    """Raises `UnfitError` where a lane cannot have the stream."""
    for at, lane in enumerate(lanes):
        if reason := unfit_for(stream, lane):
            raise UnfitError(
                field,
                f"Lane {LETTERS[at]} cannot have a terminal: {reason}.",
                "Choose another sender for the lane, or another stream.",
            )


def check_lane(lane: DemoLane, description: pb.HostDescription, field: str) -> None:
    """The same for a lane."""
    lacks = lacking(lane, description)
    if lacks is not None:
        part = "mechanisms" if isinstance(lacks.of, Mechanism) else "baseline"
        raise UnfitError(
            f"{field}.{part}",
            f"The kernel of the lab lacks {lacks.of.value}: {lacks.reason}.",
            "Choose what the options call available.",
        )
