"""Every set of mechanisms that has a name is a mode, and every mode has a title.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.transport import OFF, SETS
from thinlab.condition.words import mode_title
from thinlab.contract.generated.names import MECHANISM_SETS


def test_every_set_of_the_contract_is_a_mode_with_a_title() -> None:
    assert sorted(SETS.values()) == sorted(MECHANISM_SETS.values())
    titles = [mode_title(name) for name in (OFF, *SETS)]
    assert all(titles)
    assert len(set(titles)) == len(titles)
