"""Columns about one of the recordings heard: the recording, what was measured, what is predicted.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace

from thinlab.contract.columns import SESSION_COLUMNS, MetricColumn
from thinlab.export.column import Cell, Column, number, text, whole
from thinlab.trials.listening.entry import Heard


def _metric(column: MetricColumn) -> Column[Heard]:
    return Column(
        column.name,
        "integer" if column.kind is int else "number",
        column.unit,
        column.meaning,
        f"session: {column.source}",
        lambda h: h.metrics[column.name],
    )


def _once(column: Column[Heard]) -> Column[Heard]:
    """Worked out for the first vote about a recording."""

    def cell(heard: Heard) -> Cell:
        if column.name not in heard.cells:
            heard.cells[column.name] = column.cell(heard)
        return heard.cells[column.name]

    return replace(column, cell=cell)


_COLUMNS: tuple[Column[Heard], ...] = (
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
    text(
        "clip_sha256", "SHA-256 of the source clip: `clips/manifest.yaml` has its talker, language "
        "and level by it", "recording", lambda h: h.row.clip_sha256,
    ),
    text(
        "codec", "what the sound was sent with; empty of a reference", "study file",
        lambda h: h.sent.codec.value if h.sent else None,
    ),
    whole("duration_ms", "ms", "length of the recording", "recording", lambda h: h.row.duration_ms),
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
    *(_metric(column) for column in SESSION_COLUMNS),
)  # fmt: skip

# What may be heard of a recording: data that came late, what playout made of it.
PERCEIVED = (
    "felt_share_later_than_150_ms",
    "felt_longest_stall_ms",
    "playout_gaps",
    "playout_longest_gap_ms",
    "playout_concealed_ms",
    "predicted_quality",
)

RECORDING = tuple(_once(column) for column in _COLUMNS)
