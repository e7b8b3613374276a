"""What workers, panel and database say of the same people: whatever does not agree is a fault.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections import Counter
from collections.abc import Sequence

import asyncpg

from tests.crowd.panel import Panel
from tests.crowd.worker import CrowdWorker, Manner

# Never back at the panel: who is gone, and who has withdrawn.
SILENT: dict[Manner, str] = {Manner.GONE: "timed_out", Manner.WITHDRAWING: "withdrawn"}


# What they come to, unless the last place was taken before.
DESTINED = {
    Manner.DECLINING: "declined",
    Manner.INELIGIBLE: "screened_out",
    Manner.UNHEARING: "screened_out",
    Manner.DEAF: "screened_out",
}


async def faults(
    database: asyncpg.Connection,
    panel: Panel,
    workers: Sequence[CrowdWorker],
    codes: dict[str, str],
    places: int,
) -> tuple[list[str], Counter[str]]:
    """What is wrong, in words; and how many came to which outcome."""
    seats = await database.fetch("select panel_participant, outcome from panel_seat")
    outcomes = Counter(str(row["outcome"]) for row in seats)
    found = [
        *_of_seats(seats, workers),
        *_of_the_panel(seats, panel, workers, codes),
        *await _of_votes(database, workers),
        *await _of_places(database, places),
        *await _of_the_screened_out(database),
    ]
    return found, outcomes


def _of_seats(seats: Sequence[asyncpg.Record], workers: Sequence[CrowdWorker]) -> list[str]:
    found = []
    if len(seats) != len(workers):
        found.append(f"{len(seats)} seats of {len(workers)} workers")
    if undecided := sum(row["outcome"] is None for row in seats):
        found.append(f"{undecided} seats without an outcome")
    named = Counter(row["panel_participant"] for row in seats if row["panel_participant"])
    if doubled := sum(count > 1 for count in named.values()):
        found.append(f"{doubled} workers with more than one seat")
    unnamed = sum(row["panel_participant"] is None for row in seats)
    withdrawn = sum(row["outcome"] == "withdrawn" for row in seats)
    if unnamed != withdrawn:
        found.append(f"{unnamed} seats without an id, of {withdrawn} who have withdrawn")
    return found


def _of_the_panel(
    seats: Sequence[asyncpg.Record],
    panel: Panel,
    workers: Sequence[CrowdWorker],
    codes: dict[str, str],
) -> list[str]:
    """Each worker came back with one code, that of the outcome that the server has of them."""
    held = {row["panel_participant"]: row["outcome"] for row in seats}
    found = []
    for worker in workers:
        name = worker.sent.name
        told = {what for what, _ in panel.told.get(name, [])}
        outcome = held.get(name)
        if worker.end is None:
            silent = SILENT.get(worker.manner)
            if told or silent is None or outcome not in {silent, None}:
                found.append(f"{name} ({worker.manner}) is {outcome} and told {told or 'nothing'}")
        elif outcome is None or told != {codes[outcome]}:
            found.append(f"{name} ({worker.manner}) is {outcome} and told {told}")
        elif outcome not in {DESTINED.get(worker.manner, outcome), "full"}:
            found.append(f"{name} ({worker.manner}) is {outcome}")
    return found


async def _of_votes(database: asyncpg.Connection, workers: Sequence[CrowdWorker]) -> list[str]:
    stored = Counter(str(row["vote_key"]) for row in await database.fetch("select * from vote"))
    acknowledged = Counter(
        vote
        for worker in workers
        # Theirs are deleted.
        if not (worker.manner is Manner.WITHDRAWING and worker.end is None)
        for vote in worker.outcome.votes
    )
    if stored == acknowledged:
        return []
    lost, added = acknowledged - stored, stored - acknowledged
    return [f"{lost.total()} votes lost, {added.total()} stored without their voter"]


async def _of_places(database: asyncpg.Connection, places: int) -> list[str]:
    """As many completed as there are places, and no order was given too often or one run twice."""
    completed = "join participant p on p.id = participant_id where p.completed_at is not null"
    rows = await database.fetch(f"select row, round from allocation a {completed}")  # noqa: S608
    found = []
    if len(rows) != places:
        found.append(f"{len(rows)} completed sessions, of {places} places")
    doubled = Counter((row["row"], row["round"]) for row in rows)
    if any(count > 1 for count in doubled.values()):
        found.append("two completed sessions have one row in one round")
    of_rows = Counter(row["row"] for row in rows)
    orders = await database.fetchval("select count(distinct row) from allocation")
    if of_rows and max(of_rows.values()) > math.ceil(places / orders):
        found.append(f"an order was completed {max(of_rows.values())} times of {places}/{orders}")
    return found


async def _of_the_screened_out(database: asyncpg.Connection) -> list[str]:
    """Whoever may not take part was given nothing to hear, and holds no place."""
    held = await database.fetchval(
        "select count(*) from allocation join participant p on p.id = participant_id "
        "where p.ineligible_by is not null or p.hearing_failed is not null"
    )
    return [f"{held} of those screened out hold a place"] if held else []
