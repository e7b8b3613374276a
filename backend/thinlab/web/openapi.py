"""The HTTP contract, printed for the frontend's generator; never served.

The document names conditions and metrics, so a participant's browser must not
be able to fetch it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from thinlab import __version__
from thinlab.condition.path import BitErrors, Direction, GilbertElliott
from thinlab.condition.quantities import BIT_ERRORS, BUNDLING, BURSTS, DIRECTION, SCTP
from thinlab.condition.transport import Bundling, Sctp
from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.audience_message import AudienceCommand, AudienceMessage
from thinlab.demo.command import ConsoleCommand, ConsoleMessage
from thinlab.live.messages import BrowserFrame, ServerFrame
from thinlab.web.problems import ProblemDocument
from thinlab.web.routes import ROUTERS

LINK: list[tuple[type[BaseModel], JsonSchemaMode]] = [
    (BrowserFrame, "validation"),
    (ServerFrame, "serialization"),
]
# What the server leaves out of a moment is what has a default: for the page, it is optional.
DEMO: list[tuple[type[BaseModel], JsonSchemaMode]] = [
    (ConsoleCommand, "validation"),
    (ConsoleMessage, "validation"),
    (AudienceCommand, "validation"),
    (AudienceMessage, "validation"),
]
MEASURED = [
    message.DESCRIPTOR
    for message in (
        pb.SessionResult,
        pb.TerminalResult,
        pb.DemoResult,
        pb.SocketState,
        pb.PlayoutState,
    )
]
CHOSEN = [pb.Bundling.DESCRIPTOR, pb.Sctp.DESCRIPTOR, pb.Path.DESCRIPTOR, pb.BitErrors.DESCRIPTOR]
CHOICES = [pb.HiddenLossResponse.DESCRIPTOR, pb.QueueDiscipline.DESCRIPTOR]


def contract() -> dict[str, Any]:
    """The OpenAPI document of all routes, the same on every machine."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    document = get_openapi(title="Thinlab", version=__version__, routes=app.routes)
    schemas = document["components"]["schemas"]
    schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
    # No route's body: the messages of sockets, for the types of the page's side.
    for messages in (LINK, DEMO):
        _, more = models_json_schema(messages, ref_template="#/components/schemas/{model}")
        _add(schemas, more["$defs"])
    document["x-terms"] = _terms()
    document["x-quantities"] = {
        model.__name__: {name: one.model_dump() for name, one in quantities.items()}
        for model, quantities in (
            (Direction, DIRECTION),
            (GilbertElliott, BURSTS),
            (BitErrors, BIT_ERRORS),
            (Bundling, BUNDLING),
            (Sctp, SCTP),
        )
    }
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for operations in document["paths"].values():
        for operation in operations.values():
            _use_problem_for_422(operation["responses"])
    return document


def _terms() -> dict[str, Any]:
    """What the agents' contract calls what it measures, message by message, and what is chosen."""
    named = {message.name: registry.fields(message) for message in registry.below(*MEASURED)}
    named |= {message.name: registry.fields(message) for message in CHOSEN}
    named |= {choice.name: registry.values(choice) for choice in CHOICES}
    return {
        name: {
            part: {"title": told.title, "unit": told.unit, "meaning": told.meaning}
            for part, told in terms.items()
        }
        for name, terms in named.items()
    }


def _add(schemas: dict[str, Any], more: dict[str, Any]) -> None:
    """Adds types; one that a route has, too, is the same there."""
    more = {name: _without_nulls(schema) for name, schema in more.items()}
    twice = [name for name in more if schemas.get(name, more[name]) != more[name]]
    if twice:
        raise ValueError(f"two types of the contract share a name: {sorted(twice)}")
    schemas |= more


def _without_nulls(schema: Any) -> Any:  # noqa: ANN401 (JSON)
    """FastAPI leaves them out, in defaults for one."""
    if isinstance(schema, list):
        return [_without_nulls(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _without_nulls(value) for key, value in schema.items() if value is not None}


def _use_problem_for_422(responses: dict[str, Any]) -> None:
    """FastAPI documents its own validation body, which these routes never send."""
    if "422" in responses:
        reference = {"$ref": "#/components/schemas/ProblemDocument"}
        responses["422"] = {
            "description": "Problem",
            "content": {"application/problem+json": {"schema": reference}},
        }
