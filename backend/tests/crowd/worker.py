"""A panel's worker: goes the page's way from the panel's link to the panel's address, and insists.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.crowd.panel import WORKER_COOKIE, Panel
from tests.crowd.panel import Worker as Sent
from thinlab.bots.bot import Bot, LostVoteError, Seat
from thinlab.bots.network import FIRST_WAIT_S, RefusedError
from thinlab.study.headphone_test import SOUNDS


class Manner(StrEnum):
    """What a worker is like."""

    DILIGENT = "diligent"
    ROAMING = "roaming"
    """Goes on in another browser on the way, and opens the panel's link once more at the end."""
    DECLINING = "declining"
    INELIGIBLE = "ineligible"
    """Gives the answer that keeps people out, comes again, and would rather have given another."""
    UNHEARING = "unhearing"
    """Hears no digit in the noise."""
    DEAF = "deaf"
    """Fails the headphone test as often as it may be tried."""
    SLOW = "slow"
    """Stops on the way, and comes back after the deadline."""
    GONE = "gone"
    """Stops on the way, for good."""
    WITHDRAWING = "withdrawing"


BEFORE = {"questions_before", "sound_check", "hearing_check"}
ELIGIBLE = {"answers": {"owns": "telephone"}}
COMING_AGAIN = {Manner.SLOW, Manner.ROAMING}


@dataclass(frozen=True)
class Surroundings:
    """What all workers share."""

    panel: Panel
    client_of_panel: httpx.AsyncClient
    tones: Callable[[str, int], Awaitable[list[int]]]
    """The right answers to a try of the headphone test of whoever has this token: hearing them
    is another benchmark's."""
    spoken: Callable[[str, int], Awaitable[list[str]]]
    """The same of a try of the test by digits in noise."""
    pass_deadline: Callable[[str], Awaitable[None]]
    """Moves the deadline of the panel's worker to now."""


