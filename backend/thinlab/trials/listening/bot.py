"""A bot's part in trials that are heard.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

from thinlab.bots.key import Sound
from thinlab.bots.kind import Own


class ListeningPart:
    """`Part` of one bot that hears by the digest of what it downloads."""

    checked_at: str | None = None

    def __init__(self, own: Own) -> None:
        self._own = own
        self._sounds: dict[str, Sound] = {}
        """What this device has fetched already, by recording token."""

    async def check(self) -> bool:
        """As `Part`: the check of the sound is the study's."""
        return True

    async def go_on(self, trial: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """As `Part`: what is heard is heard while it is judged."""
        return False

    async def perceive(self, handle: Mapping[str, Any]) -> Sound:
        """Hears a recording. Raises `UnknownSoundError`."""
        token = handle["recording_token"]
        if token not in self._sounds:
            path = f"/api/recordings/{token}"
            got = await self._own.line.ask("GET", path, token=self._own.token)
            self._sounds[token] = self._own.key.hear(got.content)
        return self._sounds[token]

    async def consider(self, trial: Mapping[str, Any]) -> None:
        """As long as hearing and judging take."""
        own = self._own
        await own.line.sleep(own.pace.listening_s(own.chance, trial["duration_ms"] / 1000))

    def account(
        self,
        trial: Mapping[str, Any],
        answer: Mapping[str, Any],  # noqa: ARG002
    ) -> dict[str, Any]:
        """As if it had played them some times."""
        chance, paired = self._own.chance, trial["second"] is not None
        account: dict[str, Any] = {
            "medium": "heard",
            "plays_first": chance.randint(1, 3),
            "plays_second": chance.randint(1, 3) if paired else 0,
            "switches": chance.randint(1, 5) if paired else 0,
            "played_first": "first",
        }
        whole = [{"from_ms": 0, "to_ms": trial["duration_ms"]}]
        account["covered_first"] = whole
        account["covered_second"] = whole if paired else None
        if trial["x"] is not None:
            account["plays_x"] = chance.randint(1, 3)
            account["covered_x"] = whole
        return {"account": account}

    def forget(self) -> None:
        """As `Part`."""
        self._sounds.clear()
