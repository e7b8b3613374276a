"""A bot's part in studies that are typed: the check, the sessions, and what it makes of them.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from thinlab.bots.key import Sound
from thinlab.bots.kind import LinkKind, Manner, Own
from thinlab.bots.network import Line
from thinlab.live.messages import RefusalCode
from thinlab.trials.typing.bot.page_link import LinkRefusedError
from thinlab.trials.typing.bot.page_transport import Dial, dial_channel, dial_socket
from thinlab.trials.typing.bot.rhythm import SCRIPTS, Rhythm, fast, human
from thinlab.trials.typing.bot.typist import (
    Felt,
    Settle,
    Typist,
    VoidError,
    at_once,
)

Handle = Mapping[str, Any]

# Refusals that only mean "not now": the server restarts, or all hosts are taken.
PASSING = {RefusalCode.NO_HOST, RefusalCode.BUSY, RefusalCode.UNAVAILABLE, RefusalCode.LINK_LOST}
# Of them, those of a server that has begun nothing: a page's person waits as long as it takes.
NOT_BEGUN = PASSING - {RefusalCode.LINK_LOST}
# Refusals that mean that the server knows better how far the bot is.
MOVED_ON = {RefusalCode.NOT_NOW, RefusalCode.DONE, RefusalCode.UNKNOWN_SESSION}
PASSING_PAUSE_S = 1.0
TRIES = 20
STEPS = 4


@dataclass(frozen=True)
class Hands:
    """How a bot types, and what it makes of delay."""

    rhythm: Rhythm = fast
    link: LinkKind = "webrtc"
    dislike: float = 20.0
    """Log odds on Davidson's scale that a second of mean delay costs a session."""
    drops_share: float = 0.0
    """Of sessions in whose middle the transport is lost."""
    settle: Settle = at_once
    ended: Callable[[str, Felt], None] = lambda _token, _felt: None
    """Told of each session that counts, once the page knows it."""

    @classmethod
    def of(cls, manner: Manner) -> "Hands":
        """As all of the bots go about it."""
        return cls(human if manner.human else fast, manner.link)


@dataclass
class TypingPart:
    """What one bot has typed so far."""

    line: Line
    token: str
    chance: random.Random
    hands: Hands
    felt: dict[str, Felt] = field(default_factory=dict)
    """By session token."""
    sessions: Counter[str] = field(default_factory=Counter)
    """Tries, by session token."""
    checked_at: str | None = "connection_check"

    @classmethod
    def of(cls, own: Own, hands: Hands) -> "TypingPart":
        """One bot's. Whose habit is to lose its links loses them here, too."""
        drops_share = own.habits.link_drops_share or hands.drops_share
        rhythm = hands.rhythm
        if own.habits.types_by_script:
            rhythm = own.chance.choice(list(SCRIPTS.values()))(own.chance)
        hands = replace(hands, drops_share=drops_share, rhythm=rhythm)
        return cls(own.line, own.token, own.chance, hands)

    async def check(self) -> bool:
        """The connection check; whether it was good. Raises `LinkRefusedError`, `DialError`."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await self._typist().check()
            except TimeoutError:
                # The server that was asking is gone: a page's person tries again.
                if not tries_left:
                    raise
            except LinkRefusedError as error:
                if error.code not in PASSING or not tries_left:
                    raise
                await asyncio.sleep(PASSING_PAUSE_S)
        return False

    async def go_on(self, trial: Mapping[str, Any]) -> bool:
        """Types the trial's next session, if one is left. False: both are done.

        As `Part`: what became of it is for the server to say.
        """
        left: list[Handle] = [one for one in (trial["first"], trial["second"]) if not one["done"]]
        if not left:
            return False
        session_token = left[0]["session_token"]
        self.sessions[session_token] += 1
        if self.sessions[session_token] > TRIES:
            raise LinkRefusedError("a session that cannot be typed")
        felt = self.felt[session_token] = Felt()
        try:
            await self._typist().type(session_token, trial["task"], felt)
            self.hands.ended(session_token, felt)
        except VoidError:
            pass
        except LinkRefusedError as error:
            if error.code in PASSING:
                self.sessions[session_token] -= error.code in NOT_BEGUN
                await asyncio.sleep(PASSING_PAUSE_S)
            elif error.code not in MOVED_ON:
                raise
        return True

    async def perceive(self, handle: Handle) -> Sound:
        """A session as the models of listeners take it: the better, the less it was waited."""
        return self._sound(handle)

    async def consider(self, trial: Mapping[str, Any]) -> None:
        """As `Part`: who has typed answers at once."""

    def forget(self) -> None:
        """As `Part`: what was felt stays, wherever one goes on."""

    def _sound(self, handle: Handle) -> Sound:
        felt = self.felt.get(handle["session_token"], Felt())
        return Sound(-self.hands.dislike * felt.mean_ms / 1000)

    def account(self, trial: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
        """How many sessions were typed, and how noticeable a difference was where that is asked."""
        tokens = [trial[name]["session_token"] for name in ("first", "second")]
        apart = abs(self._sound(trial["first"]).utility - self._sound(trial["second"]).utility)
        asked = trial["scale"].get("noticeable") is not None and (
            answer.get("choice") in {"first", "second"}
        )
        return {
            "noticeable": min(1 + round(apart), STEPS) if asked else None,
            "account": {
                "medium": "typed",
                "sessions_first": max(self.sessions[tokens[0]], 1),
                "sessions_second": max(self.sessions[tokens[1]], 1),
            },
        }

    def _typist(self) -> Typist:
        hands = self.hands
        return Typist(
            self.token, self._dial(), self.chance, hands.rhythm, hands.drops_share, hands.settle
        )

    def _dial(self) -> Dial:
        kind = self.hands.link
        if kind == "any":
            kind = self.chance.choice(["webrtc", "websocket"])
        if kind == "websocket":
            return lambda: dial_socket(str(self.line.client.base_url).rstrip("/"))
        return lambda: dial_channel(self._offer)

    async def _offer(self, sdp: str) -> str:
        answer = await self.line.ask("POST", "/api/live/offer", token=self.token, body={"sdp": sdp})
        return str(answer.json()["sdp"])
