"""What can be shown here: clips, and what the host's kernel has.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.options import Availability, ClipOption
from thinlab.demo.setting import ClipStream, DemoLane, DemoSettings, DemoStream, TerminalStream
from thinlab.recording.clips import ClipPurpose, Clips
from thinlab.study.condition import Baseline, Mechanism
from thinlab.study.task import Editor


class UnfitError(Exception):
    """Settings that cannot be; the texts name the field and the remedy."""

    def __init__(self, field: str, text: str, remedy: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.remedy = remedy


def mechanisms_of(description: pb.HostDescription) -> list[Availability]:
    """Every mechanism, and whether the kernel has it."""
    found = {one.mechanism: one for one in description.mechanisms}
    return [
        _availability(mechanism.value, found.get(pb.Mechanism.Value(f"MECHANISM_{mechanism.name}")))
        for mechanism in Mechanism
    ]


def baselines_of(description: pb.HostDescription) -> list[Availability]:
    """Every baseline, and whether the kernel has it."""
    found = {one.baseline: one for one in description.baselines}
    return [
        _availability(baseline.value, found.get(pb.Baseline.Value(f"BASELINE_{baseline.name}")))
        for baseline in Baseline
    ]


def editors_of(description: pb.HostDescription) -> list[Availability]:
    """Every editor, and whether the host has terminals."""
    support = description.terminal
    reason = "" if support.available else support.reason or "this host has no terminals"
    return [
        Availability(name=editor.value, available=support.available, reason=reason)
        for editor in Editor
    ]


def _availability(
    name: str, support: "pb.MechanismSupport | pb.BaselineSupport | None"
) -> Availability:
    if support is None:
        return Availability(name=name, available=False, reason="the agent does not know it")
    return Availability(name=name, available=support.available, reason=support.reason)


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


def check_settings(settings: DemoSettings, clips: Clips, description: pb.HostDescription) -> None:
    """Raises `UnfitError` for what cannot be here."""
    check_stream(settings.stream, clips, description, "stream")
    for at, lane in enumerate(settings.lanes):
        check_lane(lane, description, f"lanes.{at}")


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


def check_lane(lane: DemoLane, description: pb.HostDescription, field: str) -> None:
    """The same for a lane."""
    wanted = {one.value for one in lane.mechanisms}
    for found, part, names in (
        (mechanisms_of(description), "mechanisms", wanted),
        (baselines_of(description), "baseline", {lane.baseline.value}),
    ):
        for one in found:
            if one.name in names and not one.available:
                raise UnfitError(
                    f"{field}.{part}",
                    f"The kernel of the lab lacks {one.name}: {one.reason}.",
                    "Choose what the options call available.",
                )
