"""The application: routes, headers, errors. Its documentation pages are off on purpose.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter, FastAPI

from thinlab.web import pages, problems
from thinlab.web.admission import Admission
from thinlab.web.own_origin import OwnOrigin
from thinlab.web.routes import ROUTERS
from thinlab.web.security import Guard
from thinlab.web.services import Services


def make_app(
    services: Services, built_pages: Path | None, routers: Sequence[APIRouter] = ROUTERS
) -> FastAPI:
    """The ASGI application over given services, with these routes."""
    # The contract names conditions: a participant's browser must not find it here.
    app = FastAPI(title="Thinlab", openapi_url=None, docs_url=None, redoc_url=None)
    app.state.services = services
    app.add_middleware(OwnOrigin)
    # The last that is added sees a request first.
    app.add_middleware(Admission)
    app.add_middleware(Guard)
    problems.install(app)
    for router in routers:
        app.include_router(router)
    app.include_router(pages.router(built_pages))
    return app
