"""Every route of the API: what the application serves and what the contract tells.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.web import (
    arrival_routes,
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
    question_routes,
    researcher,
    trials,
    votes,
)
from thinlab.web.kinds.registry import CHECK_ROUTERS, TRIAL_ROUTERS

# What a room may reach: who takes part, who is in an audience, who was given a replay's link.
ROOM_ROUTERS = (
    front_page.router,
    joining.router,
    arrival_routes.router,
    participation_routes.router,
    *CHECK_ROUTERS,
    question_routes.router,
    debrief_routes.router,
    trials.router,
    *TRIAL_ROUTERS,
    votes.router,
    live.router,
    demo_audience.router,
    demo_archive.router,
    health.router,
)
ROUTERS = (*ROOM_ROUTERS, demo_routes.router, demo_console.router, researcher.router)
