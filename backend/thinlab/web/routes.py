"""Every route of the API: what the application serves and what the contract tells.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.web import (
    debrief_routes,
    demo_archive,
    demo_audience,
    demo_console,
    demo_routes,
    front_page,
    health,
    joining,
    live,
    participation_routes,
    researcher,
    trials,
)

# What a room may reach: who takes part, who is in an audience, who was given a replay's link.
ROOM_ROUTERS = tuple(
    part.router
    for part in (
        front_page,
        joining,
        participation_routes,
        debrief_routes,
        trials,
        live,
        demo_audience,
        demo_archive,
        health,
    )
)
ROUTERS = (*ROOM_ROUTERS, *(part.router for part in (demo_routes, demo_console, researcher)))
