"""The columns of the export, each with its meaning: rows and codebook are made from this one list.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Literal

from thinlab.database.schema import Participant, Presentation, Recording, Study, Vote
from thinlab.export.table import Cell
from thinlab.recording.metric_columns import METRIC_COLUMNS
from thinlab.study.condition import Condition, Direction
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import ControlTrial, Trial, member_conditions

Kind = Literal["text", "integer", "number", "boolean", "time"]


@dataclass(frozen=True)
class Heard:
    """One recording of a presentation, with what the study calls its condition."""

    row: Recording
    member: str
    condition_name: str
    condition: Condition
    metrics: Mapping[str, int | float]
    """Its row of `session_metrics`."""


@dataclass(frozen=True)
class Entry:
    """Everything that one row of the export is made of."""

    study: Study
    definition: StudyDefinition
    trial: Trial
    participant: Participant
    presentation: Presentation
    vote: Vote
    first: Heard
    second: Heard | None

    @property
    def chosen(self) -> Heard | None:
        """The recording that was voted for; none for no difference."""
        return {"first": self.first, "second": self.second}.get(self.vote.choice or "")


@dataclass(frozen=True)
class Column:
    """A column: name, what it means, and how its cell is found."""

    name: str
    kind: Kind
    unit: str
    meaning: str
    source: str
    cell: Callable[[Entry], Cell]


def _text(name: str, meaning: str, source: str, cell: Callable[[Entry], Cell]) -> Column:
    return Column(name, "text", "", meaning, source, cell)


def _count(name: str, meaning: str, source: str, cell: Callable[[Entry], Cell]) -> Column:
    return Column(name, "integer", "count", meaning, source, cell)


def _yes(name: str, meaning: str, source: str, cell: Callable[[Entry], Cell]) -> Column:
    return Column(name, "boolean", "", meaning, source, cell)


def _time(name: str, meaning: str, source: str, cell: Callable[[Entry], Cell]) -> Column:
    return Column(name, "time", "UTC, ISO 8601", meaning, source, cell)


def _chosen_condition(entry: Entry) -> Cell:
    return entry.chosen.condition_name if entry.chosen else None


def _chosen_mode(entry: Entry) -> Cell:
    return entry.chosen.condition.mode.value if entry.chosen else None


def _chosen_member(entry: Entry) -> Cell:
    # A control's members are one recording: nothing was preferred.
    if entry.chosen is None or isinstance(entry.trial, ControlTrial):
        return None
    return entry.chosen.member


WHERE = (
    _text("study", "the study's slug", "study file", lambda e: e.study.slug),
    _text(
        "study_hash",
        "SHA-256 of the study's definition",
        "study file",
        lambda e: e.study.content_hash,
    ),
    _text(
        "participant",
        "pseudonym, drawn at joining, unrelated to any credential",
        "participant",
        lambda e: e.participant.pseudonym,
    ),
    _text(
        "consent_version",
        "version of the consent text agreed to",
        "participant",
        lambda e: e.participant.consent_version,
    ),
    _text(
        "participant_kind",
        "`person`, `preview` (a researcher's look) or `bot`; only persons count",
        "participant",
        lambda e: e.participant.kind,
    ),
    _time(
        "joined_at",
        "when the participant joined",
        "participant",
        lambda e: _iso(e.participant.joined_at),
    ),
    _time(
        "completed_at",
        "when the participant's last vote was stored; empty while trials remain",
        "participant",
        lambda e: _iso(e.participant.completed_at),
    ),
    _text("trial", "the trial's id", "study file", lambda e: e.trial.id),
    _text(
        "pair",
        "the two conditions compared, as `a/b`, in the study file's order; a control: one twice",
        "study file",
        lambda e: "/".join(_pair(e.trial)),
    ),
    _yes(
        "control",
        "true: both members are one recording",
        "study file",
        lambda e: isinstance(e.trial, ControlTrial),
    ),
)

ANSWER = (
    _count(
        "position",
        "1 for the participant's first trial",
        "presentation",
        lambda e: e.presentation.position,
    ),
    _text(
        "first_member",
        "which member of the pair was presented first, `a` or `b`",
        "presentation",
        lambda e: e.presentation.first_member,
    ),
    _time(
        "drawn_at",
        "when the participant's session was drawn",
        "presentation",
        lambda e: _iso(e.presentation.drawn_at),
    ),
    _text(
        "choice",
        "`first`, `second` or `no_difference`, as presented",
        "vote",
        lambda e: e.vote.choice,
    ),
    _count("score", "on the block's scale, as given", "vote", lambda e: e.vote.score),
    _text(
        "chosen_member",
        "the member preferred, `a` or `b`; empty for no difference and for controls",
        "vote + presentation",
        _chosen_member,
    ),
    _text(
        "chosen_condition",
        "the study's name of the preferred condition; empty for no difference",
        "vote + presentation",
        _chosen_condition,
    ),
    _text(
        "chosen_mode",
        "the mode of the preferred recording; empty for no difference",
        "vote + presentation",
        _chosen_mode,
    ),
    _text(
        "played_first",
        "which one was heard first, as presented",
        "vote",
        lambda e: e.vote.played_first,
    ),
    _count(
        "plays_first",
        "times that playing started on the first",
        "vote",
        lambda e: e.vote.plays_first,
    ),
    _count(
        "plays_second",
        "times that playing started on the second",
        "vote",
        lambda e: e.vote.plays_second,
    ),
    _count("switches", "switches between the two while playing", "vote", lambda e: e.vote.switches),
    Column(
        "decision_ms",
        "integer",
        "ms",
        "from the trial shown to the vote, by the browser's clock",
        "vote",
        lambda e: e.vote.decision_ms,
    ),
    Column(
        "output_latency_ms",
        "number",
        "ms",
        "the browser's estimate from its audio graph to the ear; empty where it gives none",
        "vote",
        lambda e: e.vote.output_latency_ms,
    ),
    _count("events", "player events kept with the vote", "vote", lambda e: len(e.vote.events)),
    _time(
        "received_at", "when the server stored the vote", "vote", lambda e: _iso(e.vote.received_at)
    ),
    _text(
        "build",
        "content hash of the backend and pages that took the vote",
        "vote",
        lambda e: e.vote.build,
    ),
)


def _pair(trial: Trial) -> tuple[str, str]:
    names = member_conditions(trial)
    return names[0], names[-1]


def _iso(at: datetime | None) -> Cell:
    return at.astimezone(UTC).isoformat(timespec="milliseconds") if at else None


def _metric(heard: Heard, *, name: str) -> Cell:
    return heard.metrics[name]


@dataclass(frozen=True)
class _RecordingColumn:
    name: str
    kind: Kind
    unit: str
    meaning: str
    source: str
    cell: Callable[[Heard], Cell]


def _direction(name: str, words: str) -> tuple[_RecordingColumn, ...]:
    def of(heard: Heard) -> Direction:
        direction: Direction = getattr(heard.condition.path, name)
        return direction

    def bursts(heard: Heard) -> Cell:
        loss = of(heard).gilbert_elliott
        return loss.model_dump_json() if loss else None

    return (
        _RecordingColumn(
            f"{name}_loss_share", "number", "share", f"uniform loss set, {words}", "study file",
            lambda h: of(h).loss_share,
        ),
        _RecordingColumn(
            f"{name}_gilbert_elliott", "text", "JSON", f"loss in bursts set, {words}", "study file",
            bursts,
        ),
        _RecordingColumn(
            f"{name}_jitter_ms", "number", "ms", f"jitter set, {words}", "study file",
            lambda h: of(h).jitter_ms,
        ),
        _RecordingColumn(
            f"{name}_rate_kbit_per_s", "integer", "kbit/s", f"rate set, {words}; 0: unlimited",
            "study file", lambda h: of(h).rate_kbit_per_s,
        ),
        _RecordingColumn(
            f"{name}_queue_packets", "integer", "packets", f"queue set, {words}; 0: 1000",
            "study file", lambda h: of(h).queue_packets,
        ),
        _RecordingColumn(
            f"{name}_corrupt_share", "number", "share", f"packets damaged, {words}", "study file",
            lambda h: of(h).corrupt_share,
        ),
    )  # fmt: skip


RECORDING = (
    _RecordingColumn(
        "recording", "integer", "", "the recording's id in this installation", "recording",
        lambda h: h.row.id,
    ),
    _RecordingColumn(
        "recording_key", "text", "", "content key of host build, clip, condition and seed",
        "recording", lambda h: h.row.key,
    ),
    _RecordingColumn(
        "recording_sha256", "text", "", "SHA-256 of the WAV file that was heard", "recording",
        lambda h: h.row.audio_sha256,
    ),
    _RecordingColumn("clip", "text", "", "the source clip", "study file", lambda h: h.row.clip),
    _RecordingColumn(
        "condition", "text", "", "the study's name of the condition", "study file",
        lambda h: h.condition_name,
    ),
    _RecordingColumn(
        "mode", "text", "", "named set of mechanisms", "study file",
        lambda h: h.condition.mode.value,
    ),
    _RecordingColumn(
        "mechanisms", "text", "", "mechanisms switched on, separated by spaces", "study file",
        lambda h: " ".join(h.condition.mode.mechanisms),
    ),
    _RecordingColumn(
        "baseline", "text", "", "the rest of the TCP configuration", "study file",
        lambda h: h.condition.baseline.value,
    ),
    _RecordingColumn(
        "rtt_ms", "number", "ms", "round-trip time set, split evenly", "study file",
        lambda h: h.condition.path.rtt_ms,
    ),
    *_direction("forward", "sender to receiver"),
    *_direction("backward", "receiver to sender"),
    _RecordingColumn(
        "seed", "integer", "", "of the emulator's randomness", "study file", lambda h: h.row.seed
    ),
    _RecordingColumn(
        "host_build", "text", "", "content hash of the host that recorded", "host",
        lambda h: h.row.host_build,
    ),
    _RecordingColumn(
        "kernel_release", "text", "", "the host's kernel", "host", lambda h: h.row.kernel_release
    ),
    _RecordingColumn(
        "agent_version", "text", "", "the host's agent", "host", lambda h: h.row.agent_version
    ),
    *(
        _RecordingColumn(
            column.name,
            "integer" if column.kind is int else "number",
            column.unit,
            column.meaning,
            "session",
            partial(_metric, name=column.name),
        )
        for column in METRIC_COLUMNS
    ),
)  # fmt: skip


def _of_place(place: Literal["first", "second"]) -> tuple[Column, ...]:
    return tuple(
        Column(
            f"{place}_{column.name}",
            column.kind,
            column.unit,
            f"recording presented {place}: {column.meaning}",
            column.source,
            partial(_cell_of, place=place, cell=column.cell),
        )
        for column in RECORDING
    )


def _cell_of(
    entry: Entry, *, place: Literal["first", "second"], cell: Callable[[Heard], Cell]
) -> Cell:
    heard = entry.first if place == "first" else entry.second
    return None if heard is None else cell(heard)


COLUMNS: tuple[Column, ...] = (*WHERE, *ANSWER, *_of_place("first"), *_of_place("second"))
