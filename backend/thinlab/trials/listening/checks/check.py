"""What the tests of hearing ask of one of them.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any, Protocol, TypeVar

from thinlab.clips.manifest import Clips
from thinlab.database.schema import HearingTest

Rule_contra = TypeVar("Rule_contra", contravariant=True)


class Check(Protocol[Rule_contra]):
    """One test; `Rule_contra` is what a study's file says of it.

    `digits`: the spoken digits of this installation; none where it has none.
    """

    one_by_one: bool
    """Whether each answer is sent as it is given, because the next round depends on it."""

    def draw(self, rule: Rule_contra) -> list[Any]:
        """The key of a new try: what is right, round by round."""

    def fits(self, answer: str) -> bool:
        """Whether this can be an answer to one round, where they are sent one by one."""

    def sound(
        self, rule: Rule_contra, begun: HearingTest, round_: int, digits: Clips | None
    ) -> bytes:
        """A round of a try as WAV, 1 for the first."""

    def judge(self, rule: Rule_contra, begun: HearingTest) -> dict[str, Any]:
        """The outcome of a try that has all its answers: `passed`, and the facts of the test."""

    def hear(self, round_: bytes, digits: Clips | None) -> int | str:
        """What a bot answers that hears well."""
