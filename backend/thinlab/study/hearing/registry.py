"""Every test of hearing and equipment that a study's file can ask for.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from thinlab.study.hearing.bandwidth import BandwidthTest
from thinlab.study.hearing.digits import DigitsTest
from thinlab.study.hearing.fact import Fact
from thinlab.study.hearing.levels import LevelsTest

HearingTestName = TypeAliasType(
    "HearingTestName",
    Annotated[
        Literal["levels", "bandwidth", "digits"],
        Field(title="HearingTestName", description="What is tested of hearing and equipment."),
    ],
)

HearingTest = Annotated[LevelsTest | BandwidthTest | DigitsTest, Field(discriminator="test")]

FACTS: Mapping[str, tuple[Fact, ...]] = MappingProxyType(
    {
        "levels": LevelsTest.FACTS,
        "bandwidth": BandwidthTest.FACTS,
        "digits": DigitsTest.FACTS,
    }
)
"""Of each test's outcome; in this order come the columns of the exports."""
