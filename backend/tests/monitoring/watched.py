"""A study with every kind of trial and every rule, and people who answer as told.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from httpx import AsyncClient
from sqlalchemy import select

from tests.made_up import Participant, block, put_recordings, study_definition
from thinlab.database.engine import Database
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.database.schema import Presentation
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.web.serve import load
from thinlab.web.services import Services

PAIR = {"kind": "pair", "conditions": ["plain", "modified"]}
RULES = [
    {"rule": "trapping_wrong"},
    {"rule": "gold_wrong", "more_than": 0},
    {"rule": "control_difference", "more_than_share": 0.5},
    {"rule": "straight_lining", "of_at_least": 4},
    {"rule": "headphones_failed"},
    {"rule": "decision_under", "ms": 500, "more_than_share": 0.5},
    {"rule": "answered", "question": "hearing", "any_of": ["impaired"]},
]
HEARING = {
    "id": "hearing",
    "kind": "choice",
    "text": "How do you hear?",
    "options": [{"id": "normal", "label": "Normally"}, {"id": "impaired", "label": "Badly"}],
}
TRIALS: list[dict[str, Any]] = [
    PAIR | {"id": "speech", "clip": "speech", "seed": 1},
    PAIR | {"id": "song", "clip": "song", "seed": 2},
    {"kind": "control", "id": "control", "clip": "song", "condition": "plain", "seed": 3},
    {"kind": "gold", "id": "gold", "clip": "speech", "seed": 4}
    | {"conditions": ["plain", "modified"], "better": "modified"},
    {"kind": "trapping", "id": "trap", "clip": "speech", "condition": "plain", "seed": 5}
    | {"answer": "second"},
]


def watched_study(**changes: Any) -> StudyDefinition:  # noqa: ANN401 (any field)
    """Training, two pairs, a control, a gold and a trapping trial, and all rules."""
    practice = block([PAIR | {"id": "practice", "clip": "speech", "seed": 9}])
    content = {
        "slug": "watched",
        "votes_visible": "when_stopped",
        "blocks": [practice | {"id": "practice", "role": "training"}, block(TRIALS)],
        "exclusion": RULES,
        "questionnaire": [HEARING],
        "headphones": "asked",
    }
    return study_definition(**(content | changes))


async def put_watched(services: Services, **changes: Any) -> StoredStudy:  # noqa: ANN401
    """The study, current and ready to hear, beside the demo."""
    await load(services.database, [study_definition(), watched_study(**changes)])
    return await put_recordings(services, "watched")


Answer = Callable[[str, str], Mapping[str, Any]]
"""From a trial's id and the member heard first to what is answered."""


def careful(trial_id: str, first_member: str) -> Mapping[str, Any]:
    """Who hears what is there, and prefers the second member of every pair."""
    if trial_id == "trap":
        return {"choice": "second"}
    if trial_id == "control":
        return {"choice": "no_difference"}
    return {"choice": "first" if first_member == "b" else "second"}


def careful_but(**answers: Mapping[str, Any]) -> Answer:
    """The same, but for some trials."""
    return lambda trial_id, first: {**careful(trial_id, first), **answers.get(trial_id, {})}


async def take_part(
    browser: AsyncClient,
    database: Database,
    answer: Answer,
    *,
    votes: int | None = None,
    kind: str = "person",
    slug: str = "watched",
) -> Participant:
    """Joins, and answers all trials or so many."""
    somebody = await Participant.join(browser, slug, kind=kind)
    await somebody.check_sound(headphones={"correct": 6, "of": 6, "tries": 1})
    await answer_trials(somebody, database, answer, votes=votes)
    return somebody


async def answer_trials(
    somebody: Participant, database: Database, answer: Answer, *, votes: int | None = None
) -> None:
    """Answers what is left, or so many; and an unanswered questionnaire after the last."""
    given = 0
    while votes is None or given < votes:
        if (await somebody.progress())["state"] != "trials":
            break
        trial = await somebody.open_trial()
        async with database.transaction() as session:
            trial_id, first_member = (
                await session.execute(
                    select(Presentation.trial_id, Presentation.first_member).where(
                        Presentation.trial_token == trial["trial_token"]
                    )
                )
            ).one()
        voted = await somebody.vote(trial["trial_token"], **answer(trial_id, first_member))
        assert voted.status_code == 201, voted.text
        given += 1
    if (await somebody.progress())["state"] == "questions_after":
        await questions(somebody, {"hearing": None})


async def questions(somebody: Participant, answers: Mapping[str, Any]) -> None:
    """Answers the questionnaire."""
    done = await somebody.browser.post(
        "/api/participation/answers", headers=somebody.headers, json={"answers": answers}
    )
    assert done.status_code == 200, done.text


async def make_silent(database: Database, somebody: Participant, *, minutes: int) -> None:
    """Last heard of so long ago."""
    async with database.transaction() as session:
        row = (
            await session.scalars(
                select(ParticipantRow).where(ParticipantRow.token_hash == somebody.token_hash)
            )
        ).one()
        row.last_seen_at = row.last_seen_at - timedelta(minutes=minutes)


async def pseudonym_of(database: Database, somebody: Participant) -> str:
    """What the researcher calls them."""
    async with database.transaction() as session:
        found = await session.scalar(
            select(ParticipantRow.pseudonym).where(ParticipantRow.token_hash == somebody.token_hash)
        )
    assert found is not None
    return found
