"""Applications that tests share: a new one works all routes out anew, for a tenth of a second.

What is a test's own, its services, is looked up at each request.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import FastAPI

from thinlab.web.app import make_app
from thinlab.web.services import Services

_free: list[FastAPI] = []
_lent: list[FastAPI] = []


def app_over(services: Services) -> FastAPI:
    """An application without pages, until the end of the test."""
    app = _free.pop() if _free else make_app(services, None)
    app.state.services = services
    _lent.append(app)
    return app


def take_back() -> None:
    """At the end of a test."""
    while _lent:
        app = _lent.pop()
        del app.state.services
        _free.append(app)
