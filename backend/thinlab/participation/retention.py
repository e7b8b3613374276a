"""What is forgotten as time passes: links of people to answers, and newcomers who never began.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging

from thinlab.database.engine import Database
from thinlab.participation import newcomer, panel_seat, withdrawal

log = logging.getLogger(__name__)

LOOK_S = 600.0


async def keep(database: Database) -> None:
    """Erases what links people to answers older than their study's retention, and newcomers."""
    while True:
        try:
            async with database.transaction() as session:
                await panel_seat.expire_all(session)
                erased = await withdrawal.erase_links(session)
                forgotten = await newcomer.forget(session)
            if erased:
                log.info("retention ended for %d participants", erased)
            if forgotten:
                log.info("%d who joined and never began are forgotten", forgotten)
        except Exception:
            log.exception("retention was not looked after; trying again in ten minutes")
        await asyncio.sleep(LOOK_S)
