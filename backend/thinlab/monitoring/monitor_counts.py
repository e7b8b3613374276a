"""The monitor's numbers, made of what is known of each participant. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from pydantic import BaseModel, Field

from thinlab.monitoring.conduct import Conduct
from thinlab.monitoring.exclusion import Standing
from thinlab.monitoring.presence import Presence, Present
from thinlab.study.blocks.registry import length_of
from thinlab.study.catalogue import StoredStudy
from thinlab.study.hearing.registry import HearingTestName


class Funnel(BaseModel):
    """How many came how far; each count is of those who came at least there."""

    joined: int = Field(description="Gave their consent.")
    sound_checked: int = Field(description="Finished the sound check.")
    connection_checked: int = Field(description="Passed the connection check.")
    started: int = Field(description="Opened the first trial.")
    completed: int = Field(description="Answered everything; withdrawn sessions are not in it.")


class Whereabouts(BaseModel):
    """Everybody who joined, once."""

    live: int = Field(description="Under way, and heard from in the last minutes.")
    paused: int = Field(description="Under way and silent; the place is still theirs.")
    gone: int = Field(description="Abandoned: the place has returned.")
    headphones_failed: int = Field(description="Not let in: the headphone test was required.")
    hearing_failed: int = Field(description="Not let in: a test of hearing was needed.")
    connection_failed: int = Field(description="Not let in: the network was too poor to type.")
    ineligible: int = Field(description="Not let in: by an answer before the trials.")
    completed: int
    withdrawn: int = Field(description="Asked for deletion; the answers are gone.")


class HeadphoneCounts(BaseModel):
    """The headphone test."""

    passed: int
    failed: int


class HearingCounts(BaseModel):
    """A test of hearing or equipment."""

    test: HearingTestName
    passed: int
    failed: int = Field(description="Have not passed so far.")


class Position(BaseModel):
    """One place in the session, over all blocks, training included."""

    position: int
    block_id: str
    training: bool
    answered: int = Field(description="Sessions that have answered here.")
    here: int = Field(description="Sessions under way that are here now.")
    left: int = Field(description="Sessions abandoned here.")


class Check(BaseModel):
    """Trials whose answers can be told right from wrong."""

    kind: Literal["trapping", "gold", "control"]
    votes: int
    failed: int
    participants_failing: int = Field(description="With at least one failure.")


class RuleCount(BaseModel):
    """How many fall under a declared rule."""

    rule: str
    participants: int
    excludes: bool = Field(description="False: the rule only marks them.")


class Exclusions(BaseModel):
    """Whom the analysis will leave out; withdrawn sessions are not among them.

    A rule was foreseen: who falls under it keeps their place, and the stop
    rule counts them. Only who is left out by the researcher makes room.
    """

    analysable: int = Field(description="Completed, and not left out in either way.")

    participants: int
    by_researcher: int
    rules: list[RuleCount] = Field(description="Every declared rule; somebody can fall under more.")


class Target(BaseModel):
    """A number of completed sessions to be reached; who falls under a rule counts."""

    completed: int
    of: int
    language: str | None = Field(description="Of a quota; null: the stop rule.")


class Day(BaseModel):
    """What happened on a day (UTC)."""

    day: date
    joined: int
    completed: int


def funnel(people: Sequence[Present]) -> Funnel:
    """How far people came."""
    return Funnel(
        joined=len(people),
        sound_checked=sum(one.sound_checked for one in people),
        connection_checked=sum(bool(one.connection_passed) for one in people),
        started=sum(one.started for one in people),
        completed=sum(one.presence is Presence.COMPLETED for one in people),
    )


def whereabouts(people: Iterable[Present]) -> Whereabouts:
    """Where everybody is now."""
    counted = Counter(one.presence.value for one in people)
    return Whereabouts(**{presence.value: counted[presence.value] for presence in Presence})


def headphones(people: Iterable[Present]) -> HeadphoneCounts:
    """The headphone test, where it was done."""
    done = Counter(one.headphones_passed for one in people)
    return HeadphoneCounts(passed=done[True], failed=done[False])


def hearing(study: StoredStudy, people: Iterable[Present]) -> list[HearingCounts]:
    """Each test, where it was done."""
    told = [one.hearing for one in people if one.hearing]
    return [
        HearingCounts(
            test=rule.test,
            passed=sum(bool(one[rule.test]["passed"]) for one in told if rule.test in one),
            failed=sum(not one[rule.test]["passed"] for one in told if rule.test in one),
        )
        for rule in study.definition.hearing
    ]


def positions(study: StoredStudy, people: Iterable[Present]) -> list[Position]:
    """Answers, presence and dropouts at each place of the session."""
    # A session is as far as its votes: the next one is where it is, or where it was left.
    far = [one for one in people if one.started and one.presence is not Presence.WITHDRAWN]
    done = Counter(one.trials_done for one in far)
    here = Counter(
        one.trials_done for one in far if one.presence in {Presence.LIVE, Presence.PAUSED}
    )
    left = Counter(one.trials_done for one in far if one.presence is Presence.GONE)
    places = [
        (block.id, block.role) for block in study.definition.blocks for _ in range(length_of(block))
    ]
    return [
        Position(
            position=position,
            block_id=block_id,
            training=role == "training",
            answered=sum(n for votes, n in done.items() if votes >= position),
            here=here[position - 1],
            left=left[position - 1],
        )
        for position, (block_id, role) in enumerate(places, start=1)
    ]


def checks(study: StoredStudy, conducts: Iterable[Conduct]) -> list[Check]:
    """Failures by kind of check, of the kinds that the study has."""
    conducts = list(conducts)
    kinds = {trial.kind for trial in study.definition.trials}
    found = []
    for kind in ("trapping", "gold", "control"):
        if kind in kinds:
            counts = [getattr(one, kind) for one in conducts]
            found.append(
                Check(
                    kind=kind,
                    votes=sum(one.votes for one in counts),
                    failed=sum(one.failed for one in counts),
                    participants_failing=sum(one.failed > 0 for one in counts),
                )
            )
    return found


def exclusions(
    study: StoredStudy, people: Sequence[Present], standings: dict[int, Standing]
) -> Exclusions:
    """Who will not be analysed."""
    seen = standings.values()
    by_rule = Counter(rule for one in seen for rule in {flag.rule for flag in one.flags})
    declared = {rule.rule: rule.effect == "exclude" for rule in study.definition.exclusion}
    completed = {one.id for one in people if one.presence is Presence.COMPLETED}
    return Exclusions(
        analysable=sum(not standings[id_].excluded for id_ in completed if id_ in standings),
        participants=sum(one.excluded for one in seen),
        by_researcher=sum(one.left_out for one in seen),
        rules=[
            RuleCount(rule=rule, participants=by_rule[rule], excludes=excludes)
            for rule, excludes in declared.items()
        ],
    )


def targets(
    study: StoredStudy, people: Iterable[Present], standings: dict[int, Standing]
) -> list[Target]:
    """Stop rule and quotas. Counted as they count: completed, not left out by the researcher."""
    counted = Counter(
        one.language
        for one in people
        if one.presence is Presence.COMPLETED
        and not (one.id in standings and standings[one.id].left_out)
    )
    stop = study.definition.stop
    found = []
    if stop is not None and stop.completed is not None:
        found.append(Target(completed=counted.total(), of=stop.completed, language=None))
    return found + [
        Target(completed=counted[quota.language], of=quota.completed, language=quota.language)
        for quota in study.definition.quotas
    ]


def days(people: Iterable[Present]) -> list[Day]:
    """Joined and completed by day (UTC)."""
    joined: Counter[date] = Counter()
    completed: Counter[date] = Counter()
    for one in people:
        joined[one.joined_at.date()] += 1
        if one.completed_at is not None:
            completed[one.completed_at.date()] += 1
    days = sorted(joined | completed)
    return [Day(day=day, joined=joined[day], completed=completed[day]) for day in days]
