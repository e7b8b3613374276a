"""A trial to be heard in a participant's words: both members are described by the same numbers.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from thinlab.clips import wav
from thinlab.participation.kind import Opened
from thinlab.trials.listening import messages


def heard_trial(opened: Opened, common: dict[str, Any]) -> messages.HeardTrial:
    """`common`: the fields that every trial has."""
    presentation = opened.presentation
    return messages.HeardTrial(
        **common,
        medium="heard",
        playback=opened.block.playback,
        must_hear_share=opened.block.heard_share_at_least,
        duration_ms=opened.duration_ms or 0,
        sample_rate_hz=wav.SAMPLE_RATE_HZ,
        first=messages.RecordingHandle(recording_token=presentation.first_token),
        second=(
            None
            if presentation.second_token is None
            else messages.RecordingHandle(recording_token=presentation.second_token)
        ),
        # On a page of several it is with whichever of them is the hidden reference.
        x=next(
            (
                messages.RecordingHandle(recording_token=one.x_token)
                for one in (presentation, *opened.others)
                if one.x_token is not None
            ),
            None,
        ),
        others=[messages.RecordingHandle(recording_token=one.first_token) for one in opened.others],
    )
