"""Named paths, and what a demo starts with.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.demo.options import Preset
from thinlab.demo.setting import (
    ClipStream,
    DemoDirection,
    DemoLane,
    DemoPath,
    DemoSettings,
    LossBursts,
)
from thinlab.study.condition import Baseline, Mechanism

FIRST_CLIP = "speech"


def _direction(
    delay_ms: float,
    *,
    jitter_ms: float = 0.0,
    loss_share: float = 0.0,
    bursts: LossBursts | None = None,
    rate_kbit_per_s: int = 0,
    queue_packets: int = 0,
) -> DemoDirection:
    return DemoDirection(
        delay_ms=delay_ms,
        jitter_ms=jitter_ms,
        loss_share=loss_share,
        gilbert_elliott=bursts,
        rate_kbit_per_s=rate_kbit_per_s,
        queue_packets=queue_packets,
        corrupt_share=0.0,
    )


def _both_ways(direction: DemoDirection) -> DemoPath:
    return DemoPath(forward=direction, backward=direction)


def _bursts(good_to_bad: float, bad_to_good: float, loss_bad: float) -> LossBursts:
    return LossBursts(
        good_to_bad_share=good_to_bad,
        bad_to_good_share=bad_to_good,
        loss_share_bad=loss_bad,
        loss_share_good=0.0,
    )


PRESETS = (
    Preset(
        name="paper",
        title="The paper: 130 ms, 2 %",
        description="The papers' path: a round trip of 130 ms, 2 % lost in each direction.",
        path=_both_ways(_direction(65, loss_share=0.02)),
    ),
    Preset(
        name="paper-bad",
        title="The paper: 130 ms, 5 %",
        description="The papers' bad case: a round trip of 130 ms, 5 % lost in each direction.",
        path=_both_ways(_direction(65, loss_share=0.05)),
    ),
    Preset(
        name="wifi",
        title="Bad Wi-Fi",
        description="A round trip of 40 ms, delays that vary, losses in short bursts.",
        path=_both_ways(_direction(20, jitter_ms=8, bursts=_bursts(0.02, 0.3, 0.6))),
    ),
    Preset(
        name="mobile",
        title="A train's mobile network",
        description="A round trip of 90 ms, 1 Mbit/s, losses in long bursts.",
        path=_both_ways(
            _direction(45, jitter_ms=15, bursts=_bursts(0.005, 0.1, 0.5), rate_kbit_per_s=1000)
        ),
    ),
    Preset(
        name="satellite",
        title="Satellite",
        description="A round trip of 600 ms, 1 % lost in each direction.",
        path=_both_ways(_direction(300, loss_share=0.01)),
    ),
    Preset(
        name="clean",
        title="No loss",
        description="A round trip of 130 ms and nothing lost: no lane should differ.",
        path=_both_ways(_direction(65)),
    ),
)

FIRST = DemoSettings(
    path=PRESETS[0].path,
    lanes=[
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=[]),
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=list(Mechanism)),
    ],
    stream=ClipStream(kind="clip", clip=FIRST_CLIP),
)


def preset_of(path: DemoPath) -> str | None:
    """The name of the preset that a path is."""
    return next((preset.name for preset in PRESETS if preset.path == path), None)
