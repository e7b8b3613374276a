"""Routes of trials that are typed, for the researcher: who types now, and replays.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.lab.packets import PacketPassage, UnreadableError, packets_of
from thinlab.live.switchboard import RunningSession
from thinlab.monitoring.kind import SessionCounts
from thinlab.monitoring.monitor import Kind
from thinlab.study import study_state
from thinlab.trials.typing import replay as typing_replay
from thinlab.trials.typing import watch
from thinlab.trials.typing.replay import Found, TypingReplay
from thinlab.trials.typing.watch import PastSession
from thinlab.web.named_study import CountedKind, named, with_votes_visible
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here, Services

router = APIRouter()
CAPTURE_TYPE = "application/vnd.tcpdump.pcap"
# A number that the database can hold; another names nothing.
SessionId = Annotated[int, Path(ge=1, le=2**63 - 1)]

# Of a session, which may not be shown yet.
SHOWN = problem_responses(401, 404, 409, 422, 503)


class TypingNow(BaseModel):
    """A session under way. Its condition is in nothing that is told of it."""

    session_id: int
    participant: str = Field(description="Pseudonym.")
    position: int
    place: str = Field(description="`first` or `second`, as presented.")
    training: bool
    since: datetime
    stage: Literal["preparing", "ready", "ended", "void"]
    transport: str | None
    link_rtt_ms: float | None = Field(description="Between page and server, now.")
    link_jitter_ms: float | None
    keys: int
    reconnects: int


class TypingStudy(BaseModel):
    """A study's typing at this moment."""

    at: datetime = Field(description="The server's time.")
    kind: Kind = Field(description="Who is counted.")
    replayable: bool = Field(description="Whether sessions of people can be replayed: see votes.")
    running: list[TypingNow]
    counts: SessionCounts
    latest: list[PastSession] = Field(description="Newest first; of every kind of participant.")


class ScreenShown(BaseModel):
    """What the terminal wrote at one moment; µs since it was ready."""

    number: int
    at_us: int = Field(description="Read from the terminal.")
    painted_us: int | None
    answers_key: int
    data: str = Field(description="Masked where the study does not keep what is typed.")


class PageMoment(BaseModel):
    """Something that happened to the page as a whole."""

    at_us: int
    state: str


class Screens(BaseModel):
    """All that was seen of a session."""

    screens: list[ScreenShown]
    page: list[PageMoment]


class End(StrEnum):
    """Where a capture was taken."""

    SENDER = "sender"
    RECEIVER = "receiver"


