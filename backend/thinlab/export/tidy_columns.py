"""The tidy export: a row for each vote and member, by condition and not by place.

Few columns, and all that the analysis takes; everything else of a vote is in the export of votes,
which joins it by `vote`.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from thinlab.export.column import Cell, Column, text, whole, yes
from thinlab.export.entry import Experienced, Place, VoteEntry
from thinlab.export.kind import Kinds
from thinlab.export.member_columns import MEMBERS, OfEither, accounted, perceived, place_of
from thinlab.export.vote_columns import ANSWERED_RIGHTLY, LEFT_OUT, SAME_BYTES, VOTE
from thinlab.study.definition import StudyDefinition
from thinlab.study.schedule import MemberName
from thinlab.study.trial import presented


@dataclass(frozen=True)
class MemberEntry:
    """A vote, as far as it is about one member."""

    vote: VoteEntry
    member: MemberName
    place: Place

    @property
    def here(self) -> Experienced:
        """What was presented."""
        here = self.vote.at(self.place)
        if here is None:
            raise ValueError(f"nothing was presented {self.place}")
        return here


def of_members(votes: Iterable[VoteEntry]) -> Iterator[MemberEntry]:
    """Two rows a vote on a pair, one on a recording that is judged alone."""
    for entry in votes:
        for member in MEMBERS:
            place = place_of(entry, member)
            if place is not None:
                yield MemberEntry(entry, member, place)


def _of_vote(column: Column[VoteEntry]) -> Column[MemberEntry]:
    def cell(row: MemberEntry) -> Cell:
        return column.cell(row.vote)

    return Column(column.name, column.kind, column.unit, column.meaning, column.source, cell)


def _of_member(one: OfEither) -> Column[MemberEntry]:
    def cell(row: MemberEntry) -> Cell:
        return one.cell(row.vote, row.member)

    return Column(one.name, one.column.kind, one.column.unit, one.meaning, one.column.source, cell)


def _preferred(row: MemberEntry) -> Cell:
    return None if not row.vote.compares else row.vote.preferred_place == row.place


def _no_difference(row: MemberEntry) -> Cell:
    return None if not row.vote.compares else row.vote.preferred_place is None


def _score(row: MemberEntry) -> Cell:
    score = row.vote.vote.score
    scale = row.vote.block.scale
    if score is None or scale.presents == 1:
        return score
    if scale.reference_first:
        return score if row.place == "second" else None
    # As presented, it tells how the second compares to the first.
    return score if row.place == "second" else -score


def tidy_columns(definitions: Iterable[StudyDefinition], kinds: Kinds) -> list[Column[MemberEntry]]:
    """In the order of the file."""

    def vote(
        name: str, meaning: str, source: str, cell: Callable[[VoteEntry], Cell]
    ) -> Column[MemberEntry]:
        return text(name, meaning, source, lambda row: cell(row.vote))

    return [
        text(
            "row_id", "of this row alone: vote and member", "vote",
            lambda row: f"{row.vote.vote.id}{row.member}",
        ),
        _of_vote(VOTE),
        vote(
            "participant", "pseudonym, drawn at joining, unrelated to any credential",
            "participant", lambda e: e.attendance.participant.pseudonym,
        ),
        vote(
            "language", "language that the participant read the study in (BCP 47)", "participant",
            lambda e: e.attendance.participant.language,
        ),
        _of_vote(LEFT_OUT),
        vote("block", "the block's id", "study file", lambda e: e.block.id),
        vote(
            "scale", "`preference`, `ccr`, `acr`, `dcr`, `abx` or `mushra`", "study file",
            lambda e: e.block.scale.kind,
        ),
        vote("trial", "the trial's id", "study file", lambda e: e.trial.id),
        vote(
            "trial_kind", "`pair`, `control`, `single`, `gold` or `trapping`", "study file",
            lambda e: e.trial.kind,
        ),
        vote(
            "material", "the clip that was heard, or the task that was typed", "study file",
            lambda e: presented(e.trial),
        ),
        whole(
            "run", "", "which of the trial's runs was heard or typed, counted from 1",
            "presentation", lambda row: row.vote.presentation.run + 1,
        ),
        whole(
            "position", "", "1 for the participant's first trial, over all blocks",
            "presentation", lambda row: row.vote.presentation.position,
        ),
        text("member", "`a` or `b`, as in the study file", "study file", lambda row: row.member),
        text(
            "condition", "the study's name of this member's condition", "study file",
            lambda row: row.here.condition_name,
        ),
        text(
            "presented", "`first` or `second`: where this member was", "presentation",
            lambda row: row.place,
        ),
        yes(
            "preferred", "whether the answer prefers this member, on `ccr` by the score's sign; "
            "empty where one condition is rated, and on `abx`", "vote + presentation", _preferred,
        ),
        yes(
            "no_difference", "whether the answer prefers neither; empty where one condition is "
            "rated, and on `abx`", "vote", _no_difference,
        ),
        _of_vote(ANSWERED_RIGHTLY),
        whole(
            "score", "score", "on `ccr` −3…3, this member compared to the other; on `acr` 1…5; "
            "on `dcr` 1…5, empty for the reference; empty on `preference` and `abx`",
            "vote + presentation", _score,
        ),
        whole(
            "noticeable", "step", "how noticeable the difference was, 1 (hardly) … 4 (very much); "
            "empty for no difference and where it is not asked", "vote",
            lambda row: row.vote.vote.noticeable,
        ),
        whole(
            "decision_ms", "ms", "from the trial shown to the vote, by the browser's clock",
            "vote", lambda row: row.vote.vote.decision_ms,
        ),
        _of_vote(SAME_BYTES),
        text(
            "content", "SHA-256 of the WAV file that was heard; empty where something is typed",
            "recording", lambda row: row.here.content,
        ),
        *(_of_member(one) for one in (*accounted(kinds), *perceived(list(definitions), kinds))),
    ]  # fmt: skip
