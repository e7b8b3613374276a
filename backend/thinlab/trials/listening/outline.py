"""What participants will hear, as text. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.kind import Clips


def outline_of_sound_check(definition: StudyDefinition, clips: Clips) -> Iterator[str]:
    """What a participant sets the sound by."""
    if definition.sound_check is None:
        return
    test = {
        "required": "a headphone test that has to be passed",
        "asked": "a headphone test, recorded only",
        "any": "no headphone test",
    }[definition.headphones]
    length_s = clips[definition.sound_check].length_ms / 1000
    yield f"SOUND CHECK: clip {definition.sound_check}, {length_s:.1f} s; {test}"
