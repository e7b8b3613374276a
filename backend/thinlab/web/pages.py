"""The built frontend: assets by name, `index.html` for every page's address.

Source maps are never served: they carry names of things that a participant
must not read.

SPDX-License-Identifier: Apache-2.0
"""

import re
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

NOT_BUILT = """<!doctype html><title>Thinlab</title>
<p>The pages are not built. Run <code>make run</code>.</p>
"""
# Vite names assets by content: the same name never changes.
FOREVER = "public, max-age=31536000, immutable"
# Where there is a page. frontend/src/main.tsx and frontend/nginx/nginx.conf say the same, and a
# test of setup compares them.
PAGE = r"/(s/[^/]+/?|researcher(/.*)?|demo(/.*)?|d(/[^/]*)?)?"
# Far more than the longest address of a page; each part is looked at on the disk.
PATH_LIMIT = 1024
NO_FILE = HTTPException(404, "There is no such file.")


def router(pages: Path | None) -> APIRouter:
    """Routes of the pages in a folder made by the frontend's build."""
    routes = APIRouter(include_in_schema=False)
    root = pages.resolve() if pages else None

    @routes.get("/{path:path}")
    async def page(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "There is no such address.")
        if root is None or not (root / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, 503)
        file = _file(root, path)
        if file is not None and file.suffix != ".map":
            cache = FOREVER if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"Cache-Control": cache})
        found = re.fullmatch(PAGE, f"/{path}")
        if found is None and "." in path.rsplit("/", 1)[-1]:
            raise NO_FILE
        # Whoever mistyped an address reads so, on a page that leads on.
        status = 200 if found else 404
        return FileResponse(root / "index.html", status, headers={"Cache-Control": "no-cache"})

    return routes


def _file(root: Path, path: str) -> Path | None:
    """The file of that name in the folder; none where there is none. Raises `HTTPException`."""
    if len(path) > PATH_LIMIT:
        raise NO_FILE
    try:
        file = (root / path).resolve()
        found = path and file.is_relative_to(root) and file.is_file()
    except (ValueError, OSError) as error:
        # A NUL in it, or a part that is too long for a name: strangers send both.
        raise NO_FILE from error
    return file if found else None
