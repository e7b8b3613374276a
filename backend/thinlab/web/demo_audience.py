"""The audience's routes: join by a code, hear, watch, vote. Nothing here changes a demo.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from typing import Annotated

from fastapi import APIRouter, Depends, Path, WebSocket
from pydantic import ValidationError
from starlette.status import WS_1013_TRY_AGAIN_LATER

from thinlab.database.loss import is_database_loss
from thinlab.demo import audience_message as seen
from thinlab.demo import catalogue
from thinlab.demo.audience import FullHouseError
from thinlab.demo.demo import Demo
from thinlab.demo.part import DemoPart
from thinlab.demo.poll import PollClosedError
from thinlab.demo.watchers import Told, Watcher
from thinlab.throttle.rate import Rate
from thinlab.web import demo_messages as messages
from thinlab.web import demo_page_socket as page_socket
from thinlab.web.demo_page_socket import SentAwayError
from thinlab.web.demo_sound import answered
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_session import same_origin
from thinlab.web.services import Here, Services

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api/audience/{code}", tags=["audience"])
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 10.0, 40.0
ASK_AGAIN = "Ask the presenter for the code: it is another in every demo."

Code = Annotated[str, Path(max_length=100, description="Six letters, large or small.")]


def no_such_code() -> ProblemError:
    """404: the code is mistyped, or of a demo that is over."""
    return ProblemError(404, "no-such-code", "No demo runs with this code.", remedy=ASK_AGAIN)


def _demo(code: Code, here: Here) -> Demo:
    demo = here.demos.by_code(code)
    if demo is None:
        raise no_such_code()
    return demo


Joined = Annotated[Demo, Depends(_demo)]


@router.get("", operation_id="getAudience", responses=problem_responses(404, 422, 503))
async def invitation(code: Code, here: Here) -> messages.AudienceInvitation:
    """The demo that runs with this code, or the one that did."""
    running = here.demos.by_code(code)
    if running is not None:
        return messages.AudienceInvitation(
            title=running.title, code=running.code, ended=False, replay=None
        )
    async with here.database.transaction() as session:
        over = await catalogue.by_code(session, code)
    if over is None:
        raise no_such_code()
    return messages.AudienceInvitation(
        title=over.title, code=code.upper(), ended=True, replay=over.share_token
    )


@router.post(
    "/offer",
    operation_id="offerAudienceSound",
    dependencies=[Depends(same_origin)],
    responses=problem_responses(403, 404, 409, 422, 503),
)
async def offer(offered: messages.SoundOffer, demo: Joined) -> messages.SoundAnswer:
    """Answers an offer to hear the demo; `listener` as in the socket's `hello`."""
    if not demo.audience.knows(offered.listener):
        raise ProblemError(
            409,
            "no-hello",
            "This listener has not joined.",
            field="listener",
            remedy="Open the socket and say hello first.",
        )
    return messages.SoundAnswer(
        sdp=await answered(demo.audience.offered(offered.listener, offered.sdp))
    )


@router.websocket("/socket")
async def socket(connection: WebSocket, code: str) -> None:
    """A page of the audience. The first message is `hello`."""
    here: Services = connection.app.state.services

    async def page(connection: WebSocket) -> None:
        demo = here.demos.by_code(code)
        if demo is None:
            raise SentAwayError(page_socket.NOT_FOUND, ASK_AGAIN)
        first = await page_socket.hello(connection, seen.AudienceCommand)
        await _Page(demo, first).run(connection)

    await page_socket.serve(connection, page)


class _Page:
    """One page."""

    def __init__(self, demo: Demo, first: seen.AudienceHello) -> None:
        self._demo = demo
        self._listener = first.listener
        self._watcher = Watcher(demo.audience_state, demo.broadcast.sending)
        self._voting: set[asyncio.Task[None]] = set()

    async def run(self, connection: WebSocket) -> None:
        demo = self._demo
        try:
            demo.audience.come(self._listener, self._watcher.send_away)
        except FullHouseError as error:
            raise SentAwayError(
                WS_1013_TRY_AGAIN_LATER, "The demo takes no more listeners."
            ) from error
        demo.broadcast.welcome_audience(self._watcher, demo.audience_state(), demo.audience.order)
        self._tell_you()
        demo.audience.pages.add(self._tell_other_you)
        try:
            rate = Rate(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
            await page_socket.run(connection, self._watcher, rate, self._took)
        finally:
            demo.audience.pages.discard(self._tell_other_you)
            demo.broadcast.audience.remove(self._watcher)
            # What they voted last is theirs, though they have gone before it was stored.
            await asyncio.gather(*self._voting, return_exceptions=True)
            demo.audience.go(self._listener, self._watcher.send_away)

    def _tell(self, message: DemoPart) -> None:
        self._watcher.tell(message.model_dump_json(), Told.OTHER)

    def _tell_you(self) -> None:
        self._you = self._demo.audience.you(self._listener)
        self._tell(self._you)

    def _tell_other_you(self) -> None:
        if self._you != self._demo.audience.you(self._listener):
            self._tell_you()

    async def _took(self, text: str) -> None:
        try:
            asked = seen.AudienceCommand.model_validate_json(text).root
        except ValidationError:
            self._refuse(None, "This cannot be done from here.", "Reload the page.")
            return
        audience = self._demo.audience
        if not audience.knows(self._listener):
            # The demo has ended meanwhile, and the page is about to be told.
            return
        match asked:
            case seen.AudiencePing():
                at_ms = self._demo.clock.now_ms()
                self._tell(seen.AudiencePong(type="pong", number=asked.number, at_ms=at_ms))
                return
            case seen.AudienceListen() if not audience.listen(self._listener, asked.letter):
                self._refuse("listen", "There is no such lane.", "Choose one of the letters.")
                return
            case seen.AudienceVote():
                # What they ask next need not wait for it.
                task = asyncio.create_task(self._vote(asked))
                self._voting.add(task)
                task.add_done_callback(self._voting.discard)
                return
        self._tell_you()

    async def _vote(self, asked: seen.AudienceVote) -> None:
        """They are told whether it is stored."""
        audience = self._demo.audience
        try:
            await audience.vote(self._listener, asked.choice)
        except PollClosedError:
            self._refuse("vote", "There is no open poll with this choice.", "Wait for the next.")
        except Exception as error:
            self._refuse("vote", "The vote could not be stored.", "Try again in a few seconds.")
            if not is_database_loss(error):
                log.exception("a vote in demo %d was not stored", self._demo.demo_id)
        else:
            if audience.knows(self._listener):
                self._tell_you()

    def _refuse(self, do: str | None, text: str, remedy: str) -> None:
        self._tell(seen.AudienceRefused(type="refused", do=do, text=text, remedy=remedy))
