"""Every test of hearing and equipment, by its name in a study's file.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from thinlab.trials.listening.checks.bandwidth.check import BandwidthCheck
from thinlab.trials.listening.checks.check import Check
from thinlab.trials.listening.checks.digits.check import DigitsCheck
from thinlab.trials.listening.checks.levels.check import LevelsCheck

CHECKS: Mapping[str, Check[Any]] = MappingProxyType(
    {"levels": LevelsCheck(), "bandwidth": BandwidthCheck(), "digits": DigitsCheck()}
)
