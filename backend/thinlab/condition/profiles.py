"""Named paths, each with where it is from.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition import radio
from thinlab.condition.path import Direction, GilbertElliott, Path
from thinlab.condition.profile import Profile

_MADE_UP = "Made up, to show what such a network does; measured nowhere."
_LCN_2008 = (
    "A. Petlund, K. Evensen, C. Griwodz, P. Halvorsen, TCP mechanisms for improving the user "
    "experience for time-dependent thin-stream applications (LCN 2008)"
)

PROFILES = (
    Profile(
        name="paper",
        title="The paper: 130 ms, 2 %",
        description="The papers' path: a round trip of 130 ms, 2 % lost in each direction.",
        source=f"{_LCN_2008}, section V: between access networks on two continents",
        path=Path.both_ways(Direction(delay_ms=65, loss_share=0.02)),
    ),
    Profile(
        name="paper-bad",
        title="The paper: 130 ms, 5 %",
        description="The papers' bad case: a round trip of 130 ms, 5 % lost in each direction.",
        source="K. Evensen, Redundant data bundling in TCP (thesis), section 4.2.3, figure 4.8",
        path=Path.both_ways(Direction(delay_ms=65, loss_share=0.05)),
    ),
    Profile(
        name="wifi",
        title="Bad Wi-Fi",
        description="A round trip of 40 ms, delays that vary, losses in short bursts.",
        source=_MADE_UP,
        path=Path.both_ways(
            Direction(
                delay_ms=20,
                jitter_ms=8,
                gilbert_elliott=GilbertElliott(
                    good_to_bad_share=0.02, bad_to_good_share=0.3, loss_share_bad=0.6
                ),
            )
        ),
    ),
    Profile(
        name="mobile",
        title="A train's mobile network",
        description="A round trip of 90 ms, 1 Mbit/s, losses in long bursts.",
        source=_MADE_UP,
        path=Path.both_ways(
            Direction(
                delay_ms=45,
                jitter_ms=15,
                gilbert_elliott=GilbertElliott(
                    good_to_bad_share=0.005, bad_to_good_share=0.1, loss_share_bad=0.5
                ),
                rate_kbit_per_s=1000,
            )
        ),
    ),
    Profile(
        name="satellite",
        title="Satellite",
        description="A round trip of 600 ms, 1 % lost in each direction.",
        source=_MADE_UP,
        path=Path.both_ways(Direction(delay_ms=300, loss_share=0.01)),
    ),
    Profile(
        name="intercontinental",
        title="Intercontinental",
        description="A round trip of 200 ms through fibre, half around the earth; nothing lost.",
        source="ITU-T G.114 (05/2003), table A.1: 5 µs a kilometre of optical fibre; 20,000 km",
        path=Path.both_ways(Direction(delay_ms=100)),
    ),
    Profile(
        name="adsl",
        title="ADSL, upwards",
        description="A home's line, from it: 640 kbit/s there, 6 Mbit/s back, 40 ms round trip.",
        source="Rates: ITU-T G.992.1 (07/1999), the least that all systems have to support. Delay: "
        "made up",
        path=Path(
            forward=Direction(delay_ms=20, rate_kbit_per_s=640),
            backward=Direction(delay_ms=20, rate_kbit_per_s=6144),
        ),
    ),
    Profile(
        name="lte",
        title="LTE, upwards",
        description="From a phone: 6 Mbit/s there, 13 Mbit/s back, a round trip of 70 ms.",
        source="Rates: medians of J. Huang and others, A close examination of performance and "
        "power characteristics of 4G LTE networks (MobiSys 2012), abstract. Delay: made up",
        path=Path(
            forward=Direction(delay_ms=35, rate_kbit_per_s=6000),
            backward=Direction(delay_ms=35, rate_kbit_per_s=13_000),
        ),
    ),
    Profile(
        name="geostationary",
        title="Geostationary satellite",
        description="A round trip of 558 ms, from the edge of the satellite's view; nothing lost.",
        source="RFC 2488, section 2: 279.0 ms a hop",
        path=Path.both_ways(Direction(delay_ms=279)),
    ),
    Profile(
        name="low-orbit",
        title="Low-orbit satellite",
        description="A round trip of 160 ms, over a satellite at the horizon; nothing lost.",
        source="RFC 2488, section 2: as much as 80 ms",
        path=Path.both_ways(Direction(delay_ms=80)),
    ),
    Profile(
        name="clean",
        title="No loss",
        description="A round trip of 130 ms and nothing lost: no lane should differ.",
        source="The papers' path without its loss",
        path=Path.both_ways(Direction(delay_ms=65)),
    ),
)


NAMED = (*PROFILES, *radio.PROFILES)
"""All that files may name; the others are many, and not for every list."""


def named(name: str) -> Profile | None:
    """The profile of that name."""
    return next((one for one in NAMED if one.name == name), None)


def of_path(path: Path) -> Profile | None:
    """The profile that a path is."""
    return next((one for one in NAMED if one.path == path), None)
