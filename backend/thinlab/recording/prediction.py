"""Predicted quality: what an objective measure says of a recording, beside its source.

ViSQOL 3 with the settings of its original, apart from global alignment: a
recording stands at its source's place already. A prediction is no opinion:
nobody heard anything, and the measure was trained on other impairments than
stalls (docs/playout.md says what it is worth).

SPDX-License-Identifier: Apache-2.0
"""

import math
from enum import StrEnum, auto
from importlib import metadata
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from thinlab.clips import wav
from thinlab.clips.manifest import ClipKind

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Signal = NDArray[float64]

LIBRARY = "visqol-python"
LOWEST, HIGHEST = 1.0, 5.0
SHORTEST_S = 3
"""ViSQOL's authors recommend 3 to 10 s ..."""
WINDOW_S = 10
"""... and so a longer clip is measured in equal windows of at most this, and averaged."""
SPEECH_RATE_HZ = 16_000
"""ViSQOL's speech model is wideband, as the clips' sources are."""
SILENT_RMS = 10 ** (-60 / 20)
"""Of full scale: a window that is quieter in the source has nothing to compare."""
FULL_SCALE = 32_768


class Measure(StrEnum):
    """Which model: they have scales of their own, not to be compared with each other."""

    VISQOL_SPEECH = auto()
    VISQOL_AUDIO = auto()


MEASURES = {ClipKind.SPEECH: Measure.VISQOL_SPEECH, ClipKind.SONG: Measure.VISQOL_AUDIO}


class Prediction(BaseModel):
    """A prediction, or why there is none."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    measure: Measure = Field(description="objective measure that predicts")
    version: str = Field(description="library and version that computed it")
    score: float | None = Field(
        default=None, ge=LOWEST, le=HIGHEST, description="predicted MOS (MOS-LQO), 1 to 5"
    )
    lowest: float = LOWEST
    highest: float = HIGHEST
    reason: str | None = Field(default=None, description="why there is no prediction")


def predicted_quality(kind: ClipKind, source: bytes, recording: bytes) -> Prediction:
    """Of a recording, by its source; both 48 kHz, mono, 16 bit, little-endian.

    A pure function that computes for about a second per second of song, a third
    of that for speech.
    """
    measure = MEASURES[kind]
    version = f"{LIBRARY} {metadata.version(LIBRARY)}"
    reason = _unusable(source, recording)
    if reason is not None:
        return Prediction(measure=measure, version=version, reason=reason)
    scores = _scores(measure, _signal(source), _signal(recording))
    if not scores:
        return Prediction(measure=measure, version=version, reason="the source is silent")
    score = round(math.fsum(scores) / len(scores), 2)
    return Prediction(measure=measure, version=version, score=min(max(score, LOWEST), HIGHEST))


def _unusable(source: bytes, recording: bytes) -> str | None:
    if len(source) != len(recording):
        return "source and recording differ in length"
    if len(source) < SHORTEST_S * wav.SAMPLE_RATE_HZ * wav.SAMPLE_BYTES:
        return f"shorter than {SHORTEST_S} s"
    if not any(recording):
        return "the recording is silent"
    return None


def _signal(samples: bytes) -> "Signal":
    import numpy as np

    return np.frombuffer(samples, "<i2") / FULL_SCALE


def _scores(measure: Measure, source: "Signal", recording: "Signal") -> list[float]:
    """One a window that sounds in the source."""
    import numpy as np
    from scipy.signal import resample_poly
    from visqol import VisqolApi

    visqol = VisqolApi()
    if measure is Measure.VISQOL_SPEECH:
        visqol.create("speech", use_lattice_model=True, disable_global_alignment=True)
        rate_hz = SPEECH_RATE_HZ
        source, recording = (
            resample_poly(signal, rate_hz, wav.SAMPLE_RATE_HZ) for signal in (source, recording)
        )
    else:
        visqol.create("audio", disable_global_alignment=True)
        rate_hz = wav.SAMPLE_RATE_HZ
    windows = math.ceil(len(source) / (WINDOW_S * rate_hz))
    scores = []
    for sent, heard in zip(
        np.array_split(source, windows), np.array_split(recording, windows), strict=True
    ):
        if math.sqrt(np.mean(sent**2)) < SILENT_RMS:
            continue
        if math.sqrt(np.mean(heard**2)) < SILENT_RMS:
            # ViSQOL has no number for "nothing at all".
            scores.append(LOWEST)
        else:
            scores.append(float(visqol.measure_from_arrays(sent, heard, rate_hz).moslqo))
    return scores
