"""Routes of what a demo left behind: its feed, events, sound, captures, results; for a replay.

The same for whoever holds a share token, read-only.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from math import inf
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import FileResponse, StreamingResponse

from thinlab.demo import catalogue
from thinlab.demo.older_feed import in_words
from thinlab.demo.part import LANES_LIMIT
from thinlab.demo.store import DemoStore
from thinlab.demo.stored import DemoDetails
from thinlab.web import demo_messages as messages
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here, Services

FEED_TYPE = "application/x-ndjson"
CAPTURE_TYPE = "application/vnd.tcpdump.pcap"
SOUND_TYPE = "audio/ogg"

TakeNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
Lane = Annotated[int, Path(ge=0, lt=LANES_LIMIT)]
# Of two hours, and some more.
Piece = Annotated[int, Path(ge=0, le=10_000)]
FromMs = Annotated[float, Query(ge=0, allow_inf_nan=False, description="ms since it began.")]
UntilMs = Annotated[float | None, Query(ge=0, allow_inf_nan=False, description="None: its end.")]


class LaneFile(StrEnum):
    """A file of a lane."""

    SENDER = "sender.pcapng"
    RECEIVER = "receiver.pcapng"
    MESSAGE_ENDS = "message-ends.txt"
    SOUND = "sound.opus"

    @property
    def media_type(self) -> str:
        """As browsers are told it."""
        match self:
            case LaneFile.MESSAGE_ENDS:
                return "text/plain"
            case LaneFile.SOUND:
                return SOUND_TYPE
            case _:
                return CAPTURE_TYPE


def no_such_demo() -> ProblemError:
    """404: neither a running demo nor a kept one has this number."""
    return ProblemError(
        404, "no-such-demo", "There is no such demo.", remedy="Look at the list of demos."
    )


async def off_the_disk(store: DemoStore, demo_id: int) -> None:
    """Deletes a demo's files."""
    await asyncio.to_thread(store.remove, demo_id)


async def _known(demo_id: Annotated[int, Path(ge=1, le=2**63 - 1)], here: Here) -> int:
    """A demo that is in the table."""
    async with here.database.transaction() as session:
        found = await catalogue.exists(session, demo_id)
    if not found:
        raise no_such_demo()
    return demo_id


async def _shared(token: Annotated[str, Path(max_length=100)], here: Here) -> int:
    """The demo that a token leads to."""
    async with here.database.transaction() as session:
        demo_id = await catalogue.shared(session, token)
    if demo_id is None:
        raise ProblemError(
            404,
            "no-such-demo",
            "There is nothing at this address, or no longer.",
            remedy="Ask whoever gave you the link for another.",
        )
    if here.demos.by_id(demo_id) is not None:
        # Its feed tells what a blind audience must not know yet.
        raise ProblemError(
            409, "demo-runs", "The demo still runs.", remedy="Come back when it is over."
        )
    return demo_id


FEED_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {"content": {FEED_TYPE: {"schema": {"type": "string"}}}},
}
BYTES = {"schema": {"type": "string", "format": "binary"}}
FILE_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {"content": {CAPTURE_TYPE: BYTES, SOUND_TYPE: BYTES}},
}
SOUND_RESPONSE: dict[int | str, dict[str, Any]] = {200: {"content": {SOUND_TYPE: BYTES}}}


def _file(here: Services, demo_id: int, number: int, lane: int, name: LaneFile) -> Response:
    path = here.demos.store.file(demo_id, number, lane, name.value)
    if not path.is_file():
        raise ProblemError(404, "no-file", "This lane has no such file in this take.")
    saved = f"demo-{demo_id}-take-{number}-lane-{lane}-{name.value}"
    return FileResponse(
        path,
        media_type=name.media_type,
        filename=saved,
    )


def _kept(
    name: str, found: Callable[..., Awaitable[int]], errors: dict[int | str, Any]
) -> APIRouter:
    """The routes of a demo that `found` leads to from the path; `name`: what the contract says."""
    routes = APIRouter()
    Found = Annotated[int, Depends(found)]  # noqa: N806 (a type)

    @routes.get(
        "/feed",
        operation_id=f"get{name}Feed",
        response_class=StreamingResponse,
        responses={**FEED_RESPONSE, **errors},
    )
    async def feed(
        demo: Found, here: Here, from_ms: FromMs = 0.0, until_ms: UntilMs = None
    ) -> Response:
        """What was sent to those who watched: a message a line, by whole minutes."""
        kept = here.demos.store.feed(demo, from_ms, inf if until_ms is None else until_ms)
        lines = in_words(kept)
        return StreamingResponse(lines, media_type=FEED_TYPE)

    @routes.get("/events", operation_id=f"get{name}Events", responses=errors)
    async def events(demo: Found, here: Here) -> messages.EventList:
        """All that happened."""
        async with here.database.transaction() as session:
            return messages.EventList(events=await catalogue.events(session, demo))

    @routes.get("/results", operation_id=f"get{name}Results", responses=errors)
    async def results(demo: Found, here: Here) -> messages.ResultList:
        """What each take measured, from its first packet to its last."""
        async with here.database.transaction() as session:
            return messages.ResultList(takes=await catalogue.results(session, demo))

    @routes.get(
        "/takes/{number}/lanes/{lane}/{name}",
        operation_id=f"get{name}File",
        response_class=FileResponse,
        responses={**FILE_RESPONSE, **errors},
    )
    async def file(
        demo: Found, number: TakeNumber, lane: Lane, name: LaneFile, here: Here
    ) -> Response:
        """A lane's capture at its sender or receiver, where its messages end, or its sound."""
        return _file(here, demo, number, lane, name)

    @routes.get(
        "/takes/{number}/lanes/{lane}/sound/{piece}",
        operation_id=f"get{name}Sound",
        response_class=Response,
        responses={**SOUND_RESPONSE, **errors},
    )
    async def sound(
        demo: Found, number: TakeNumber, lane: Lane, piece: Piece, here: Here
    ) -> Response:
        """A piece of what was heard of a lane, as long as the take's `sound.piece_ms`.

        It is decoded alone and played after the piece before, without a seam.
        """
        store = here.demos.store
        content = await asyncio.to_thread(store.sound_piece, demo, number, lane, piece)
        if content is None:
            raise ProblemError(
                404, "no-sound", "No such sound was kept for this lane in this take."
            )
        return Response(content, media_type=SOUND_TYPE)

    return routes


SHARED_ERRORS = problem_responses(404, 409, 422, 503)
inside = APIRouter()
inside.include_router(
    _kept("Demo", _known, problem_responses(401, 404, 422, 503)), prefix="/{demo_id}"
)
router = APIRouter(prefix="/api/shared-demos/{token}", tags=["replay"])


@router.get("", operation_id="getSharedDemo", responses=SHARED_ERRORS)
async def shared(demo: Annotated[int, Depends(_shared)], here: Here) -> DemoDetails:
    """A demo that was shared."""
    async with here.database.transaction() as session:
        found = await catalogue.details(
            session, demo, here.demos.by_id(demo), here.demos.store, with_token=False
        )
    if found is None:
        raise no_such_demo()
    # The audience's code is not for whoever may look at the replay.
    summary = found.summary.model_copy(update={"code": None})
    return found.model_copy(update={"summary": summary})


router.include_router(_kept("SharedDemo", _shared, SHARED_ERRORS))
