"""How much of a recording has to have been heard before an answer, where the study leaves it open.

A vote is about the whole recording, and what losses did to it is often in a few places. Five
seconds of fifty, which was the rule at first, miss three such places in seven of ten listeners.
Four fifths miss two of them in one of 25, wherever they are, and take no longer than the time
that participants are told: both recordings once, and parts of them again.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Final

HEARD_SHARE: Final = 0.8
"""Of each recording, in different parts."""

FIRST_RULE_S: Final = 5.0
"""What a study asks for that was loaded before there were shares: seconds, of any part."""

# Given to pydantic where a study file is read: what is stored stays as it was meant.
FROM_A_FILE: Final = "a study file"