@dataclass
class CrowdWorker(Bot):
    """One of a thousand."""

    manner: Manner = Manner.DILIGENT
    sent: Sent = field(default_factory=lambda: Sent("", ""))
    address: str = ""
    around: Surroundings | None = None
    end: dict[str, Any] | None = None
    """What the server said in the end: the outcome, the code, the address."""
    last_vote_s: float | None = None
    """When the last vote was first sent, by the loop's clock."""

    async def work(self) -> None:
        """From the panel's link to the panel. Raises `RefusedError`, `LostVoteError`."""
        page = (await self.line.ask("GET", f"/api/studies/{self.seat.study}")).json()
        here = None
        # The last place may be taken after somebody was let in, and come back before they ask why.
        while here is None:
            arrived = await self._arrive(page, declines=self.manner is Manner.DECLINING)
            if arrived["standing"] == "ended":
                await self._come_back(arrived["end"])
                return
            here = await self._enter(page)
        await self._work_on(page, here)

    async def _work_on(self, page: dict[str, Any], here: dict[str, Any]) -> None:
        stops_after = self.chance.randrange(here["trials_total"])
        while here.get("end") is None:
            if here["state"] in BEFORE:
                here = await self._step_before(here)
            elif here["state"] != "trials":
                raise RefusedError(409, {"title": f"there is no page for {here['state']}"})
            elif len(self.outcome.votes) != stops_after:
                here = await self._take_trials()
            elif await self._leaves():
                return
            else:
                stops_after = -1
                here = await self._again(page) if self.manner in COMING_AGAIN else here
        await self._come_back(here["end"])
        if self.manner in {Manner.ROAMING, Manner.INELIGIBLE}:
            self._expect_the_same(await self._again(page))
        if self.manner is Manner.INELIGIBLE:
            with suppress(RefusedError):
                await self._told("POST", "/api/participation/answers", ELIGIBLE)
            self._expect_the_same(await self._told("GET", "/api/participation"))

    async def _step_before(self, here: dict[str, Any]) -> dict[str, Any]:
        """One of the steps before the trials."""
        match here["state"]:
            case "questions_before":
                return await self._answer_questions()
            case "sound_check":
                return await self._check_sound(here)
            case _:
                return await self._hear_digits()

    def _expect_the_same(self, here: dict[str, Any]) -> None:
        if here["end"] != self.end:
            raise LostVoteError(f"told {self.end}, and then {here['end']}")

    async def _leaves(self) -> bool:
        """Does what this worker does in the middle; whether that was the last of them."""
        if self.manner is Manner.WITHDRAWING:
            await self.line.ask("DELETE", "/api/participation", token=self._token)
        if self.manner is Manner.SLOW:
            await self._around.pass_deadline(self.sent.name)
        return self.manner in {Manner.WITHDRAWING, Manner.GONE}

    async def _arrive(self, page: dict[str, Any], *, declines: bool = False) -> dict[str, Any]:
        body = {"ids": self._ids(page), "declines": declines}
        path = f"/api/studies/{self.seat.study}/arrivals"
        arrived: dict[str, Any] = (await self.line.ask("POST", path, body=body)).json()
        return arrived

    def _ids(self, page: dict[str, Any]) -> dict[str, str]:
        """As the page reads them from the address."""
        said = dict(parse_qsl(urlsplit(self.address).query))
        return {what: said[page["panel"][what]] for what in ("participant", "session", "batch")}

    async def _enter(self, page: dict[str, Any]) -> dict[str, Any] | None:
        """Joins; none where the last place was taken meanwhile."""
        self.seat = Seat(self.seat.study, kind="person", panel=self._ids(page))
        try:
            joined = await self._join(page)
        except RefusedError as error:
            if error.kind not in {"full", "closed", "took-part"}:
                raise
            return None
        if self._token not in {None, joined["participant_token"]}:
            raise LostVoteError("one worker was given two seats")
        self._token = joined["participant_token"]
        here: dict[str, Any] = joined["participation"]
        return here

    async def _again(self, page: dict[str, Any]) -> dict[str, Any]:
        """Opens the panel's link in another browser."""
        arrived = await self._arrive(page)
        if arrived["standing"] != "known":
            raise LostVoteError(f"came again and is {arrived['standing']}")
        here = await self._enter(page)
        if here is None:
            raise LostVoteError("came again and was not let in")
        return here

    async def _hear_tones(self, signal: str) -> dict[str, Any] | None:  # noqa: ARG002
        try:
            begun = await self._told("POST", "/api/participation/headphones")
        except RefusedError as error:
            if error.kind != "settled":
                raise
            return None
        number = begun["number"]
        right = await self._around.tones(self._token or "", number)
        wrong = [(tone + 1) % SOUNDS for tone in right]
        return {"number": number, "answers": wrong if self.manner is Manner.DEAF else right}

    async def _hear_digits(self) -> dict[str, Any]:
        begun = await self._told("POST", "/api/participation/hearing")
        test, number = begun["test"], begun["number"]
        spoken = await self._around.spoken(self._token or "", number)
        for round_, right in enumerate(spoken, start=1):
            if round_ == 1:
                await self._ask("GET", f"/api/participation/hearing/{test}/{number}/1")
            answer = "000" if self.manner is Manner.UNHEARING else right
            body = {"test": test, "number": number, "round": round_, "answer": answer}
            told = await self._told("POST", "/api/participation/hearing-rounds", body)
            if told["answered"] != round_:
                raise LostVoteError(f"of {round_} triplets {told['answered']} are there")
        return await self._told("GET", "/api/participation")

    async def _vote(self, trial: dict[str, Any], answer: dict[str, Any]) -> None:
        # Insisting on an answer is part of how long it takes.
        self.last_vote_s = asyncio.get_running_loop().time()
        await super()._vote(trial, answer)

    async def _come_back(self, end: dict[str, Any]) -> None:
        """Presses the button, until the panel has answered."""
        self.end = end
        while True:
            try:
                answer = await self._around.client_of_panel.get(
                    end["url"], headers={"Cookie": f"{WORKER_COOKIE}={self.sent.name}"}
                )
                answer.raise_for_status()
            except httpx.HTTPError:
                await self.line.sleep(FIRST_WAIT_S)
            else:
                return

    @property
    def _around(self) -> Surroundings:
        assert self.around is not None
        return self.around
