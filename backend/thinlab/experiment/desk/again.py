"""The errand that makes a session of an experiment again, for its captures.

A session in virtual time is the same each time on the same host build; the
SHA-256 of its captures, kept when it was run, tell whether it was.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from thinlab import durable
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.desk.digest import (
    CELLS,
    DIGEST,
    Cells,
    Digest,
    MadeLane,
    SessionAnalysis,
    SessionEntry,
    SessionMade,
    read,
)
from thinlab.experiment.desk.look import opened
from thinlab.experiment.desk.places import Places
from thinlab.experiment.provenance import LaneFiles
from thinlab.experiment.request import SessionRequest, request_of
from thinlab.experiment.session import made_by
from thinlab.lab.agent import Agent
from thinlab.lab.analyser import AnalyserError, said
from thinlab.lab.patience import patiently
from thinlab.settings import Settings
from thinlab.tls.trust import Trust

MADE = "made.json"
MOST_ANALYSES = 8
SIDES = {
    "sender": pb.FILE_KIND_SENDER_CAPTURE,
    "receiver": pb.FILE_KIND_RECEIVER_CAPTURE,
}


class NotAgainError(Exception):
    """Why a session cannot be made again; the text tells the remedy, too."""


@dataclass(frozen=True)
class Asked:
    """A session to be made again."""

    request: SessionRequest
    entry: SessionEntry
    host_build: str


def capture_name(lane: int, side: str) -> str:
    """The file of a capture."""
    return f"lane-{lane}-{side}.pcapng"


def analysis_name(number: int) -> str:
    """The file of a page of the analyser."""
    return f"analysis-{number}.html"


def asked_of(places: Places, name: str, key: str) -> Asked:
    """The session of a key. Raises `NotAgainError` and what reading the file raises."""
    folder = places.digest_folder(name)
    digest, cells = read(folder / DIGEST, Digest), read(folder / CELLS, Cells)
    results = digest.results if digest is not None else None
    found = [
        (cell, entry)
        for cell in (cells.cells if cells else [])
        for entry in cell.sessions
        if entry.key == key
    ]
    if results is None or not found:
        raise NotAgainError("The results have changed. Go back to the experiment and open it anew.")
    [(cell, entry), *_] = found
    experiment = opened(places, name).experiment
    for one in experiment.cells():
        if one.address == cell.address:
            request = request_of(experiment, one, entry.run)
            if request.key(results.host_build) == key:
                return Asked(request, entry, results.host_build)
    raise NotAgainError(
        "The experiment's file asks for other sessions now than the one that was run. Run the "
        "experiment again."
    )


async def make(settings: Settings, places: Places, asked: Asked) -> SessionMade:
    """Makes a session again and keeps its captures, which appear together.

    Raises `NotAgainError`, `AgentAwayError`, `AgentRefusedError`, `SelfCheckError`, `OSError`.
    """
    if settings.lab is None:
        raise NotAgainError(
            "This server has no lab host of its own: its recordings are made by a Dask scheduler's "
            "workers. Set THINLAB_LAB, and start it again."
        )
    agent = Agent(settings.lab, Trust.of(settings))
    try:
        host = await patiently(agent.describe)
        if host.clock != pb.CLOCK_VIRTUAL_TIME:
            raise NotAgainError(
                "The lab host runs in real time, where no two sessions are the same. Start it with "
                "`lab-agent boot --clock virtual`."
            )
        _, lanes = await made_by(agent, asked.request)
    finally:
        await agent.close()
    return _kept(settings, places, asked, host.build, lanes)


def _kept(
    settings: Settings, places: Places, asked: Asked, build: str, lanes: Sequence[LaneFiles]
) -> SessionMade:
    """Captures and what the analyser makes of them: the folder appears whole, by renaming."""
    places.sessions.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=places.sessions))
    try:
        made = _written(fresh, asked, build, lanes)
        made = _analysed(settings.agent, fresh, asked, made)
        durable.write(fresh / MADE, made.model_dump_json().encode())
        final = places.sessions / asked.entry.key
        shutil.rmtree(final, ignore_errors=True)
        fresh.rename(final)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return made


def _written(folder: Path, asked: Asked, build: str, lanes: Sequence[LaneFiles]) -> SessionMade:
    told = []
    for number, files in enumerate(lanes):
        for side, kind in SIDES.items():
            # The file itself: what is handed out is what the hash is of.
            (folder / capture_name(number, side)).write_bytes(files[kind])
        sender, receiver = (files[kind] for kind in SIDES.values())
        told.append(
            MadeLane(
                sender_sha256=hashlib.sha256(sender).hexdigest(),
                receiver_sha256=hashlib.sha256(receiver).hexdigest(),
                sender_bytes=len(sender),
                receiver_bytes=len(receiver),
            )
        )
    entry = asked.entry
    agrees = None
    if entry.sender_sha256 and entry.receiver_sha256:
        agrees = [one.sender_sha256 for one in told] == entry.sender_sha256 and [
            one.receiver_sha256 for one in told
        ] == entry.receiver_sha256
    return SessionMade(
        key=entry.key,
        made_at=datetime.now(UTC),
        host_build=build,
        recorded_build=asked.host_build,
        agrees=agrees,
        lanes=told,
        analyses=[],
        analyses_left_out=0,
    )


def _analysed(analyser: Path | None, folder: Path, asked: Asked, made: SessionMade) -> SessionMade:
    """Pages of the analyser; where there is none of a connection, the captures are kept anyway."""
    if analyser is None:
        told = "The server does not know the lab-agent's program, which draws: THINLAB_AGENT."
        return made.model_copy(update={"analysis_problem": told})
    cell = asked.request.cell
    analyses: list[SessionAnalysis] = []
    left_out = 0
    try:
        for lane in range(len(made.lanes)):
            captures = [str(folder / capture_name(lane, side)) for side in SIDES]
            flows = _flows(analyser, captures) if cell.flows else [None]
            room = MOST_ANALYSES - len(analyses)
            left_out += len(flows[room:])
            for flow in flows[:room]:
                target = folder / analysis_name(len(analyses))
                words = ["analyze", *captures, "--html", str(target)]
                if flow is not None:
                    words += ["--flow", flow]
                else:
                    words += ["--message-bytes", str(cell.message_bytes)]
                said(analyser, *words)
                analyses.append(SessionAnalysis(lane=lane, connection=flow))
    except (AnalyserError, ValueError, KeyError) as error:
        return made.model_copy(update={"analyses": analyses, "analysis_problem": str(error)})
    return made.model_copy(update={"analyses": analyses, "analyses_left_out": left_out})


def _flows(analyser: Path, captures: Sequence[str]) -> list[str | None]:
    """The connections of a lane that carried something, from sender to receiver."""
    told = json.loads(said(analyser, "analyze", "--json", *captures))
    several = told.get("connections")
    if several is None:
        return [None]
    return [
        f"{one['flow']['sender']}-{one['flow']['receiver']}"
        for one in several
        if "error" not in one and one.get("incarnation") == 1
    ]
