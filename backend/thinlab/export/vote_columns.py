"""The columns of the export of votes: rows and codebook are made from this one list.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from functools import partial

from thinlab.export.column import Cell, Column, count, text, time, whole, yes
from thinlab.export.entry import Attendance, VoteEntry
from thinlab.export.kind import Kinds
from thinlab.export.kind_columns import of_all_kinds
from thinlab.export.member_columns import columns_of_members
from thinlab.export.participant_columns import WHO
from thinlab.export.place_columns import columns_of_place
from thinlab.study import known_answer
from thinlab.study.definition import StudyDefinition
from thinlab.study.scales.ccr import CcrScale
from thinlab.study.trial import (
    ControlTrial,
    GoldTrial,
    PairTrial,
    TrappingTrial,
    member_conditions,
    seeds_of,
)


def _who(column: Column[Attendance]) -> Column[VoteEntry]:
    def cell(entry: VoteEntry) -> Cell:
        return column.cell(entry.attendance)

    return Column(column.name, column.kind, column.unit, column.meaning, column.source, cell)


def _right_place(entry: VoteEntry) -> str | None:
    """Where one of the two is right: X, or the reference, which an adaptive block names first."""
    if entry.block.adaptive is not None:
        return "first" if entry.presentation.first_member == "a" else "second"
    return entry.presentation.x_place if entry.block.scale.has_x else None


def _expected(entry: VoteEntry) -> Cell:
    """In the words of the presentation."""
    trial = entry.trial
    if (place := _right_place(entry)) is not None:
        return place
    match trial:
        case TrappingTrial():
            return str(trial.answer)
        case GoldTrial(better=str()):
            better_is_first = entry.first.condition_name == trial.better
            if isinstance(entry.block.scale, CcrScale):
                return "below 0" if better_is_first else "above 0"
            return "first" if better_is_first else "second"
        case GoldTrial():
            return f"at least {trial.at_least}" if trial.at_least else f"at most {trial.at_most}"
        case _:
            return None


def _right(entry: VoteEntry) -> Cell:
    if (place := _right_place(entry)) is not None:
        return entry.vote.choice == place
    if not isinstance(entry.trial, GoldTrial | TrappingTrial):
        return None
    vote, shown = entry.vote, entry.presentation
    failed = known_answer.failed(
        entry.trial, entry.block.scale, shown.first_member, vote.choice, vote.score
    )
    return None if failed is None else not failed


def _preferred_member(entry: VoteEntry) -> Cell:
    # The members of a control are one: nothing was preferred.
    return None if entry.preferred is None or entry.is_one_twice else entry.preferred.member


def _preferred_condition(entry: VoteEntry) -> Cell:
    preferred = entry.preferred
    return None if preferred is None or entry.is_one_twice else preferred.condition_name


def _preferred_mode(entry: VoteEntry) -> Cell:
    preferred = entry.preferred
    if preferred is None or preferred.sent is None or entry.is_one_twice:
        return None
    return preferred.sent.transport.mode


def _score_b_against_a(entry: VoteEntry) -> Cell:
    score = entry.vote.score
    if score is None or not entry.compares or entry.is_one_twice:
        return None
    return score if entry.first.member == "a" else -score


def _seed(entry: VoteEntry, *, index: int) -> Cell:
    seeds = seeds_of(entry.trial, entry.presentation.run)
    return seeds[index] if index < len(seeds) else None


VOTE: Column[VoteEntry] = whole(
    "vote", "", "the vote's number in this installation", "vote", lambda e: e.vote.id
)
LEFT_OUT: Column[VoteEntry] = text(
    "left_out",
    "why the results do not count this vote: `preview` or `bot`, `excluded`, `unfinished` (the "
    "participant did not complete), `other_version` (the trial means something else in the file "
    "now), `training` or `known_answer` (gold and trapping trials); empty: they count it",
    "participant + exclusion + study file",
    lambda e: e.left_out,
)
SAME_BYTES: Column[VoteEntry] = yes(
    "same_bytes",
    "whether both members are the same bytes: such a pair is analysed as a control; empty where "
    "one is judged alone, and where something is typed",
    "recording",
    lambda e: e.is_same_bytes,
)

ANSWERED_RIGHTLY: Column[VoteEntry] = yes(
    "answered_rightly",
    "of gold and trapping trials, on `abx`, and in adaptive blocks: whether that was the answer",
    "vote + study file + presentation",
    _right,
)

BLOCK: tuple[Column[VoteEntry], ...] = (
    text("block", "the block's id", "study file", lambda e: e.block.id),
    text(
        "role",
        "`training` or `trials`; answers in training are not to be analysed",
        "study file",
        lambda e: e.block.role,
    ),
    text(
        "scale",
        "`preference`, `ccr`, `acr`, `dcr`, `abx` or `mushra`",
        "study file",
        lambda e: e.block.scale.kind,
    ),
)


def _medium(kinds: Kinds) -> Column[VoteEntry]:
    return text(
        "medium",
        " or ".join(f"`{name}` ({kind.words})" for name, kind in kinds.items()),
        "presentation",
        lambda e: e.presentation.medium,
    )


TRIAL: tuple[Column[VoteEntry], ...] = (
    text("trial", "the trial's id", "study file", lambda e: e.trial.id),
    text(
        "trial_kind",
        "`pair`, `control` (one recording as two, or two sessions alike), `single` (judged "
        "alone), `gold` (the answer is known) or `trapping` (the clip says what to answer)",
        "study file",
        lambda e: e.trial.kind,
    ),
    text(
        "pair",
        "the conditions of members a and b, as `a/b`; one alone where there is one recording",
        "study file",
        lambda e: "/".join(member_conditions(e.trial)),
    ),
    whole(
        "run",
        "",
        "which of the trial's runs was heard or typed, counted from 1",
        "presentation",
        lambda e: e.presentation.run + 1,
    ),
    yes(
        "matched",
        "whether both members of a pair have one seed, so that the emulator treats the same "
        "packet of either alike; empty for other trials",
        "study file",
        lambda e: e.trial.matched if isinstance(e.trial, PairTrial) else None,
    ),
    whole("seed_a", "", "seed of member a in this run", "study file", partial(_seed, index=0)),
    whole("seed_b", "", "seed of member b in this run", "study file", partial(_seed, index=1)),
    yes(
        "control",
        "true: both members are one recording, or one condition typed twice",
        "study file",
        lambda e: isinstance(e.trial, ControlTrial),
    ),
)

ANSWER: tuple[Column[VoteEntry], ...] = (
    count(
        "position",
        "1 for the participant's first trial, over all blocks",
        "presentation",
        lambda e: e.presentation.position,
    ),
    text(
        "first_presented",
        "which member was presented first, `a` or `b`",
        "presentation",
        lambda e: e.presentation.first_member,
    ),
    time(
        "drawn_at", "when the session was drawn", "presentation", lambda e: e.presentation.drawn_at
    ),
    text(
        "choice",
        "`first`, `second` or `no_difference`, as presented; on `abx` which of the two X is said "
        "to be; empty on scales with scores",
        "vote",
        lambda e: e.vote.choice,
    ),
    whole(
        "score",
        "score",
        "on `ccr` −3…3, the second compared to the first as presented; on `acr` 1…5; on `dcr` 1…5, "
        "the second by its reference, which was first; on `mushra` 0…100, the sound beside its "
        "reference; empty on `preference` and `abx`",
        "vote",
        lambda e: e.vote.score,
    ),
    whole(
        "noticeable",
        "step",
        "how noticeable the difference was, 1 (hardly) … 4 (very much); empty for no difference "
        "and where it is not asked",
        "vote",
        lambda e: e.vote.noticeable,
    ),
    whole(
        "score_b_against_a",
        "score",
        "on `ccr`, the sign turned where b was first: above 0 is better for b; empty elsewhere "
        "and where both members are one recording",
        "vote + presentation",
        _score_b_against_a,
    ),
    text(
        "chosen_member",
        "the member preferred, on `ccr` by the score's sign; empty for no difference, for "
        "controls and where nothing is compared",
        "vote + presentation",
        _preferred_member,
    ),
    text(
        "chosen_condition",
        "the study's name of the preferred condition; empty for no difference and for controls",
        "vote + presentation",
        _preferred_condition,
    ),
    text(
        "chosen_mode",
        "the mode of the preferred recording; empty for no difference and for controls",
        "vote + presentation",
        _preferred_mode,
    ),
    text(
        "expected_answer",
        "of gold and trapping trials, on `abx`, and in adaptive blocks: the right answer, as "
        "presented",
        "study file + presentation",
        _expected,
    ),
    ANSWERED_RIGHTLY,
)

KEPT: tuple[Column[VoteEntry], ...] = (
    count("events", "player events kept with the vote", "vote", lambda e: e.player_events),
    time("received_at", "when the server stored the vote", "vote", lambda e: e.vote.received_at),
    text(
        "build",
        "content hash of the backend and pages that took the vote",
        "vote",
        lambda e: e.vote.build,
    ),
)


def vote_columns(definitions: Iterable[StudyDefinition], kinds: Kinds) -> list[Column[VoteEntry]]:
    """The export of votes; of places, the columns that some version of the study has use for."""
    definitions = list(definitions)
    return [
        VOTE,
        *(_who(column) for column in WHO),
        LEFT_OUT,
        *BLOCK,
        _medium(kinds),
        *of_all_kinds({name: kind.block_columns for name, kind in kinds.items()}),
        *TRIAL,
        SAME_BYTES,
        *ANSWER,
        *of_all_kinds({name: kind.account_columns for name, kind in kinds.items()}),
        *KEPT,
        *columns_of_members(definitions, kinds),
        *columns_of_place("first", definitions, kinds),
        *columns_of_place("second", definitions, kinds),
    ]
