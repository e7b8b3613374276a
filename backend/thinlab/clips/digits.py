"""Spoken digits: what `clips/digits.yaml` names, and `clips/fetch --into digits` made.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.clips.manifest import Clips
from thinlab.settings import Settings


def spoken_digits(settings: Settings) -> Clips:
    """By language and digit, `en_0`. Raises `SettingError`, `ClipError`."""
    return Clips.open(settings.manifest.with_name("digits.yaml"), settings.need("digits"))
