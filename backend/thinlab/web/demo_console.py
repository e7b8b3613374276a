"""The console's WebSocket: the demo as it is, and the presenter's commands.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import time

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ValidationError
from starlette.status import WS_1013_TRY_AGAIN_LATER

from thinlab.database.loss import is_database_loss
from thinlab.demo import catalogue
from thinlab.demo.audience import FullHouseError
from thinlab.demo.command import (
    AnyCommand,
    CommandRefused,
    ConsoleCommand,
    ConsoleHello,
    Ping,
    Pong,
)
from thinlab.demo.demo import Demo
from thinlab.demo.possible import UnfitError
from thinlab.demo.presenter import Presenter
from thinlab.demo.watchers import Told, Watcher
from thinlab.lab.live_hosts import NoHostError
from thinlab.throttle.rate import Rate
from thinlab.web import demo_page_socket as page_socket
from thinlab.web.demo_page_socket import SentAwayError
from thinlab.web.presenter_session import socket_may_present
from thinlab.web.services import Services

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api/demos", tags=["presenter"])
CONSOLES_LIMIT = 20
ACCESS_LOOK_S = 5.0
# A held key repeats 60 times a second at most, and a slider moves meanwhile.
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 150.0, 300.0
REMEDIES = {
    "greater_than_equal": "Give at least {ge}.",
    "greater_than": "Give more than {gt}.",
    "less_than_equal": "Give at most {le}.",
    "less_than": "Give less than {lt}.",
    "too_short": "Give at least {min_length}.",
    "too_long": "Give at most {max_length}.",
    "string_too_short": "Give at least {min_length} characters.",
    "string_too_long": "Give at most {max_length} characters.",
    "string_pattern_mismatch": "Leave out control characters.",
    "missing": "Give this field, too: settings are always whole.",
    "extra_forbidden": "Leave this field out.",
    "enum": "Give one of {expected}.",
    "union_tag_invalid": "Give one of {expected_tags}.",
}


@router.websocket("/{demo_id}/console")
async def console(connection: WebSocket, demo_id: int) -> None:
    """A console. The first command is `hello`."""
    here: Services = connection.app.state.services

    async def page(connection: WebSocket) -> None:
        if not await socket_may_present(connection, here, in_use=True):
            raise _no_access()
        demo = here.demos.by_id(demo_id)
        if demo is None:
            raise await _absent(here, demo_id)
        first = await page_socket.hello(connection, ConsoleCommand)
        await _while_allowed(connection, here, _Console(here, demo, first))

    await page_socket.serve(connection, page)


def _no_access() -> SentAwayError:
    return SentAwayError(page_socket.NO_ACCESS, "Open the demo's address as printed at start.")


async def _while_allowed(connection: WebSocket, here: Services, one: "_Console") -> None:
    """Runs a console until it is closed, or its session has ended."""
    tasks = (
        asyncio.create_task(one.run(connection)),
        asyncio.create_task(_allowed(connection, here, one)),
    )
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _allowed(connection: WebSocket, here: Services, one: "_Console") -> None:
    """Raises `SentAwayError` once the session has ended."""
    while True:
        await asyncio.sleep(ACCESS_LOOK_S)
        acted, one.acted = one.acted, False
        try:
            allowed = await socket_may_present(connection, here, in_use=acted)
        except Exception as error:
            # While the database is away a demo goes on.
            if not is_database_loss(error):
                raise
        else:
            if not allowed:
                raise _no_access()


async def _absent(here: Services, demo_id: int) -> SentAwayError:
    if 0 < demo_id < 2**63:
        async with here.database.transaction() as session:
            if await catalogue.exists(session, demo_id):
                return SentAwayError(page_socket.ENDED, "The demo has ended.")
    return SentAwayError(page_socket.NOT_FOUND, "There is no such demo.")


class _Console:
    """One page."""

    def __init__(self, here: Services, demo: Demo, first: ConsoleHello) -> None:
        self._demo = demo
        self._listener = first.listener
        self._presenter = Presenter(here.demos, demo, first.listener)
        self._watcher = Watcher(demo.console_state, demo.broadcast.sending)
        self._obeying: set[asyncio.Task[None]] = set()
        self.acted = False
        """Whether anything was asked since this was last looked at."""

    async def run(self, connection: WebSocket) -> None:
        demo = self._demo
        if len(demo.broadcast.consoles) >= CONSOLES_LIMIT:
            raise SentAwayError(WS_1013_TRY_AGAIN_LATER, "Too many consoles are open: close one.")
        try:
            demo.audience.come(self._listener, self._watcher.send_away, console=True)
        except FullHouseError as error:
            raise SentAwayError(
                WS_1013_TRY_AGAIN_LATER, "The demo takes no more listeners."
            ) from error
        demo.broadcast.welcome_console(self._watcher, demo.console_state())
        try:
            rate = Rate(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)
            await page_socket.run(connection, self._watcher, rate, self._took)
        finally:
            # What was begun is carried out: a command does not depend on who waits for it.
            demo.broadcast.consoles.remove(self._watcher)
            demo.audience.go(self._listener, self._watcher.send_away)

    def _tell(self, message: BaseModel) -> None:
        self._watcher.tell(message.model_dump_json(), Told.OTHER)

    async def _took(self, text: str) -> None:
        arrived_ns = time.time_ns()
        try:
            asked = ConsoleCommand.model_validate_json(text).root
        except ValidationError as error:
            self._tell(_misunderstood(text, error))
            return
        if isinstance(asked, Ping):
            at_ms = self._demo.clock.now_ms()
            self._tell(Pong(type="pong", command=asked.command, at_ms=at_ms))
            return
        self.acted = True
        try:
            done = self._presenter.at_once(asked)
        except UnfitError as error:
            self._tell(_refused(asked, error))
            return
        if done is not None:
            if asked.do != "key":
                self._tell(done)
            return
        task = asyncio.create_task(self._obey(asked, arrived_ns))
        self._obeying.add(task)
        task.add_done_callback(self._obeying.discard)

    async def _obey(self, asked: AnyCommand, arrived_ns: int) -> None:
        try:
            self._tell(await self._presenter.in_turn(asked, arrived_ns))
        except UnfitError as error:
            self._tell(_refused(asked, error))
        except NoHostError as error:
            remedy = "Start the live lab host again."
            self._tell(_refused(asked, UnfitError("do", str(error), remedy)))
        except Exception as error:
            away = is_database_loss(error)
            if not away:
                log.exception("a command of demo %d has failed", self._demo.demo_id)
            text = "The server cannot reach its database." if away else "The server has failed."
            remedy = "Try again in a few seconds."
            self._tell(_refused(asked, UnfitError("do", text, remedy)))


def _refused(asked: AnyCommand, error: UnfitError) -> CommandRefused:
    return CommandRefused(
        type="refused",
        command=asked.command,
        field=error.field or None,
        text=error.text,
        remedy=error.remedy,
    )


def _misunderstood(text: str, error: ValidationError) -> CommandRefused:
    first = error.errors(include_url=False)[0]
    # The first part of the place is the command's kind.
    field = ".".join(str(part) for part in first["loc"][1:]) or None
    remedy = REMEDIES.get(first["type"], "Correct this value.").format(**first.get("ctx", {}))
    return CommandRefused(
        type="refused",
        command=_number_of(text),
        field=field,
        text=f"{field}: {first['msg']}" if field else first["msg"],
        remedy=remedy,
    )


def _number_of(text: str) -> int | None:
    """The command's number, where it can be read."""
    try:
        return _Numbered.model_validate_json(text).command
    except ValidationError:
        return None


class _Numbered(BaseModel):
    command: int
