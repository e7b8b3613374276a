"""Columns about one of the recordings heard: how it was made, measured, and what is predicted.

SPDX-License-Identifier: Apache-2.0
"""

from functools import partial
from typing import Literal

from thinlab.export.column import Column, number, text, whole
from thinlab.export.entry import Heard, VoteEntry
from thinlab.export.table import Cell
from thinlab.recording.metric_columns import METRIC_COLUMNS, MetricColumn
from thinlab.study.condition import Direction

Place = Literal["first", "second"]


def _direction(name: Literal["forward", "backward"], words: str) -> tuple[Column[Heard], ...]:
    def of(heard: Heard) -> Direction:
        path = heard.condition.path
        return path.forward if name == "forward" else path.backward

    def bursts(heard: Heard) -> Cell:
        loss = of(heard).gilbert_elliott
        return loss.model_dump_json() if loss else None

    source = "study file"
    return (
        number(
            f"{name}_loss_share", "share", f"uniform loss set, {words}", source,
            lambda h: of(h).loss_share,
        ),
        text(f"{name}_gilbert_elliott", f"loss in bursts set, {words}, JSON", source, bursts),
        number(
            f"{name}_jitter_ms", "ms", f"jitter set, {words}", source, lambda h: of(h).jitter_ms
        ),
        whole(
            f"{name}_rate_kbit_per_s", "kbit/s", f"rate set, {words}; 0: unlimited", source,
            lambda h: of(h).rate_kbit_per_s,
        ),
        whole(
            f"{name}_queue_packets", "packets", f"queue set, {words}; 0: 1000", source,
            lambda h: of(h).queue_packets,
        ),
        number(
            f"{name}_corrupt_share", "share", f"packets damaged, {words}", source,
            lambda h: of(h).corrupt_share,
        ),
    )  # fmt: skip


def _metric(column: MetricColumn) -> Column[Heard]:
    return Column(
        column.name,
        "integer" if column.kind is int else "number",
        column.unit,
        column.meaning,
        "session",
        lambda h: h.metrics[column.name],
    )


RECORDING: tuple[Column[Heard], ...] = (
    whole(
        "recording", "", "the recording's id in this installation", "recording",
        lambda h: h.row.id,
    ),
    text(
        "recording_key", "content key of host build, clip, condition and seed", "recording",
        lambda h: h.row.key,
    ),
    text(
        "recording_sha256", "SHA-256 of the WAV file that was heard", "recording",
        lambda h: h.row.audio_sha256,
    ),
    text("clip", "the source clip", "study file", lambda h: h.row.clip),
    whole("duration_ms", "ms", "length of the recording", "recording", lambda h: h.row.duration_ms),
    text(
        "member", "which member of the trial it is, `a` or `b`", "presentation", lambda h: h.member
    ),
    text(
        "condition", "the study's name of the condition", "study file", lambda h: h.condition_name
    ),
    text("mode", "named set of mechanisms", "study file", lambda h: h.condition.mode.value),
    text(
        "mechanisms", "mechanisms switched on, separated by spaces", "study file",
        lambda h: " ".join(h.condition.mode.mechanisms),
    ),
    text(
        "baseline", "the rest of the TCP configuration", "study file",
        lambda h: h.condition.baseline.value,
    ),
    number(
        "rtt_ms", "ms", "round-trip time set, split evenly", "study file",
        lambda h: h.condition.path.rtt_ms,
    ),
    *_direction("forward", "sender to receiver"),
    *_direction("backward", "receiver to sender"),
    whole("seed", "", "of the emulator's randomness", "study file", lambda h: h.row.seed),
    text(
        "host_build", "content hash of the host that recorded", "host", lambda h: h.row.host_build
    ),
    text("kernel_release", "the host's kernel", "host", lambda h: h.row.kernel_release),
    text("agent_version", "the host's agent", "host", lambda h: h.row.agent_version),
    number(
        "predicted_quality", "score of the measure",
        "what an objective measure predicts: a prediction, not what anybody heard; empty where "
        "it has none", "prediction",
        lambda h: h.predicted.score if h.predicted else None,
    ),
    text(
        "predicted_quality_measure", "the measure that predicts", "prediction",
        lambda h: h.predicted.measure if h.predicted else None,
    ),
    text(
        "predicted_quality_version", "and its version", "prediction",
        lambda h: h.predicted.version if h.predicted else None,
    ),
    *(_metric(column) for column in METRIC_COLUMNS),
)  # fmt: skip


def of_place(place: Place) -> tuple[Column[VoteEntry], ...]:
    """The columns for the recording presented at a place; empty where there was none."""
    return tuple(
        Column(
            f"{place}_{column.name}",
            column.kind,
            column.unit,
            f"recording presented {place}: {column.meaning}",
            column.source,
            partial(_cell_of, place=place, column=column),
        )
        for column in RECORDING
    )


def _cell_of(entry: VoteEntry, *, place: Place, column: Column[Heard]) -> Cell:
    heard = entry.first if place == "first" else entry.second
    if heard is None:
        return None
    if column.name not in heard.cells:
        heard.cells[column.name] = column.cell(heard)
    return heard.cells[column.name]
