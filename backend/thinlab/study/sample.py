"""A pair that the front page plays to everybody, openly, so that they know what this is about.

Its recordings are no trial's: whoever has heard which is which must not meet
them again blind.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.condition.seeds import Seed
from thinlab.part import Name, Part
from thinlab.study.text import LocalText
from thinlab.study.trial import Clip


class SampleMember(Part):
    """One of the two, with what everybody may read of it."""

    condition: Name = Field(description="One of the study's conditions.")
    name: LocalText = Field(description="In plain words, on its button.")


class Sample(Part):
    """One clip under two conditions, heard by switching between them."""

    clip: Clip
    seed: Seed
    about: LocalText = Field(description="What is heard, and what happened to it on its way.")
    members: tuple[SampleMember, SampleMember] = Field(
        description="The two, in the order of their buttons."
    )
