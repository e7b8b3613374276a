"""The HTTP contract, printed for the frontend's generator; never served.

The document names conditions and metrics, so a participant's browser must not
be able to fetch it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from thinlab import __version__
from thinlab.live.messages import BrowserFrame, ServerFrame
from thinlab.web.problems import ProblemDocument
from thinlab.web.routes import ROUTERS


def contract() -> dict[str, Any]:
    """The OpenAPI document of all routes, the same on every machine."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    document = get_openapi(title="Thinlab", version=__version__, routes=app.routes)
    schemas = document["components"]["schemas"]
    schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
    # No route's body: the frames of a link, for the types of the page's side.
    _, live = models_json_schema(
        [(BrowserFrame, "validation"), (ServerFrame, "serialization")],
        ref_template="#/components/schemas/{model}",
    )
    if twice := schemas.keys() & live["$defs"].keys():
        raise ValueError(f"two types of the contract share a name: {sorted(twice)}")
    schemas |= live["$defs"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for operations in document["paths"].values():
        for operation in operations.values():
            _use_problem_for_422(operation["responses"])
    return document


def _use_problem_for_422(responses: dict[str, Any]) -> None:
    """FastAPI documents its own validation body, which these routes never send."""
    if "422" in responses:
        reference = {"$ref": "#/components/schemas/ProblemDocument"}
        responses["422"] = {
            "description": "Problem",
            "content": {"application/problem+json": {"schema": reference}},
        }
