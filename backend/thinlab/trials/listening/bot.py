"""A bot's part in trials that are heard.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

from thinlab.bots.key import Sound
from thinlab.bots.kind import Own, PartFailedError
from thinlab.clips.digits import spoken_digits
from thinlab.clips.manifest import ClipError
from thinlab.settings import SettingError, Settings
from thinlab.trials.listening.checks.check import Check
from thinlab.trials.listening.checks.registry import CHECKS

AT = "/api/participation"
SEEKS = 30
# No triplet has a digit twice.
NOTHING_HEARD = "000"


def _elsewhere(heard_ms: int) -> list[dict[str, Any]]:
    """The journal of who plays one half of it behind another page, and seeks about in the other."""
    seeks = [{"at_ms": heard_ms, "action": "seek", "position_ms": 0} for _ in range(SEEKS)]
    hidden = {"at_ms": 0, "action": "hidden"}, {"at_ms": heard_ms, "action": "visible"}
    return [*hidden, *seeks]


class ListeningPart:
    """`Part` of one bot that hears by the digest of what it downloads."""

    checked_at: str | None = "hearing_check"

    def __init__(self, own: Own) -> None:
        self._own = own
        self._sounds: dict[str, Sound] = {}
        """What this device has fetched already, by recording token."""

    async def check(self) -> bool:
        """The next test of hearing; the check of the sound is the study's."""
        line, token = self._own.line, self._own.token
        begun = (await line.ask("POST", f"{AT}/hearing", token=token)).json()
        check = CHECKS[begun["test"]]
        if check.one_by_one:
            await self._answer_each(begun, check)
            return True
        answers = []
        for round_ in range(1, begun["rounds"] + 1):
            right = int(check.hear(await self._round(begun, round_), None))
            wrong = (right + 1) % begun["sounds"]
            answers.append(wrong if self._own.habits.is_hard_of_hearing else right)
        body = {"test": begun["test"], "number": begun["number"], "answers": answers}
        await line.ask("POST", f"{AT}/hearing-answers", token=token, body=body)
        return True

    async def _answer_each(self, begun: Mapping[str, Any], check: Check[Any]) -> None:
        try:
            digits = spoken_digits(Settings.read())
        except (SettingError, ClipError) as error:
            raise PartFailedError(str(error)) from error
        for round_ in range(begun["answered"] + 1, begun["rounds"] + 1):
            heard = check.hear(await self._round(begun, round_), digits)
            if self._own.habits.is_hard_of_hearing:
                heard = NOTHING_HEARD
            body = {
                "test": begun["test"],
                "number": begun["number"],
                "round": round_,
                "answer": heard,
            }
            await self._own.line.ask(
                "POST", f"{AT}/hearing-rounds", token=self._own.token, body=body
            )

    async def _round(self, begun: Mapping[str, Any], round_: int) -> bytes:
        path = f"{AT}/hearing/{begun['test']}/{begun['number']}/{round_}"
        return (await self._own.line.ask("GET", path, token=self._own.token)).content

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
        elsewhere = self._own.habits.is_elsewhere
        heard_ms = trial["duration_ms"] // 2 if elsewhere else trial["duration_ms"]
        heard = [{"from_ms": 0, "to_ms": heard_ms}]
        account["covered_first"] = heard
        account["covered_second"] = heard if paired else None
        if trial["x"] is not None:
            account["plays_x"] = chance.randint(1, 3)
            account["covered_x"] = heard
        return {"account": account, "events": _elsewhere(heard_ms) if elsewhere else []}

    def forget(self) -> None:
        """As `Part`."""
        self._sounds.clear()
