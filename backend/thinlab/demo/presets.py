"""What a demo starts with.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition import profiles, radio
from thinlab.condition.path import BitErrors, Direction, Path
from thinlab.condition.transport import PAPERS, Baseline, Mechanism
from thinlab.contract.generated.names import Codec
from thinlab.demo.options import Preset, SetUpOption
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.demo.stream import ClipStream
from thinlab.demo.wording import SettingsWords

FIRST_CLIP = "speech"

# Of each link of the thesis that which is bad most often, 4.8 % of the time.
_RADIO = (*(one for one in radio.THESIS if one.name.endswith("-4")), *radio.TODAY)

PRESETS = tuple(
    Preset.model_validate(one, from_attributes=True) for one in (*profiles.PROFILES, *_RADIO)
)

FIRST = DemoSettings(
    path=PRESETS[0].path,
    lanes=[
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=()),
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=PAPERS),
    ],
    stream=ClipStream(kind="clip", clip=FIRST_CLIP),
)

# That of `survey/late-or-damaged.yaml`, with few wrong bits: with more of them, headers are hit
# so often that TCP Lite repairs, and is late, too.
_RADIO_LINK = Path.both_ways(
    Direction(
        delay_ms=70,
        rate_kbit_per_s=384,
        bit_errors=BitErrors(good_ms=1000, bad_ms=150, error_share_bad=0.0005),
    )
)

LATE_OR_DAMAGED = DemoSettings(
    path=_RADIO_LINK,
    lanes=[
        DemoLane(name="plain TCP", baseline=Baseline.NEWRENO2008, mechanisms=()),
        DemoLane(
            name="TCP Lite",
            baseline=Baseline.NEWRENO2008,
            mechanisms=(Mechanism.TCP_LITE, Mechanism.HEADER_CHECKSUM),
        ),
        DemoLane(name="UDP-Lite", baseline=Baseline.UDP_LITE, mechanisms=()),
        DemoLane(name="UDP", baseline=Baseline.UDP, mechanisms=()),
    ],
    stream=ClipStream(kind="clip", clip=FIRST_CLIP, codec=Codec.G711),
)


def _set_up(name: str, title: str, description: str, settings: DemoSettings) -> SetUpOption:
    return SetUpOption(
        name=name,
        title=title,
        description=description,
        settings=settings,
        words=SettingsWords.of(settings),
    )


SET_UPS = (
    _set_up(
        "first",
        "Off and all",
        "The same sound goes over two lanes side by side and meets the same losses; only the "
        "senders differ. Listen, and switch.",
        FIRST,
    ),
    _set_up(
        "late-or-damaged",
        "Late or damaged",
        "One radio link flips bits now and then. TCP repairs that, and is late; TCP Lite and "
        "UDP-Lite hand over what came, and it crackles; UDP leaves it out. Listen to each.",
        LATE_OR_DAMAGED,
    ),
)
