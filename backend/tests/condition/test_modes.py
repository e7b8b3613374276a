"""Every set of mechanisms that has a name is a mode, and every mode has a title.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.transport import (
    ALL_OF_SCTP,
    OFF,
    SETS,
    TAKES_DAMAGE,
    Protocol,
    mechanisms_of,
)
from thinlab.condition.words import mode_title
from thinlab.contract.generated.names import MECHANISM_SETS, PROTOCOLS_OF_MECHANISM, Mechanism


def test_every_set_of_the_contract_is_a_mode_with_a_title() -> None:
    # What a receiver does is no set of a sender's.
    modes = {name: one for name, one in MECHANISM_SETS.items() if one != TAKES_DAMAGE}
    named = {name: one for name, one in SETS.items() if name != ALL_OF_SCTP}
    assert sorted(named.values()) == sorted(modes.values())
    titles = [mode_title(name) for name in (OFF, *SETS)]
    assert all(titles)
    assert len(set(titles)) == len(titles)


def test_all_of_sctp_is_what_it_has_and_nothing_else() -> None:
    wanted = set(mechanisms_of(ALL_OF_SCTP))
    assert len(wanted) >= 8
    for one in Mechanism:
        assert (one in wanted) == (Protocol.SCTP in PROTOCOLS_OF_MECHANISM[one])
