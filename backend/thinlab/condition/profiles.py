"""Named paths, each with where it is from.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.condition.path import Direction, GilbertElliott, Path


@dataclass(frozen=True)
class Profile:
    """A path by its name."""

    name: str
    title: str
    description: str
    source: str
    """Paper and section, or what it is made up after."""
    path: Path


_MADE_UP = "Made up, to show what such a network does; measured nowhere."
_LCN_2008 = (
    "A. Petlund, K. Evensen, C. Griwodz, P. Halvorsen, TCP mechanisms for improving the user "
    "experience for time-dependent thin-stream applications (LCN 2008)"
)

PROFILES = (
    Profile(
        "paper",
        "The paper: 130 ms, 2 %",
        "The papers' path: a round trip of 130 ms, 2 % lost in each direction.",
        f"{_LCN_2008}, section V: between access networks on two continents",
        Path.both_ways(Direction(delay_ms=65, loss_share=0.02)),
    ),
    Profile(
        "paper-bad",
        "The paper: 130 ms, 5 %",
        "The papers' bad case: a round trip of 130 ms, 5 % lost in each direction.",
        "K. Evensen, Redundant data bundling in TCP (thesis), section 4.2.3, figure 4.8",
        Path.both_ways(Direction(delay_ms=65, loss_share=0.05)),
    ),
    Profile(
        "wifi",
        "Bad Wi-Fi",
        "A round trip of 40 ms, delays that vary, losses in short bursts.",
        _MADE_UP,
        Path.both_ways(
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
        "mobile",
        "A train's mobile network",
        "A round trip of 90 ms, 1 Mbit/s, losses in long bursts.",
        _MADE_UP,
        Path.both_ways(
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
        "satellite",
        "Satellite",
        "A round trip of 600 ms, 1 % lost in each direction.",
        _MADE_UP,
        Path.both_ways(Direction(delay_ms=300, loss_share=0.01)),
    ),
    Profile(
        "clean",
        "No loss",
        "A round trip of 130 ms and nothing lost: no lane should differ.",
        "The papers' path without its loss",
        Path.both_ways(Direction(delay_ms=65)),
    ),
)


def named(name: str) -> Profile | None:
    """The profile of that name."""
    return next((one for one in PROFILES if one.name == name), None)


def of_path(path: Path) -> Profile | None:
    """The profile that a path is."""
    return next((one for one in PROFILES if one.path == path), None)
