"""The named paths over radio links against the thesis's tables 5.1 and 5.2.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from thinlab.condition import profiles, radio
from thinlab.condition.path import BitErrors
from thinlab.condition.written import WrittenCondition

pytestmark = pytest.mark.unit

# What is one bit in a hundred, of a packet of 576 bytes: not one of 10^20 is left whole.
FULL_PACKET_BITS = 576 * 8


def test_each_link_has_each_loss_profile_once() -> None:
    assert len({one.name for one in radio.THESIS}) == len(radio.THESIS) == 3 * 7
    assert len({one.name for one in profiles.NAMED}) == len(profiles.NAMED)
    assert all(profiles.of_path(one.path) is one for one in profiles.NAMED)


@pytest.mark.parametrize("loss", radio.LOSS_PROFILES)
def test_the_share_of_bad_packets_is_the_tables(loss: radio.LossProfile) -> None:
    for link in radio.LINKS:
        profile = profiles.named(f"{link.name}-{loss.number}")
        assert profile is not None
        assert profile.path.forward == profile.path.backward
        way = profile.path.forward
        assert (way.delay_ms, way.rate_kbit_per_s) == (link.delay_ms, link.rate_kbit_per_s)
        errors = way.bit_errors
        if errors is None:
            assert loss.bad_packet_share == 0
            continue
        assert errors.at_end
        assert errors.tick_ms == 10
        damaged_share = errors.bad_share * (1 - (1 - errors.error_share_bad) ** FULL_PACKET_BITS)
        assert round(damaged_share, 3) == loss.bad_packet_share


def test_todays_links_are_as_bad_as_their_sources_say() -> None:
    edge = profiles.named("wlan-edge")
    assert edge is not None
    errors = edge.path.forward.bit_errors
    assert isinstance(errors, BitErrors)
    assert 1 - (1 - errors.error_share_good) ** 8000 == pytest.approx(0.1, abs=0.001)


def test_files_name_them() -> None:
    written = WrittenCondition.model_validate({"mode": "off", "path": "802.11b-4"})
    assert written.resolved.path == radio.THESIS[-3].path
