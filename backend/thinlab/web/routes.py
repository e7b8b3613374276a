"""Every route of the API: what the application serves and what the contract tells.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.web import health, joining, live, participation_routes, researcher, trials

ROUTERS = tuple(
    part.router for part in (joining, participation_routes, trials, live, health, researcher)
)
