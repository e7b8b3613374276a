"""The tests of hearing and equipment, judged here: the page reports answers, and never has the key.

As the headphone test: a try is drawn when it begins, and counts once it is answered.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import HearingTest, Participant
from thinlab.participation.kind import Due
from thinlab.participation.messages import Stage
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.definition import StudyDefinition
from thinlab.study.hearing.registry import HearingTest as Rule
from thinlab.trials.listening.checks.headphones.tries import (
    SEED_BYTES,
    NoTryError,
    SettledError,
)
from thinlab.trials.listening.checks.registry import CHECKS


def outcome_of(participant: Participant, test: str) -> Mapping[str, Any]:
    """`correct`, `of`, `tries` and `passed` of a test, so far; empty before its first try."""
    found: Mapping[str, Any] = (participant.hearing or {}).get(test, {})
    return found


def open_test(definition: StudyDefinition, participant: Participant) -> Rule | None:
    """The first test that is neither passed nor out of tries."""
    for rule in definition.hearing:
        told = outcome_of(participant, rule.test)
        if not told.get("passed") and told.get("tries", 0) < rule.tries:
            return rule
    return None


def due(definition: StudyDefinition, participant: Participant) -> Due | None:
    """The tests, one after the other, until one that is needed was failed for good."""
    if participant.hearing_failed is not None:
        return Due(Stage.HEARING_FAILED, over=True)
    return None if open_test(definition, participant) is None else Due(Stage.HEARING_CHECK)


async def begin(session: AsyncSession, participant: Participant) -> tuple[Rule, HearingTest]:
    """The try that is open, or a new one. Raises `SettledError`, `WithdrawnError`."""
    row = await locked(session, participant)
    rule = open_test(await _definition(session, row), row)
    if rule is None or row.hearing_failed is not None:
        raise SettledError
    number = outcome_of(row, rule.test).get("tries", 0) + 1
    begun = await session.scalar(_try(row, rule.test, number))
    if begun is None:
        begun = HearingTest(
            participant_id=row.id,
            test=rule.test,
            number=number,
            seed=secrets.token_bytes(SEED_BYTES),
            rights=CHECKS[rule.test].draw(rule),
        )
        session.add(begun)
        await session.flush()
    return rule, begun


async def of_try(
    session: AsyncSession, participant: Participant, test: str, number: int
) -> tuple[Rule, HearingTest]:
    """A try that is open. Raises `NoTryError`."""
    found = await session.scalar(_try(participant, test, number))
    if found is None or found.answers is not None:
        raise NoTryError
    return _rule(await _definition(session, participant), test), found


def sound_of(rule: Rule, begun: HearingTest, round_: int) -> bytes:
    """A round of a try, 1 for the first, as WAV. Raises `NoTryError` for one that it has not."""
    if round_ > len(begun.rights):
        raise NoTryError
    return CHECKS[rule.test].sound(rule, begun, round_)


async def answer(
    session: AsyncSession, participant: Participant, test: str, number: int, answers: Sequence[int]
) -> Participant:
    """Judges a try, once: the same again changes nothing. Raises `NoTryError`, `WithdrawnError`."""
    row = await locked(session, participant)
    begun = await session.scalar(_try(row, test, number))
    if begun is None or len(answers) != len(begun.rights):
        raise NoTryError
    if begun.answers is not None:
        return row
    rule = _rule(await _definition(session, row), test)
    begun.answers = list(answers)
    told = {"tries": number, **CHECKS[test].judge(rule, begun)}
    # A new object: changes within a JSON column are not seen.
    row.hearing = {**(row.hearing or {}), test: told}
    if rule.needed and not told["passed"] and number >= rule.tries:
        row.hearing_failed = test
    await session.flush()
    return row


async def _definition(session: AsyncSession, participant: Participant) -> StudyDefinition:
    return (await catalogue.by_id(session, participant.study_id)).definition


def _rule(definition: StudyDefinition, test: str) -> Rule:
    for rule in definition.hearing:
        if rule.test == test:
            return rule
    raise NoTryError


def _try(participant: Participant, test: str, number: int) -> Select[HearingTest]:
    return select(HearingTest).where(
        HearingTest.participant_id == participant.id,
        HearingTest.test == test,
        HearingTest.number == number,
    )
