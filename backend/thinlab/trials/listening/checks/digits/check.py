"""Triplets of digits: drawn before, and sunk into the noise by the answers as they come.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from typing import Any

from thinlab.clips.manifest import Clips
from thinlab.database.schema import HearingTest
from thinlab.study.hearing.digits import DIGITS, LANGUAGES, DigitsTest, ratios_db, threshold_db
from thinlab.trials.listening.checks.digits import mixed

DIGIT = "0123456789"


class DigitsCheck:
    """As `Check`."""

    one_by_one = True

    def draw(self, rule: DigitsTest) -> list[Any]:
        """As `Check`: three different digits for each round."""
        chance = secrets.SystemRandom()
        return ["".join(chance.sample(DIGIT, DIGITS)) for _ in range(rule.rounds)]

    def fits(self, answer: str) -> bool:
        """As `Check`: three digits."""
        return len(answer) == DIGITS and all(digit in DIGIT for digit in answer)

    def sound(
        self, rule: DigitsTest, begun: HearingTest, round_: int, digits: Clips | None
    ) -> bytes:
        """As `Check`: as deep in the noise as the answers before it say."""
        snr_db = list(ratios_db(_rights(begun)))[round_ - 1]
        voice = mixed.voice_of(digits, rule.language)
        return mixed.triplet(voice, begun.seed, round_, begun.rights[round_ - 1], snr_db)

    def judge(self, rule: DigitsTest, begun: HearingTest) -> dict[str, Any]:
        """As `Check`."""
        rights = _rights(begun)
        srt_db = round(threshold_db(rights), 2)
        return {
            "srt_db": srt_db,
            "correct": sum(rights),
            "of": len(rights),
            "passed": srt_db <= rule.srt_db_at_most,
        }

    def hear(self, round_: bytes, digits: Clips | None) -> str:
        """As `Check`: the digits whose sounds are most like what is there, in any language."""
        there = [one for one in LANGUAGES if digits is None or f"{one}_0" in digits.manifest]
        heard = [mixed.recognised(mixed.voice_of(digits, one), round_) for one in there]
        return max(heard, key=lambda one: one.likeness).digits


def _rights(begun: HearingTest) -> list[bool]:
    """Whether each triplet so far was right: all three digits, in their order."""
    # There are fewer answers than triplets while a try goes on.
    return [given == right for given, right in zip(begun.answers or [], begun.rights, strict=False)]
