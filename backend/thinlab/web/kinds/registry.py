"""Where the routes of each kind of trial come among all others.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.web.kinds import listening, typing

CHECK_ROUTERS: tuple[APIRouter, ...] = (listening.checks,)
"""For participants: what is checked before the trials."""
TRIAL_ROUTERS: tuple[APIRouter, ...] = (listening.trials,)
"""For participants: what their page fetches of an open trial."""
RESEARCHER_ROUTERS: tuple[APIRouter, ...] = (typing.router,)
"""For signed-in researchers."""
