"""One simulated participant: joins, answers questions, takes trials, and votes.

It asks the server what comes next and does that, as the page does, so it goes on from wherever it
was: after a lost answer, after a restart of the server, on another device.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from thinlab.bots.ears import right_one
from thinlab.bots.habits import Habits
from thinlab.bots.key import AnswerKey, Sound, UnknownSoundError
from thinlab.bots.kind import Own, Pace, Part, PartFailedError, Parts
from thinlab.bots.listener import Heard
from thinlab.bots.network import Line, RefusedError

CONFLICT = 409
LEVEL_PERCENT = 60
# Of a bot that roams: how often it votes on all that it has before it asks again, and how often it
# goes on as on another device.
OFFLINE_SHARE = 0.3
OTHER_DEVICE_SHARE = 0.25


class End(StrEnum):
    """How a session ended."""

    COMPLETE = "complete"
    ABANDONED = "abandoned"
    SCREENED_OUT = "screened_out"
    WITHDRAWN = "withdrawn"
    FULL = "full"
    FAILED = "failed"


class LostVoteError(Exception):
    """The server acknowledged a vote and then told something else about it."""


@dataclass(frozen=True)
class Seat:
    """Where and as whom a bot joins."""

    study: str
    kind: str = "bot"
    cookie: str | None = None
    """The researcher's session, which joining as a bot needs; sent with nothing else."""
    invitation: str | None = None
    panel: Mapping[str, str] | None = None
    """By which a panel's ids it is known."""


@dataclass
class Outcome:
    """What became of a bot."""

    end: End
    votes: list[str] = field(default_factory=list)
    """Keys of the votes that the server has acknowledged."""
    problem: str | None = None


class _LeavesError(Exception):
    """The bot's time to leave has come."""


