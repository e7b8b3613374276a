"""Columns about a participant: in the export of votes, and in their own.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterable, Sequence
from functools import partial

from thinlab.export.column import Cell, Column, count, number, text, time, whole, yes
from thinlab.export.entry import Attendance
from thinlab.study.definition import StudyDefinition
from thinlab.study.hearing.fact import Fact
from thinlab.study.hearing.registry import FACTS
from thinlab.study.question import ChoiceQuestion, NumberQuestion, Question
from thinlab.study.text import said


def _hearing(test: str, fact: Fact) -> Column[Attendance]:
    def told(attendance: Attendance) -> Cell:
        found: Cell = (attendance.participant.hearing or {}).get(test, {}).get(fact.name)
        return found

    name, source = f"hearing_{test}_{fact.name}", "test of hearing"
    if fact.kind == "number":
        return number(name, fact.unit, fact.meaning, source, told)
    return {"count": count, "yes": yes}[fact.kind](name, fact.meaning, source, told)


WHO: tuple[Column[Attendance], ...] = (
    text("study", "the study's slug", "study file", lambda a: a.study.slug),
    text(
        "study_hash",
        "SHA-256 of the study's definition, as the participant met it",
        "study file",
        lambda a: a.study.content_hash,
    ),
    text(
        "frozen_hash",
        "hash of the study as frozen last before the participant joined; empty if it was not",
        "study events",
        lambda a: a.frozen.hash if a.frozen else None,
    ),
    time(
        "frozen_at",
        "when that was",
        "study events",
        lambda a: a.frozen.at if a.frozen else None,
    ),
    count(
        "deviations",
        "ways in which the study is, or was for somebody, otherwise than frozen, up to this export",
        "study events",
        lambda a: a.deviations,
    ),
    text(
        "participant",
        "pseudonym, drawn at joining, unrelated to any credential",
        "participant",
        lambda a: a.participant.pseudonym,
    ),
    text(
        "participant_kind",
        "`person`, `preview` (a researcher's look) or `bot`; only persons are to be analysed",
        "participant",
        lambda a: a.participant.kind,
    ),
    text(
        "language",
        "language that the participant read the study in (BCP 47)",
        "participant",
        lambda a: a.participant.language,
    ),
    text(
        "consent_version",
        "version of the consent text agreed to",
        "participant",
        lambda a: a.participant.consent_version,
    ),
    yes(
        "invited",
        "joined by an invitation of their own; which one is not told: it may name a person",
        "participant",
        lambda a: a.invited,
    ),
    time(
        "joined_at", "when the participant joined", "participant", lambda a: a.participant.joined_at
    ),
    time(
        "completed_at",
        "when nothing was left to do; empty while something is",
        "participant",
        lambda a: a.participant.completed_at,
    ),
    whole(
        "level_percent",
        "percent",
        "position of the level control set in the sound check",
        "sound check",
        lambda a: a.participant.level_percent,
    ),
    count(
        "headphones_correct",
        "tasks of the headphone test answered rightly; empty where there was none",
        "sound check",
        lambda a: a.participant.headphones_correct,
    ),
    count(
        "headphones_of",
        "tasks of the headphone test",
        "sound check",
        lambda a: a.participant.headphones_of,
    ),
    count(
        "headphones_tries",
        "times that the headphone test was taken",
        "sound check",
        lambda a: a.participant.headphones_tries,
    ),
    yes(
        "headphones_passed",
        "whether it was passed; empty where there was none",
        "sound check",
        lambda a: a.participant.headphones_passed,
    ),
    *(_hearing(test, fact) for test, facts in FACTS.items() for fact in facts),
    yes(
        "connection_passed",
        "whether the connection check was passed; empty where nothing is typed",
        "connection check",
        lambda a: a.participant.connection_passed,
    ),
    count(
        "connection_tries",
        "times that the connection was checked",
        "connection check",
        lambda a: a.participant.connection_tries,
    ),
    text(
        "connection_transport",
        "what carries keys and screens between page and server, as the check found it",
        "connection check",
        lambda a: a.participant.connection_transport,
    ),
    number(
        "connection_rtt_ms",
        "ms",
        "round trip between page and server, median, as the check found it",
        "connection check",
        lambda a: a.participant.connection_rtt_ms,
    ),
    number(
        "connection_jitter_ms",
        "ms",
        "from its median to its 95th percentile",
        "connection check",
        lambda a: a.participant.connection_jitter_ms,
    ),
    number(
        "connection_lost_share",
        "share",
        "probes of the check that never came back",
        "connection check",
        lambda a: a.participant.connection_lost_share,
    ),
    text(
        "ineligible_by",
        "the question whose answer kept the participant out before the trials; empty where none "
        "did",
        "questionnaire, before the trials",
        lambda a: a.participant.ineligible_by,
    ),
    yes(
        "excluded",
        "left out of the analysis, by a declared rule or by the researcher",
        "exclusion",
        lambda a: a.excluded,
    ),
    text(
        "excluded_by_rules",
        "declared rules that exclude the participant, separated by spaces",
        "exclusion",
        lambda a: " ".join(flag.rule for flag in a.flags if flag.excludes) or None,
    ),
    text(
        "flagged_by_rules",
        "declared rules that mark the participant and exclude nobody, separated by spaces",
        "exclusion",
        lambda a: " ".join(flag.rule for flag in a.flags if not flag.excludes) or None,
    ),
    text(
        "excluded_by_researcher",
        "the researcher's reason; empty where the researcher does not exclude the participant",
        "exclusion",
        lambda a: a.left_out_because,
    ),
)

SESSION: tuple[Column[Attendance], ...] = (
    time(
        "sound_checked_at",
        "when the sound check was done",
        "sound check",
        lambda a: a.participant.sound_checked_at,
    ),
    time(
        "last_seen_at",
        "when the participant's page was last heard of",
        "participant",
        lambda a: a.participant.last_seen_at,
    ),
    yes(
        "completed",
        "whether nothing is left to do",
        "participant",
        lambda a: a.participant.completed_at is not None,
    ),
    time(
        "withdrawn_at",
        "when the participant withdrew: all their answers are deleted, this row stays",
        "participant",
        lambda a: a.participant.withdrawn_at,
    ),
    count("votes", "votes stored, training aside", "vote", lambda a: a.votes),
    count(
        "rhythm_gaps",
        "gaps between characters by which typing is told from a script's, training aside; empty "
        "where nothing is typed",
        "keystrokes",
        lambda a: a.rhythm.gaps if a.rhythm else None,
    ),
    text(
        "rhythm_signs",
        "what speaks for a script, separated by spaces: `even`, `bursts`, `again` (the same "
        "intervals once more), `dwell` (keys down equally long), `uniform`, `normal`, "
        "`exponential` (how gaps are spread); empty where nothing does",
        "keystrokes",
        lambda a: " ".join(a.rhythm.signs) or None if a.rhythm else None,
    ),
    count("training_votes", "votes stored in training blocks", "vote", lambda a: a.training_votes),
)


# In no file of votes: whoever pays by codes knows a name for each.
COMPLETION_CODE: Column[Attendance] = text(
    "completion_code",
    "the code that the participant got at the end; empty before, after withdrawal, and once "
    "nothing links them any more",
    "participant",
    lambda a: a.participant.completion_code,
)


def participant_columns(definitions: Iterable[StudyDefinition]) -> list[Column[Attendance]]:
    """The participants' own export: one column more for each question of any version."""
    questions: dict[str, list[tuple[Question, str]]] = {}
    for definition in definitions:
        for question in definition.questionnaire:
            asked = said(question.text, definition.languages[0])
            questions.setdefault(question.id, []).append((question, asked))
    return [
        *WHO,
        COMPLETION_CODE,
        *SESSION,
        *(_answer(id_, versions) for id_, versions in questions.items()),
    ]


def _answer(id_: str, versions: Sequence[tuple[Question, str]]) -> Column[Attendance]:
    question, asked = versions[-1]
    # A question that once was of another kind is words in every row.
    numbers = all(isinstance(one, NumberQuestion) for one, _ in versions)
    several = any(isinstance(one, ChoiceQuestion) and one.several for one, _ in versions)
    return Column(
        name=f"answer_{id_}",
        kind="integer" if numbers else "text",
        unit="as asked" if numbers else "",
        meaning=f"answer to “{asked}”{'; a JSON list' if several else ''}; empty where none "
        "was given",
        source=f"questionnaire, {question.when} the trials",
        cell=partial(_given, id_=id_, numbers=numbers),
    )


def _given(attendance: Attendance, *, id_: str, numbers: bool) -> Cell:
    answer = attendance.answers.get(id_)
    if answer is None or isinstance(answer, str):
        return answer
    if isinstance(answer, int):
        return answer if numbers else str(answer)
    return json.dumps(answer, ensure_ascii=False)
