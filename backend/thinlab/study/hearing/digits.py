"""Digits in noise: how far below it spoken digits are still understood.

Three digits at a time, and the next three are 2 dB further down in the noise where all three were
right, else 2 dB further up (Smits et al. 2004, Int. J. Audiol. 43, 15; Smits et al. 2013, J.
Acoust. Soc. Am. 133, 1693; Potgieter et al. 2016, doi:10.3109/14992027.2016.1172269). Their digits
are levelled by how well listeners with normal hearing understand each, and their thresholds are
norms; ours are neither, so a study says its own.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import expm1, log1p
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from thinlab.part import Part
from thinlab.study.hearing.fact import Fact

DIGITS = 3
"""At a time."""
FIRST_DB = 0
STEP_DB = 2
# Beyond it hardly anything is digits, or hardly anything is noise.
LOWEST_DB, HIGHEST_DB = -30, 12
FAMILIARISING = 4
"""Triplets on the way to the threshold, which do not count towards it."""
# Of whoever knows that no digit comes twice in a triplet.
GUESSED_SHARE = 1 / (10 * 9 * 8)

LANGUAGES = ("en", "es", "fr")

SpokenLanguage = TypeAliasType(
    "SpokenLanguage",
    Annotated[
        Literal["en", "es", "fr"],
        Field(title="SpokenLanguage", description="Of the digits; each is one voice."),
    ],
)


class DigitsTest(Part):
    """Which three digits are spoken in the noise."""

    FACTS: ClassVar[tuple[Fact, ...]] = (
        Fact(
            "srt_db",
            "number",
            "speech reception threshold of the last try of the test by digits in noise: the ratio "
            "of speech to noise at which half of the triplets are right; not normed; empty where "
            "there was none",
            "dB",
        ),
        Fact("correct", "count", "triplets answered rightly in that try"),
        Fact("of", "count", "triplets of that try"),
        Fact("tries", "count", "tries of it"),
        Fact("passed", "yes", "whether it was passed"),
    )

    test: Literal["digits"]
    language: SpokenLanguage = Field(
        description="That the digits are spoken in; whoever learnt it late understands less.",
        examples=["en"],
    )
    srt_db_at_most: Annotated[float, Field(ge=-20, le=6)] = Field(
        description="Ratio of speech to noise that the threshold has to come down to. There is no "
        "norm for these digits: take it from a pilot, and see `backend/digit-thresholds`.",
        examples=[-6],
    )
    triplets: Annotated[int, Field(ge=8, le=40)] = Field(
        default=23,
        description="In one try. The first 4 lead to the threshold; it is the mean of the ratios "
        "of all others, and of the one that would come next.",
    )
    tries: Annotated[int, Field(ge=1, le=5)] = Field(
        default=1, description="How often at most; the last one counts."
    )
    needed: bool = Field(
        default=True, description="False: the outcome is stored, and nobody is turned away."
    )

    @property
    def rounds(self) -> int:
        """One a triplet."""
        return self.triplets

    @property
    def sounds(self) -> int:
        """In a round."""
        return DIGITS

    @property
    def described(self) -> str:
        """What is to be heard."""
        return f"{self.triplets} times three digits in noise, in {self.language}"

    @property
    def asked(self) -> str:
        """What passes, in words."""
        return f"a threshold of at most {self.srt_db_at_most:g} dB"

    @property
    def guessed_share(self) -> float:
        """Of those who only guess, how many pass in one of the tries: exactly, step by step."""
        # By the present ratio, and by the sum of those that count.
        at: dict[tuple[int, int], float] = {(FIRST_DB, 0): 1.0}
        for triplet in range(1, self.triplets + 2):
            counted = triplet > FAMILIARISING
            after: dict[tuple[int, int], float] = {}
            for (snr_db, total), share in at.items():
                summed = total + snr_db * counted
                for right, chance in ((True, GUESSED_SHARE), (False, 1 - GUESSED_SHARE)):
                    key = (next_db(snr_db, right=right), summed)
                    after[key] = after.get(key, 0.0) + share * chance
            at = after
        most = self.srt_db_at_most * (self.triplets + 1 - FAMILIARISING)
        once = sum(share for (_, total), share in at.items() if total <= most)
        # 1 − (1 − p)ⁿ, for a p that is nearly nothing.
        return -expm1(self.tries * log1p(-once))


def next_db(snr_db: int, *, right: bool) -> int:
    """The ratio of the next triplet."""
    step = -STEP_DB if right else STEP_DB
    return min(max(snr_db + step, LOWEST_DB), HIGHEST_DB)


def ratios_db(rights: Iterable[bool]) -> Iterator[int]:
    """The ratio of the first triplet, and after each answer that of the next.

    >>> list(ratios_db([True, True, False]))
    [0, -2, -4, -2]
    """
    snr_db = FIRST_DB
    yield snr_db
    for right in rights:
        snr_db = next_db(snr_db, right=right)
        yield snr_db


def threshold_db(rights: Iterable[bool]) -> float:
    """The speech reception threshold, of a try that has all its answers.

    >>> threshold_db([True] * 4 + [False, True] * 2)
    -7.2
    """
    counted = list(islice(ratios_db(rights), FAMILIARISING, None))
    return sum(counted) / len(counted)
