"""Columns about one of the recordings heard: the recording, what was measured, what is predicted.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.contract.columns import SESSION_COLUMNS, MetricColumn
from thinlab.export.column import Column, number, text, whole
from thinlab.export.entry import Heard


def _metric(column: MetricColumn) -> Column[Heard]:
    return Column(
        column.name,
        "integer" if column.kind is int else "number",
        column.unit,
        column.meaning,
        f"session: {column.source}",
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
