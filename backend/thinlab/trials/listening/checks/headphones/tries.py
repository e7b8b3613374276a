"""The headphone test, judged here: the page reports answers, and never has the key to them.

A try is drawn when it begins, and counts once it is answered; leaving it uses up none. The key is
in the sounds, of course: a program that compares the two ears finds it. Whom that matters for needs
invitations, or trials that watch the listener.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import HeadphoneTest, Participant
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.headphone_test import ROUNDS, SOUNDS, HeadphoneSignal
from thinlab.study.headphone_test import HeadphoneTest as Rule
from thinlab.trials.listening.checks.headphones import antiphase, huggins

SEED_BYTES = 16


class SettledError(Exception):
    """The test is passed, or no try is left."""


class NoTryError(Exception):
    """No such try was begun."""


async def rule_of(session: AsyncSession, participant: Participant) -> Rule:
    """What passes, in the version of the study that they joined."""
    return (await catalogue.by_id(session, participant.study_id)).definition.headphone_rule


def sound_of(test: HeadphoneTest, round_: int, signal: HeadphoneSignal) -> bytes:
    """A round of a try, 1 for the first, as WAV."""
    made = {"huggins": huggins.round_of, "antiphase": antiphase.round_of}[signal]
    return made(test.seed, round_, test.tones[round_ - 1])


async def begin(session: AsyncSession, participant: Participant) -> HeadphoneTest:
    """The try that is open, or a new one. Raises `SettledError`, `WithdrawnError`."""
    row = await locked(session, participant)
    last = await session.scalar(_tries(participant).order_by(HeadphoneTest.number.desc()).limit(1))
    if last is not None and last.answers is None:
        return last
    number = 1 + max(last.number if last else 0, row.headphones_tries or 0)
    if row.headphones_passed or number > (await rule_of(session, row)).tries:
        raise SettledError
    test = HeadphoneTest(
        participant_id=row.id,
        number=number,
        seed=secrets.token_bytes(SEED_BYTES),
        tones=[secrets.randbelow(SOUNDS) for _ in range(ROUNDS)],
    )
    session.add(test)
    await session.flush()
    return test


async def of_try(session: AsyncSession, participant: Participant, number: int) -> HeadphoneTest:
    """A try that is open. Raises `NoTryError`."""
    test = await session.scalar(_tries(participant).where(HeadphoneTest.number == number))
    if test is None or test.answers is not None:
        raise NoTryError
    return test


async def answer(
    session: AsyncSession, participant: Participant, number: int, answers: Sequence[int]
) -> None:
    """Judges a try, once: the same again changes nothing. Raises `NoTryError`, `WithdrawnError`."""
    row = await locked(session, participant)
    test = await session.scalar(_tries(participant).where(HeadphoneTest.number == number))
    if test is None:
        raise NoTryError
    if test.answers is not None:
        return
    test.answers = list(answers)
    right = sum(given == tone for given, tone in zip(answers, test.tones, strict=True))
    row.headphones_correct, row.headphones_of = right, ROUNDS
    row.headphones_tries = number
    row.headphones_passed = right >= (await rule_of(session, row)).least
    await session.flush()


def _tries(participant: Participant) -> Select[HeadphoneTest]:
    return select(HeadphoneTest).where(HeadphoneTest.participant_id == participant.id)
