"""What tests have in common that play sounds one after the other, of which one is it.

SPDX-License-Identifier: Apache-2.0
"""

import io
import secrets
import wave
from array import array
from typing import Any

from thinlab.database.schema import HearingTest
from thinlab.participation.round_sound import PAUSE_S
from thinlab.study.hearing.one_of_some import OneOfSome

RATE_HZ = 48_000
FADE_S = 0.05


class OneOfSomeCheck:
    """Draws which one it is, and counts who finds it."""

    one_by_one = False

    def draw(self, rule: OneOfSome) -> list[Any]:
        """As `Check`: the number of the right sound, 0 and up."""
        return [secrets.randbelow(rule.sounds) for _ in range(rule.rounds)]

    def fits(self, answer: str) -> bool:  # noqa: ARG002
        """As `Check`: they are sent together."""
        return False

    def judge(self, rule: OneOfSome, begun: HearingTest) -> dict[str, Any]:
        """As `Check`."""
        answers = begun.answers or []
        correct = sum(given == right for given, right in zip(answers, begun.rights, strict=True))
        return {"correct": correct, "of": len(answers), "passed": correct >= rule.least}


def sounds_of(round_: bytes) -> "list[array[int]]":
    """The sounds of a round in one channel."""
    with wave.open(io.BytesIO(round_), "rb") as file:
        rate_hz = file.getframerate()
        samples = array("h", file.readframes(file.getnframes()))
    step = int((1 + PAUSE_S) * rate_hz)
    return [samples[at : at + rate_hz] for at in range(0, len(samples), step)]
