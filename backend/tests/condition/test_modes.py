"""Every set of mechanisms that has a name is a mode, and every mode has a title.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.transport import OFF, SETS, TAKES_DAMAGE
from thinlab.condition.words import mode_title
from thinlab.contract.generated.names import MECHANISM_SETS


def test_every_set_of_the_contract_is_a_mode_with_a_title() -> None:
    # What a receiver does is no set of a sender's.
    modes = {name: one for name, one in MECHANISM_SETS.items() if one != TAKES_DAMAGE}
    assert sorted(SETS.values()) == sorted(modes.values())
    titles = [mode_title(name) for name in (OFF, *SETS)]
    assert all(titles)
    assert len(set(titles)) == len(titles)
