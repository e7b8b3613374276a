"""What participants will hear, as text. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.headphone_test import ROUNDS
from thinlab.study.kind import Clips


def outline_of_sound_check(definition: StudyDefinition, clips: Clips) -> Iterator[str]:
    """What a participant sets the sound by."""
    if definition.sound_check is None:
        return
    test = {
        "required": f"a headphone test that has to be passed, {_passed(definition)}",
        "asked": f"a headphone test, recorded only, {_passed(definition)}",
        "any": "no headphone test",
    }[definition.headphones]
    length_s = clips[definition.sound_check].length_ms / 1000
    yield f"SOUND CHECK: clip {definition.sound_check}, {length_s:.1f} s; {test}"
    for one in definition.hearing:
        tries = "one try" if one.tries == 1 else f"one of {one.tries} tries"
        yield (
            f"HEARING TEST {one.test}: {one.described}; {one.asked} in {tries} "
            f"(of those who guess, {one.guessed_share * 100:.2g} % pass)"
            f"{'' if one.needed else ', recorded only'}"
        )


def _passed(definition: StudyDefinition) -> str:
    rule = definition.headphone_rule
    tries = "one try" if rule.tries == 1 else f"one of {rule.tries} tries"
    return (
        f"by {rule.signal}: {rule.least} of {ROUNDS} rounds in {tries} "
        f"(of those who guess, {rule.guessed_share * 100:.2g} % pass)"
    )
