"""Whom the analysis leaves out, and why: rules declared in advance, and the researcher's word.

Nothing is deleted, and no vote is changed. A rule is computed from the votes
each time it is asked about; the researcher's word is an entry in a log, taken
back by another entry. What a rule says, only a changed study file unsays.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import ExclusionEntry, Participant, Study
from thinlab.monitoring import conduct
from thinlab.monitoring.conduct import Conduct, Failures
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.rules import (
    Answered,
    ControlDifference,
    DecisionUnder,
    ExclusionRule,
    GoldWrong,
    HeadphonesFailed,
    StraightLining,
    TrappingWrong,
)


class UnknownParticipantError(Exception):
    """The study has no such participant."""


class AlreadyError(Exception):
    """The researcher's last word is the same."""


class Flag(BaseModel):
    """A rule that a participant falls under."""

    rule: str = Field(examples=["trapping_wrong"])
    finding: str = Field(
        description="What was counted; never which way somebody voted.",
        examples=["2 of 3 trapping trials answered wrongly; at most 0 are allowed."],
    )


class Entry(BaseModel):
    """The researcher's word on a participant."""

    excluded: bool = Field(description="True: left out; false: taken in again.")
    reason: str
    at: datetime


@dataclass(frozen=True)
class Standing:
    """Whether a participant is analysed, and what speaks against it."""

    conduct: Conduct
    flags: tuple[Flag, ...]
    entries: tuple[Entry, ...]
    """Newest first."""

    @property
    def left_out(self) -> bool:
        """By the researcher's last word."""
        return bool(self.entries) and self.entries[0].excluded

    @property
    def excluded(self) -> bool:
        """By a rule or by the researcher."""
        return bool(self.flags) or self.left_out


def flags(conduct: Conduct, rules: Iterable[ExclusionRule]) -> tuple[Flag, ...]:
    """The rules that a participant falls under. Pure."""
    found = ((rule.rule, _finding(conduct, rule)) for rule in rules)
    return tuple(Flag(rule=rule, finding=finding) for rule, finding in found if finding)


def _finding(conduct: Conduct, rule: ExclusionRule) -> str | None:
    finding: str | None = None
    match rule:
        case TrappingWrong():
            finding = _too_many(conduct.trapping, rule.more_than, "trapping")
        case GoldWrong():
            finding = _too_many(conduct.gold, rule.more_than, "gold")
        case ControlDifference():
            finding = _control(conduct.control, rule.more_than_share)
        case StraightLining():
            finding = _straight(conduct, rule.of_at_least)
        case HeadphonesFailed() if conduct.sound_checked and not conduct.headphones_passed:
            finding = "The headphone test was not passed."
        case DecisionUnder():
            finding = _quick(conduct, rule)
        case Answered():
            finding = _answered(conduct, rule)
    return finding


def _too_many(failures: Failures, allowed: int, kind: str) -> str | None:
    if failures.failed <= allowed:
        return None
    return (
        f"{failures.failed} of {_counted(failures.votes, f'{kind} trial')} answered wrongly; "
        f"at most {allowed} {'is' if allowed == 1 else 'are'} allowed."
    )


def _control(controls: Failures, allowed_share: float) -> str | None:
    if controls.votes == 0 or controls.failed / controls.votes <= allowed_share:
        return None
    return (
        f"Heard a difference in {controls.failed} of {_counted(controls.votes, 'control')}; "
        f"at most {allowed_share * 100:g} % are allowed."
    )


def _straight(conduct: Conduct, least: int) -> str | None:
    for votes, different in conduct.same_throughout.values():
        if votes >= least and different == 1:
            return f"One and the same answer in all {votes} trials."
    return None


def _quick(conduct: Conduct, rule: DecisionUnder) -> str | None:
    quick = conduct.votes_under_ms.get(rule.ms, 0)
    if conduct.votes == 0 or quick / conduct.votes <= rule.more_than_share:
        return None
    return (
        f"{quick} of {_counted(conduct.votes, 'answer')} given in under {rule.ms} ms; "
        f"at most {rule.more_than_share * 100:g} % are allowed."
    )


def _answered(conduct: Conduct, rule: Answered) -> str | None:
    chosen = conduct.answers.get(rule.question, set()) & set(rule.any_of)
    named = ", ".join(f"“{option}”" for option in sorted(chosen))
    return f"Answered {named} to “{rule.question}”." if chosen else None


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


async def standings(
    session: AsyncSession, study: StoredStudy, kind: str = "person"
) -> dict[int, Standing]:
    """Everybody in every version of a study who has not withdrawn, by participant id.

    The rules are those of `study`; whether an answer was right is for the
    version to say in which it was given.
    """
    entries = await _entries(session, study.slug, kind)
    rules = study.definition
    gathered = [
        (
            await conduct.rows_of(session, version, rules, kind),
            await conduct.questionnaire_of(session, version, rules, kind),
            version.definition,
        )
        for version in await _versions(session, study.slug, kind)
    ]

    def judged() -> dict[int, Standing]:
        return {
            participant_id: Standing(
                one, flags(one, rules.exclusion), tuple(entries.get(participant_id, ()))
            )
            for rows, questionnaire, definition in gathered
            for participant_id, one in conduct.made_of(
                rows, questionnaire, definition, rules
            ).items()
        }

    # Thousands of people take a moment, in which others have votes to store.
    return await asyncio.to_thread(judged)


async def excluded(
    session: AsyncSession, study: StoredStudy, kind: str = "person"
) -> frozenset[int]:
    """Ids of the participants whom the analysis leaves out."""
    everybody = await standings(session, study, kind)
    return frozenset(id_ for id_, standing in everybody.items() if standing.excluded)


async def _versions(session: AsyncSession, slug: str, kind: str) -> list[StoredStudy]:
    ids = await session.scalars(
        select(Study.id)
        .join(Participant, Participant.study_id == Study.id)
        .where(Study.slug == slug, Participant.kind == kind)
        .distinct()
    )
    return [await catalogue.by_id(session, study_id) for study_id in ids.all()]


async def _entries(session: AsyncSession, slug: str, kind: str) -> dict[int, list[Entry]]:
    rows = await session.scalars(
        select(ExclusionEntry)
        .join(Participant, Participant.id == ExclusionEntry.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.kind == kind)
        .order_by(ExclusionEntry.id.desc())
    )
    found: dict[int, list[Entry]] = {}
    for row in rows:
        entry = Entry(excluded=row.excluded, reason=row.reason, at=row.at)
        found.setdefault(row.participant_id, []).append(entry)
    return found


async def enter(
    session: AsyncSession, slug: str, pseudonym: str, *, excluded: bool, reason: str
) -> None:
    """Leaves a participant out, or takes them in again.

    Raises `UnknownParticipantError`, `AlreadyError`.
    """
    participant = await session.scalar(
        select(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.pseudonym == pseudonym)
        # Two entries at once: the second sees the first.
        .with_for_update(of=Participant)
        .execution_options(populate_existing=True)
    )
    if participant is None:
        raise UnknownParticipantError
    if participant.left_out == excluded:
        raise AlreadyError
    session.add(ExclusionEntry(participant_id=participant.id, excluded=excluded, reason=reason))
    # What the log's last entry says, for those who count places.
    participant.left_out = excluded
    await session.flush()
