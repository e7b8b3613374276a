"""What was acknowledged against what is there: the database, and what a researcher takes home.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable

import asyncpg
import httpx

from tests.soak.ledger import KeptEvent, KeptPollVote, KeptSession, KeptVote, Ledger

VOTES = """
select vote.vote_key::text as key, coalesce(vote.choice, vote.score::text) as choice,
  participant.pseudonym, presentation.trial_id
from vote join presentation on presentation.id = vote.presentation_id
join participant on participant.id = presentation.participant_id
"""
SESSIONS = """
select case typing_session.place when 'first' then first_token else second_token end as token,
  typing_session.id::text as id
from typing_session join presentation on presentation.id = typing_session.presentation_id
where typing_session.state = 'done'
"""
EVENTS = "select demo_id, number, text from demo_event"
POLL_VOTES = """
select demo_id, number, choice, count(*) as votes from demo_vote
join demo_poll on demo_poll.id = demo_vote.poll_id group by demo_id, number, choice
"""


async def losses(
    ledger: Ledger, database_url: str, researcher: httpx.AsyncClient, studies: Iterable[str]
) -> list[str]:
    """What was acknowledged and is not there as it was, in words."""
    votes, keys = await _taken_home(researcher, studies)
    connection = await asyncpg.connect(database_url)
    try:
        found = _of_votes(ledger, await connection.fetch(VOTES), votes)
        found += _of_sessions(ledger, await connection.fetch(SESSIONS), keys)
        events = {
            (row["demo_id"], row["number"]): row["text"] for row in await connection.fetch(EVENTS)
        }
        found += [
            f"event {one.number} of demo {one.demo_id} is lost"
            for one in ledger.of(KeptEvent)
            if events.get((one.demo_id, one.number)) != one.text
        ]
        polls = Counter(
            {
                (row["demo_id"], row["number"], row["choice"]): row["votes"]
                for row in await connection.fetch(POLL_VOTES)
            }
        )
    finally:
        await connection.close()
    acknowledged = Counter((one.demo_id, one.poll, one.choice) for one in ledger.of(KeptPollVote))
    found += [
        f"a listener's vote in {where} is lost" for where in (acknowledged - polls).elements()
    ]
    return found


async def _taken_home(
    researcher: httpx.AsyncClient, studies: Iterable[str]
) -> tuple[Counter[tuple[str, str, str]], Counter[str]]:
    """Votes by participant, trial and answer; how many keys each session has."""
    votes: Counter[tuple[str, str, str]] = Counter()
    keys: Counter[str] = Counter()
    for study in studies:
        path = f"/api/researcher/studies/{study}"
        text = (await researcher.get(f"{path}/export.csv")).raise_for_status().text
        for row in csv.DictReader(io.StringIO(text, newline="")):
            votes[row["participant"], row["trial"], row["choice"]] += 1
        text = (await researcher.get(f"{path}/keystrokes.csv")).raise_for_status().text
        keys.update(row["session"] for row in csv.DictReader(io.StringIO(text, newline="")))
    return votes, keys


def _of_votes(
    ledger: Ledger, rows: list[asyncpg.Record], exported: Counter[tuple[str, str, str]]
) -> list[str]:
    stored = {row["key"]: row for row in rows}
    found = []
    for one in ledger.of(KeptVote):
        row = stored.get(one.vote_key)
        if row is None or row["choice"] != one.choice:
            found.append(f"vote {one.vote_key} is lost")
        elif exported[row["pseudonym"], row["trial_id"], one.choice] != 1:
            found.append(f"vote {one.vote_key} is not in the export, or twice")
    return found


def _of_sessions(ledger: Ledger, rows: list[asyncpg.Record], keys: Counter[str]) -> list[str]:
    stored = {row["token"]: row["id"] for row in rows}
    found = []
    for one in ledger.of(KeptSession):
        session = stored.get(one.token)
        if session is None:
            found.append(f"a typing session of {one.keys} keys is lost")
        elif keys[session] != one.keys:
            found.append(f"session {session} has {keys[session]} keys of {one.keys}")
    return found
