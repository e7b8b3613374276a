"""The tests of hearing and equipment, judged here: the page reports answers, and never has the key.

As the headphone test: a try is drawn when it begins, and counts once it is answered. Where a round
depends on the answers before it, each is stored as it comes, and none can be taken back: only the
round that is due can be heard and answered.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.clips.manifest import Clips
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
from thinlab.trials.listening.messages import HearingRoundAnswer


class UnfitError(Exception):
    """No answer to a round of this test."""


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
    if found is None or _is_over(found):
        raise NoTryError
    return _rule(await _definition(session, participant), test), found


def sound_of(rule: Rule, begun: HearingTest, round_: int, digits: Clips | None) -> bytes:
    """A round of a try, 1 for the first, as WAV. Raises `NoTryError` for one that it has not."""
    check = CHECKS[rule.test]
    if round_ > len(begun.rights) or (check.one_by_one and round_ != answered(begun) + 1):
        raise NoTryError
    return check.sound(rule, begun, round_, digits)


async def answer(
    session: AsyncSession, participant: Participant, test: str, number: int, answers: Sequence[int]
) -> Participant:
    """Judges a try, once: the same again changes nothing. Raises `NoTryError`, `WithdrawnError`."""
    row = await locked(session, participant)
    begun = await session.scalar(_try(row, test, number))
    if begun is None or CHECKS[test].one_by_one or len(answers) != len(begun.rights):
        raise NoTryError
    if begun.answers is not None:
        return row
    rule = _rule(await _definition(session, row), test)
    begun.answers = list(answers)
    await _judge(session, row, rule, begun)
    return row


async def answer_round(
    session: AsyncSession, participant: Participant, given: HearingRoundAnswer
) -> HearingTest:
    """Stores the answer to the round that is due, and judges the try after the last.

    An answer to an earlier round changes nothing: it stays what it was first. Raises `NoTryError`
    for a later one, `UnfitError`, `WithdrawnError`.
    """
    row = await locked(session, participant)
    begun = await session.scalar(_try(row, given.test, given.number))
    check = CHECKS[given.test]
    if (
        begun is None
        or not check.one_by_one
        or given.round > min(answered(begun) + 1, len(begun.rights))
    ):
        raise NoTryError
    if not check.fits(given.answer):
        raise UnfitError
    if given.round == answered(begun) + 1:
        # A new object: changes within a JSON column are not seen.
        begun.answers = [*(begun.answers or []), given.answer]
        if _is_over(begun):
            rule = _rule(await _definition(session, row), given.test)
            await _judge(session, row, rule, begun)
        await session.flush()
    return begun


def answered(begun: HearingTest) -> int:
    """Rounds of a try that goes on whose answers are here."""
    return len(begun.answers or [])


async def _judge(session: AsyncSession, row: Participant, rule: Rule, begun: HearingTest) -> None:
    told = {"tries": begun.number, **CHECKS[rule.test].judge(rule, begun)}
    # A new object: changes within a JSON column are not seen.
    row.hearing = {**(row.hearing or {}), rule.test: told}
    if rule.needed and not told["passed"] and begun.number >= rule.tries:
        row.hearing_failed = rule.test
    await session.flush()


def _is_over(begun: HearingTest) -> bool:
    return answered(begun) == len(begun.rights)


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
