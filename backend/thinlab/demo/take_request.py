"""From a demo's settings to what the agent is asked for.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.setting import (
    ClipStream,
    DemoDirection,
    DemoLane,
    DemoPath,
    DemoSettings,
    MicrophoneStream,
    SyntheticStream,
)

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
    return [_lane(settings.path, lane, seed) for lane in settings.lanes]


def synthetic_of(stream: SyntheticStream) -> pb.DemoSynthetic:
    """Size and pace."""
    return pb.DemoSynthetic(payload_bytes=stream.payload_bytes, iat_us=round(stream.iat_ms * 1000))


def _lane(path: DemoPath, lane: DemoLane, seed: int) -> pb.LaneSpec:
    return pb.LaneSpec(
        forward=_path(path.forward),
        backward=_path(path.backward),
        baseline=pb.Baseline.Value(f"BASELINE_{lane.baseline.name}"),
        mechanisms=[pb.Mechanism.Value(f"MECHANISM_{one.name}") for one in lane.mechanisms],
        seed=seed,
    )


def _path(direction: DemoDirection) -> pb.Path:
    path = pb.Path(
        delay_us=round(direction.delay_ms * 1000),
        jitter_us=round(direction.jitter_ms * 1000),
        rate_bit_per_s=direction.rate_kbit_per_s * 1000,
        queue_packets=direction.queue_packets,
        corrupt_share=direction.corrupt_share,
    )
    bursts = direction.gilbert_elliott
    if bursts is not None:
        path.gilbert_elliott.CopyFrom(pb.GilbertElliottLoss(**bursts.model_dump()))
    elif direction.loss_share > 0:
        path.uniform.loss_share = direction.loss_share
    return path
