"""From a demo's settings to what the agent is asked for.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.setting import DemoSettings


def open_of(
    settings: DemoSettings, seed: int, clip: bytes | None, start_sample: int
) -> pb.DemoOpen:
    """A take's first input. All lanes have one seed: the n-th packet meets the same fate in each.

    `clip`: its samples (48 kHz, mono, s16le), where the stream is one.
    """
    stream = settings.stream.asked()
    if clip is not None:
        stream.audio.source_s16le_48k_mono = clip
        stream.audio.start_sample = start_sample
    return pb.DemoOpen(lanes=lanes_of(settings, seed), stream=stream)


def lanes_of(settings: DemoSettings, seed: int) -> list[pb.LaneSpec]:
    """Every lane, whole."""
    return [condition.to_lane(seed) for condition in settings.conditions()]
