"""Every route of the API: what the application serves and what the contract tells.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.web import (
    demo_archive,
    demo_audience,
    demo_console,
    demo_routes,
    health,
    joining,
    live,
    participation_routes,
    researcher,
    trials,
)

ROUTERS = tuple(
    part.router
    for part in (
        joining,
        participation_routes,
        trials,
        live,
        demo_routes,
        demo_console,
        demo_audience,
        demo_archive,
        health,
        researcher,
    )
)