@dataclass
class Bot:
    """A participant made of a line, habits and chance."""

    line: Line
    seat: Seat
    key: AnswerKey
    habits: Habits
    chance: random.Random
    parts: Parts
    pace: Pace = field(default_factory=Pace)
    outcome: Outcome = field(default_factory=lambda: Outcome(End.FAILED))
    _token: str | None = None
    _withdraw_token: str | None = None
    _steps_left: int | None = None
    _parts: dict[str, Part] = field(default_factory=dict)
    """Those begun, by medium."""

    async def take_part(self) -> Outcome:
        """A whole session; how it ended, and what went wrong, is in the outcome."""
        try:
            await self._session()
        except _LeavesError:
            await self._leave()
        except RefusedError as error:
            self.outcome.end = End.FULL if error.kind == "full" else End.FAILED
            self.outcome.problem = str(error)
        except (LostVoteError, UnknownSoundError, PartFailedError) as error:
            self.outcome.end = End.FAILED
            self.outcome.problem = str(error)
        return self.outcome

    async def _session(self) -> None:
        page = (await self._ask("GET", f"/api/studies/{self.seat.study}")).json()
        await self._read()
        joined = await self._join(page)
        self._token = joined["participant_token"]
        self._withdraw_token = joined["withdraw_token"]
        self._steps_left = self._steps_to_stay(joined["participation"]["trials_total"])
        here = joined["participation"]
        while here["state"] != "complete":
            self._step()
            match here["state"]:
                case "sound_check":
                    here = await self._check_sound(here)
                case "questions_before" | "questions_after":
                    here = await self._answer_questions()
                case "trials":
                    here = await self._take_trials()
                case "ineligible" | "hearing_failed":
                    self.outcome.end = End.SCREENED_OUT
                    return
                case stage:
                    await self._checked_at(stage).check()
                    here = await self._told("GET", "/api/participation")
        if not here["completion_code"]:
            raise LostVoteError("complete, but without a completion code")
        self.outcome.end = End.COMPLETE

    async def _join(self, page: dict[str, Any]) -> dict[str, Any]:
        body = {
            "consent_version": page["consent"]["version"],
            "join_key": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
            "language": self.chance.choice(page["languages"]),
            "kind": self.seat.kind,
            "invitation": self.seat.invitation,
            "panel": self.seat.panel,
        }
        cookie = {"Cookie": self.seat.cookie} if self.seat.cookie else None
        path = f"/api/studies/{self.seat.study}/participants"
        joined: dict[str, Any] = (
            await self.line.ask("POST", path, body=body, headers=cookie)
        ).json()
        return joined

    async def _check_sound(self, here: dict[str, Any]) -> dict[str, Any]:
        await self._ask("GET", f"/api/studies/{self.seat.study}/sound-check")
        await self._read()
        needed = here["headphones"] != "any"
        test = await self._hear_tones(here["headphone_signal"]) if needed else None
        body = {"level_percent": LEVEL_PERCENT, "headphones": test}
        return await self._told("POST", "/api/participation/sound-check", body)

    async def _hear_tones(self, signal: str) -> dict[str, Any] | None:
        at = "/api/participation/headphones"
        try:
            begun = await self._told("POST", at)
        except RefusedError as error:
            if error.kind != "settled":
                raise
            return None
        number = begun["number"]
        rounds = range(1, begun["rounds"] + 1)
        sounds = [await self._ask("GET", f"{at}/{number}/{one}") for one in rounds]
        return {"number": number, "answers": [right_one(sound.content, signal) for sound in sounds]}

    async def _answer_questions(self) -> dict[str, Any]:
        asked = await self._told("GET", "/api/participation/questions")
        await self._read()
        answers = {question["id"]: self._answer_to(question) for question in asked["questions"]}
        return await self._told("POST", "/api/participation/answers", {"answers": answers})

    def _answer_to(self, question: dict[str, Any]) -> object:
        match question["kind"]:
            case "choice":
                offered = [option["id"] for option in question["options"]]
                fitting = [one for one in offered if (question["id"], one) not in self.key.barred]
                if self.habits.is_ineligible:
                    wrong = [one for one in offered if (question["id"], one) in self.key.screening]
                    fitting = wrong or fitting
                # Where every answer leaves somebody out, any will do.
                option = self.chance.choice(fitting or offered)
                return [option] if question["several"] else option
            case "number":
                return self.chance.randint(question["minimum"], question["maximum"])
            case _:
                return "A bot has no remarks."[: question["max_length"]]

    async def _take_trials(self) -> dict[str, Any]:
        """Hears what is open and what follows; votes on the first, or on all as when offline."""
        try:
            opened = (await self._told("POST", "/api/participation/trials"))["trials"]
        except RefusedError as error:
            if error.kind != "complete":
                raise
            return await self._told("GET", "/api/participation")
        if await self._part(opened[0]["medium"]).go_on(opened[0]):
            return {"state": "trials"}
        answers = [await self._judge(trial) for trial in opened]
        offline = self.habits.roams and self.chance.random() < OFFLINE_SHARE
        for number, trial in enumerate(opened if offline else opened[:1]):
            if number:
                self._step()
            await self._part(trial["medium"]).consider(trial)
            await self._vote(trial, answers[number])
        if self.habits.roams and self.chance.random() < OTHER_DEVICE_SHARE:
            for part in self._parts.values():
                part.forget()
            return await self._told("GET", "/api/participation")
        last = opened[-1]["position"] == opened[-1]["trials_total"]
        if last and (offline or len(opened) == 1):
            return await self._told("GET", "/api/participation")
        return {"state": "trials"}

    async def _judge(self, trial: dict[str, Any]) -> dict[str, Any]:
        part = self._part(trial["medium"])
        first = await part.perceive(trial["first"])
        second = await part.perceive(trial["second"]) if trial["second"] else None
        third = trial.get("x")
        x = await part.perceive(third) if third else None
        scale = trial["scale"]
        if scale["kind"] == "mushra":
            return {"ratings": await self._rate(trial, x)}
        offered = scale["kind"] == "preference" and scale["answers"]["no_difference"] is not None
        answer = self.habits.listener.answer(
            Heard(scale["kind"], offered, first, second, x), self.chance
        )
        return {"choice" if isinstance(answer, str) else "score": answer}

    async def _rate(self, trial: dict[str, Any], reference: Sound | None) -> list[dict[str, Any]]:
        """Each sound of the page by itself, beside its reference."""
        part = self._part(trial["medium"])
        ratings = []
        for handle in (trial["first"], *trial["others"]):
            sound = await part.perceive(handle)
            heard = Heard(
                trial["scale"]["kind"], no_difference=False, first=sound, second=None, x=reference
            )
            score = self.habits.listener.answer(heard, self.chance)
            account = part.account(trial, {"score": score})["account"]
            ratings.append({**handle, "score": score, "account": account})
        return ratings

    def _part(self, medium: str) -> Part:
        if medium not in self._parts:
            own = Own(self.line, self._token or "", self.key, self.habits, self.chance, self.pace)
            self._parts[medium] = self.parts[medium](own)
        return self._parts[medium]

    def _checked_at(self, stage: str) -> Part:
        """The part that this stage is for. Raises `RefusedError` for one that no bot knows."""
        for medium in self.parts:
            if self._part(medium).checked_at == stage:
                return self._part(medium)
        raise RefusedError(CONFLICT, {"title": f"the session ended as {stage}"})

    async def _vote(self, trial: dict[str, Any], answer: dict[str, Any]) -> None:
        # Bots of the same seed come to more than one study, and a key is of one trial alone.
        of_trial = hashlib.sha256(trial["trial_token"].encode()).digest()[:16]
        bits = self.chance.getrandbits(128) ^ int.from_bytes(of_trial)
        vote_key = str(uuid.UUID(int=bits, version=4))
        body = {
            "trial_token": trial["trial_token"],
            "vote_key": vote_key,
            **answer,
            **self._part(trial["medium"]).account(trial, answer),
            "decision_ms": self.chance.randint(4_000, 60_000),
        }
        receipt = await self._told("POST", "/api/participation/votes", body)
        if receipt["vote_key"] != vote_key or receipt["position"] != trial["position"]:
            raise LostVoteError(f"sent vote {vote_key}, the receipt is for {receipt['vote_key']}")
        self.outcome.votes.append(vote_key)

    def _steps_to_stay(self, trials: int) -> int | None:
        """Steps until it leaves: at the latest before the last vote. None: it stays."""
        if not (self.habits.abandons or self.habits.withdraws):
            return None
        return self.chance.randint(0, trials)

    def _step(self) -> None:
        if self._steps_left is None:
            return
        if self._steps_left == 0:
            raise _LeavesError
        self._steps_left -= 1

    async def _leave(self) -> None:
        self.outcome.end = End.ABANDONED
        if self.habits.withdraws:
            await self.line.ask("DELETE", "/api/participation", token=self._withdraw_token)
            self.outcome.end = End.WITHDRAWN

    async def _read(self) -> None:
        await self.line.sleep(self.pace.reading_s(self.chance))

    async def _ask(self, method: str, path: str) -> Any:  # noqa: ANN401 (a response)
        return await self.line.ask(method, path, token=self._token)

    async def _told(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        told: dict[str, Any] = (
            await self.line.ask(method, path, token=self._token, body=body)
        ).json()
        return told
