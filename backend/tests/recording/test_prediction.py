"""What a prediction may be relied on for: order, not the number itself.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from thinlab.clips.manifest import ClipKind
from thinlab.clips.wav import SAMPLE_RATE_HZ
from thinlab.recording import prediction
from thinlab.recording.prediction import LIBRARY, SHORTEST_S, Measure, predicted_quality

# A model of the ear for each prediction.
pytestmark = pytest.mark.long

Signal = NDArray[np.int16]

SECONDS = SHORTEST_S + 0.1


def syllables(seconds: float) -> Signal:
    """A voice of gliding pitch in four syllables a second, over a faint room."""
    t = np.arange(round(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    phase = 2 * np.pi * np.cumsum(150 + 40 * np.sin(2 * np.pi * 0.7 * t)) / SAMPLE_RATE_HZ
    formants = sum(
        np.sin(k * phase) * np.exp(-(((150 * k - 700 - 500 * np.sin(9 * t)) / 600) ** 2))
        for k in range(1, 40)
    )
    room = np.random.default_rng(1).normal(size=len(t))
    loud = np.clip(np.sin(2 * np.pi * 4 * t), 0, 1)
    return (3000 * loud * formants + 5 * room).astype("<i2")


def with_gaps(sound: Signal, gap_ms: int, every_ms: int = 700) -> Signal:
    at_ms = np.arange(len(sound)) * 1000 // SAMPLE_RATE_HZ
    return np.where(at_ms % every_ms < gap_ms, 0, sound).astype("<i2")


def score(kind: ClipKind, source: Signal, recording: Signal) -> float:
    found = predicted_quality(kind, source.tobytes(), recording.tobytes())
    assert found.reason is None
    assert found.score is not None
    return found.score


@pytest.mark.parametrize("kind", ClipKind)
def test_more_damage_is_predicted_to_sound_worse(kind: ClipKind) -> None:
    sound = syllables(SECONDS)
    scores = [score(kind, sound, with_gaps(sound, gap_ms)) for gap_ms in (0, 100, 350)]
    assert scores[0] >= 4.4
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_a_prediction_says_what_made_it_and_is_always_the_same() -> None:
    sound = syllables(SECONDS)
    damaged = with_gaps(sound, 120).tobytes()
    first, second = (predicted_quality(ClipKind.SPEECH, sound.tobytes(), damaged) for _ in range(2))
    assert first == second
    assert first.measure == Measure.VISQOL_SPEECH
    assert first.version.startswith(f"{LIBRARY} 3.")
    assert (first.lowest, first.highest) == (1.0, 5.0)


def test_a_long_clip_is_the_mean_of_equal_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction, "WINDOW_S", SECONDS)
    part = syllables(SECONDS)
    silence = np.zeros_like(part)
    first, second = with_gaps(part, 60), with_gaps(part, 400)
    scores = score(ClipKind.SPEECH, part, first), score(ClipKind.SPEECH, part, second)

    def score_of(*windows: tuple[Signal, Signal]) -> float:
        source, recording = (np.concatenate(side) for side in zip(*windows, strict=True))
        return score(ClipKind.SPEECH, source, recording)

    assert score_of((part, first), (part, second)) == pytest.approx(sum(scores) / 2, abs=0.01)
    # A window in which nothing is heard is the worst that can be ...
    assert score_of((part, first), (part, silence)) == pytest.approx((scores[0] + 1) / 2, abs=0.01)
    # ... but where the source is silent, nothing is missing.
    assert score_of((part, first), (silence, silence)) == scores[0]


@pytest.mark.parametrize(
    ("source", "recording", "reason"),
    [
        (syllables(SHORTEST_S - 0.1), syllables(SHORTEST_S - 0.1), "shorter than 3 s"),
        (syllables(4), np.zeros(4 * SAMPLE_RATE_HZ, "<i2"), "the recording is silent"),
        (np.zeros(4 * SAMPLE_RATE_HZ, "<i2"), syllables(4), "the source is silent"),
        (syllables(4), syllables(4.5), "source and recording differ in length"),
    ],
)
@pytest.mark.parametrize("kind", ClipKind)
def test_what_cannot_be_compared_has_a_reason_and_no_score(
    kind: ClipKind, source: Signal, recording: Signal, reason: str
) -> None:
    found = predicted_quality(kind, source.tobytes(), recording.tobytes())
    assert (found.score, found.reason) == (None, reason)
    assert found.measure == {"speech": "visqol_speech", "song": "visqol_audio"}[kind]
