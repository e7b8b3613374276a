"""The documentation's site under `/docs`, for researchers: `make docs` builds it.

It tells what the ready studies compare, so participants' browsers must not find it here.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from thinlab.web.researcher_session import signed_in

NOT_BUILT = """<!doctype html><title>Thinlab</title>
<p>The documentation is not built. Run <code>make docs</code>.</p>
"""


def router(site: Path | None) -> APIRouter:
    """Routes of the static pages in a folder made by `setup/site/build`."""
    routes = APIRouter(prefix="/docs", include_in_schema=False)
    built = site is not None and (site / "index.html").is_file()
    files = StaticFiles(directory=site, html=True) if built else None

    @routes.get("")
    async def front() -> Response:
        return RedirectResponse("/docs/")

    @routes.get("/{path:path}")
    async def page(
        path: str, request: Request, researcher: Annotated[bool, Depends(signed_in)]
    ) -> Response:
        if not researcher:
            return RedirectResponse("/researcher")
        if files is None:
            return HTMLResponse(NOT_BUILT, 404)
        response = await files.get_response(path or ".", request.scope)
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    return routes
