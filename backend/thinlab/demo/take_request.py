"""From a demo's settings to what the agent is asked for.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.setting import ClipStream, DemoSettings, MicrophoneStream, SyntheticStream

# Two lanes fit beside each other on a projector.
COLUMNS, ROWS = 80, 24


def open_of(
    settings: DemoSettings, seed: int, clip: bytes | None, start_sample: int
) -> pb.DemoOpen:
    """A take's first input. All lanes have one seed: the n-th packet meets the same fate in each.

    `clip`: its samples, where the stream is one.
    """
    request = pb.DemoOpen(lanes=lanes_of(settings, seed))
    stream = settings.stream
    if isinstance(stream, ClipStream):
        request.clip.source_s16le_48k_mono = clip or b""
        request.clip.start_sample = start_sample
    elif isinstance(stream, MicrophoneStream):
        request.microphone.SetInParent()
    elif isinstance(stream, SyntheticStream):
        request.synthetic.CopyFrom(synthetic_of(stream))
    else:
        request.terminal.editor = pb.Editor.Value(f"EDITOR_{stream.editor.name}")
        request.terminal.text = stream.text.encode()
        request.terminal.columns, request.terminal.rows = COLUMNS, ROWS
    return request


def lanes_of(settings: DemoSettings, seed: int) -> list[pb.LaneSpec]:
    """Every lane, whole."""
    return [condition.to_lane(seed) for condition in settings.conditions()]


def synthetic_of(stream: SyntheticStream) -> pb.DemoSynthetic:
    """Size and pace."""
    return pb.DemoSynthetic(payload_bytes=stream.payload_bytes, iat_us=round(stream.iat_ms * 1000))
