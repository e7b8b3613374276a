"""Kinds of bots: how they listen, how their network behaves, whether they stay.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinlab.bots.listener import Attentive, Inattentive, Listener, StraightLining
from thinlab.bots.network import STEADY, Weather


@dataclass(frozen=True)
class Habits:
    """What one kind of bot does."""

    listener: Listener = field(default_factory=Attentive)
    weather: Weather = STEADY
    abandons: bool = False
    """Leaves for good after some step, drawn by chance."""
    withdraws: bool = False
    """Takes its answers back after some step, drawn by chance."""
    roams: bool = False
    """Goes offline for some trials, and forgets all but its token as on another device."""

    link_drops_share: float = 0.0
    """Of typing sessions in whose middle the transport is lost, and another is opened."""

    types_by_script: bool = False
    """At a pace that some script makes, drawn by chance."""

    is_hard_of_hearing: bool = False
    """Answers every round of the tests of hearing wrongly, the headphone test aside."""

    is_ineligible: bool = False
    """Gives the answers that keep people out, where there are any."""

    is_elsewhere: bool = False
    """Has the page behind others while it plays, seeks about, and hears half of each recording."""


FLAKY = Weather(lost_before=0.15, lost_after=0.15, doubled=0.15)

HABITS: Mapping[str, Habits] = {
    "honest": Habits(),
    "side_biased": Habits(Attentive(side_bias=1.5, tie_with_itself=1.0)),
    "straight_lining": Habits(StraightLining()),
    "inattentive": Habits(Inattentive()),
    "hard_of_hearing": Habits(is_hard_of_hearing=True),
    "ineligible": Habits(is_ineligible=True),
    "elsewhere": Habits(is_elsewhere=True),
    "scripted": Habits(types_by_script=True),
    "flaky": Habits(weather=FLAKY, roams=True, link_drops_share=0.3),
    "abandoning": Habits(abandons=True),
    "withdrawing": Habits(withdraws=True),
}


class MixError(ValueError):
    """A mix of bots that cannot be had."""


def parse_mix(text: str) -> dict[str, float]:
    """`honest=0.7,flaky=0.3` → shares that add up to 1. Raises `MixError`."""
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if name not in HABITS:
            raise MixError(f"--mix: there are no {name!r} bots; there are {', '.join(HABITS)}")
        if name in weights:
            raise MixError(f"--mix: {name} is named twice")
        try:
            weights[name] = float(share)
        except ValueError:
            raise MixError(f"--mix: {part.strip()!r} should read {name}=0.5") from None
        if not 0 < weights[name] < float("inf"):
            raise MixError(f"--mix: the share of {name} has to be above 0")
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def dealt(mix: Mapping[str, float], count: int) -> list[str]:
    """So many kinds as the mix says, by largest remainder; kinds in the mix's order."""
    exact = {name: share * count for name, share in mix.items()}
    whole = {name: int(number) for name, number in exact.items()}
    by_rest = sorted(mix, key=lambda name: exact[name] - whole[name], reverse=True)
    for name in by_rest[: count - sum(whole.values())]:
        whole[name] += 1
    return [name for name, number in whole.items() for _ in range(number)]
