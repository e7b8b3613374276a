"""A connection outlives the pauses of whoever asks again.

SPDX-License-Identifier: Apache-2.0
"""

import httpx

from tests.applications import app_over
from thinlab.web.server import Listening, configured
from thinlab.web.services import Services


async def test_programs_give_up_a_connection_before_the_server_does(services: Services) -> None:
    expiry_s = httpx.Limits().keepalive_expiry
    assert expiry_s is not None
    served = configured(app_over(services), Listening("127.0.0.1", 0))
    assert served.timeout_keep_alive > expiry_s