@router.get(
    "/studies/{slug}/typing",
    operation_id="getTypingStudy",
    responses=problem_responses(401, 404, 422, 503),
)
async def typing(slug: str, here: Here, kind: CountedKind = "person") -> TypingStudy:
    """Who types now, how many have, and what failed. Never under which condition."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        return TypingStudy(
            at=datetime.now(UTC),
            kind=kind,
            replayable=await _is_visible(session, slug),
            running=[
                _now(one) for one in here.live.switchboard.running() if one.caption.study == slug
            ],
            counts=await watch.counts(session, study.slug, kind),
            latest=await watch.latest(session, study.slug),
        )


@router.get("/typing-sessions/{session_id}", operation_id="getTypingSession", responses=SHOWN)
async def session_replay(session_id: SessionId, here: Here) -> TypingReplay:
    """A session with its keys; 409 `blinded` while the study hides its votes."""
    async with here.database.transaction() as session:
        return await typing_replay.replay(session, await _shown(session, session_id))


@router.get(
    "/typing-sessions/{session_id}/screens", operation_id="getTypingScreens", responses=SHOWN
)
async def session_screens(session_id: SessionId, here: Here) -> Screens:
    """What the terminal showed, and what happened to the page; empty of a void session."""
    folder = await _folder(session_id, here)
    return await asyncio.to_thread(
        lambda: Screens(
            screens=[ScreenShown.model_validate(line) for line in _lines(folder / "screens.jsonl")],
            page=[PageMoment.model_validate(line) for line in _lines(folder / "page.jsonl")],
        )
    )


@router.get(
    "/typing-sessions/{session_id}/packets", operation_id="getTypingPackets", responses=SHOWN
)
async def session_packets(session_id: SessionId, here: Here) -> list[PacketPassage]:
    """Every packet of both directions, as the captures have them."""
    async with here.database.transaction() as session:
        found = await _shown(session, session_id)
        whole = await typing_replay.replay(session, found)
    folder = here.live.store.of(session_id)
    sender, receiver = folder / "sender.pcapng", folder / "receiver.pcapng"
    if whole.result is None or not await asyncio.to_thread(_have_content, [sender, receiver]):
        return []
    if here.analyser is None:
        raise ProblemError(
            409,
            "no-analyser",
            "This server cannot read captures.",
            remedy="Set THINLAB_AGENT to the path of `lab-agent`, or download the captures.",
        )
    try:
        sent_us = [
            key.pressed_us + key.key_sent_us for key in whole.keys if key.key_sent_us is not None
        ]
        return await packets_of(here.analyser, sender, receiver, whole.result, sent_us)
    except UnreadableError as error:
        raise ProblemError(
            409,
            "captures-unreadable",
            "The captures of this session cannot be read.",
            detail=str(error),
            remedy="Download them and look at them in another tool.",
        ) from error


@router.get(
    "/typing-sessions/{session_id}/captures/{end}.pcapng",
    operation_id="getTypingCapture",
    response_class=FileResponse,
    responses={
        200: {"content": {CAPTURE_TYPE: {"schema": {"type": "string", "format": "binary"}}}},
        **SHOWN,
    },
)
async def session_capture(session_id: SessionId, end: End, here: Here) -> Response:
    """The packets as the sender or the receiver saw them."""
    path = await _folder(session_id, here) / f"{end.value}.pcapng"
    if not await asyncio.to_thread(_have_content, [path]):
        raise ProblemError(404, "no-capture", "There is no capture of this session.")
    name = f"typing-session-{session_id}-{end.value}.pcapng"
    return FileResponse(
        path,
        media_type=CAPTURE_TYPE,
        filename=name,
    )


def _now(one: RunningSession) -> TypingNow:
    return TypingNow(
        session_id=one.caption.session_id,
        participant=one.caption.participant,
        position=one.caption.position,
        place=one.caption.place,
        training=one.caption.training,
        since=one.since,
        stage=one.stage.value,
        transport=one.transport,
        link_rtt_ms=one.link_rtt_ms,
        link_jitter_ms=one.link_jitter_ms,
        keys=one.keys,
        reconnects=one.reconnects,
    )


async def _is_visible(session: AsyncSession, slug: str) -> bool:
    study = await named(session, slug)
    return (await study_state.of(session, study)).votes_visible


async def _shown(session: AsyncSession, session_id: int) -> Found:
    """A session that has ended and may be seen. Raises the problem that says why not.

    A preview's is nobody's vote, and can be looked at while the study runs.
    """
    found = await typing_replay.find(session, session_id)
    if found is None or found.row.state == "typing":
        raise ProblemError(404, "no-such-session", "There is no such session, or not yet.")
    if found.participant.kind != "preview":
        await with_votes_visible(session, found.study.slug)
    return found


async def _folder(session_id: int, here: Services) -> FilePath:
    async with here.database.transaction() as session:
        await _shown(session, session_id)
    return here.live.store.of(session_id)


def _have_content(paths: list[FilePath]) -> bool:
    return all(path.is_file() and path.stat().st_size for path in paths)


def _lines(path: FilePath) -> list[dict[str, Any]]:
    """A file of JSON lines; nothing of one that is not there."""
    if not path.is_file():
        return []
    # Not by `splitlines`, to which more than a line feed ends a line.
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
