"""Errors as RFC 9457 problem documents: what is wrong, where, and the remedy.

What a participant can provoke says nothing about recordings or conditions:
the texts here are constants, never built from the study.

SPDX-License-Identifier: Apache-2.0
"""

import logging
from collections.abc import Mapping
from typing import Any

import asyncpg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException

from thinlab.database.loss import is_database_loss
from thinlab.participation.participant import WithdrawnError
from thinlab.recording import trial_recordings
from thinlab.recording.store import StoreError

# Errors at connecting reach us bare, others wrapped by SQLAlchemy.
ASYNCPG_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError)

log = logging.getLogger(__name__)


class ProblemDocument(BaseModel):
    """The body of every error, `application/problem+json`."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    remedy: str | None = None


class ProblemError(Exception):
    """An error that the client is told about."""

    def __init__(
        self,
        status: int,
        kind: str,
        title: str,
        *,
        detail: str = "",
        field: str | None = None,
        remedy: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(title)
        self.document = ProblemDocument(
            type=f"/problems/{kind}",
            title=title,
            status=status,
            detail=detail or title,
            field=field,
            remedy=remedy,
        )
        self.headers = dict(headers or {})

    def response(self) -> JSONResponse:
        """The document as a response that no cache keeps."""
        return JSONResponse(
            self.document.model_dump(exclude_none=True),
            self.document.status,
            headers={"Cache-Control": "no-store", **self.headers},
            media_type="application/problem+json",
        )


def unavailable() -> ProblemError:
    """The database does not answer; nothing was stored, trying again is safe."""
    return ProblemError(
        503,
        "unavailable",
        "The server cannot reach its database.",
        detail="Nothing was lost: what the server confirmed is stored, the rest can be sent again.",
        remedy="Try again in a few seconds.",
        headers={"Retry-After": "1"},
    )


def out_of_turn(kind: str, title: str) -> ProblemError:
    """409: this is not what the participant has to do now."""
    remedy = "Ask for the participation's progress, and continue from there."
    return ProblemError(409, kind, title, remedy=remedy)


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI entries for the problems a route can answer with."""
    content = {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}
    }
    return {status: {"description": "Problem", "content": content} for status in statuses}


def once_responses(
    model: type[BaseModel], again: str, *problems: int
) -> dict[int | str, dict[str, Any]]:
    """OpenAPI entries of a route that makes something once; `again`: why it answers 200 instead."""
    return {200: {"model": model, "description": again}, **problem_responses(*problems)}


async def _on_missing_files(request: Request, error: Exception) -> JSONResponse:
    log.error("files missing during %s: %s", _route(request), error)
    if isinstance(error, StoreError) and error.key is not None:
        here = request.app.state.services
        try:
            async with here.database.transaction() as session:
                asked = await trial_recordings.ask_again(session, error.key)
        except Exception as loss:
            if not is_database_loss(loss):
                raise
            log.warning("the missing files are asked for when they are missed again")
        else:
            if asked:
                here.recorder.wake()
    return ProblemError(
        503,
        "recording-missing",
        "This recording is missing on the server.",
        detail="It is being made again.",
        remedy="Try again in a minute; if it is still missing then, tell the researcher.",
        headers={"Retry-After": "5"},
    ).response()


async def _on_withdrawn(_: Request, __: Exception) -> JSONResponse:
    return ProblemError(
        410, "withdrawn", "This participation was withdrawn; its answers are deleted."
    ).response()


async def _on_problem(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, ProblemError):
        raise TypeError(error)
    return error.response()


async def _on_validation(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise TypeError(error)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return ProblemError(
        422,
        "invalid",
        "The request is not valid.",
        detail=f"{where}: {first['msg']}" if where else first["msg"],
        field=where or None,
    ).response()


async def _on_http(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise TypeError(error)
    kind = {404: "not-found", 405: "method"}.get(error.status_code, "http")
    return ProblemError(
        error.status_code, kind, str(error.detail), headers=error.headers
    ).response()


def _is_unstorable(error: BaseException) -> bool:
    """Whether a text held a character that PostgreSQL has no place for, such as NUL."""
    state = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return state in {"22021", "22P05"}


async def _on_anything(request: Request, error: Exception) -> JSONResponse:
    if _is_unstorable(error):
        return ProblemError(
            422,
            "invalid",
            "The request holds a character that cannot be stored.",
            remedy="Leave out control characters such as NUL.",
        ).response()
    if is_database_loss(error):
        log.warning("database away during %s %s: %s", request.method, _route(request), error)
        return unavailable().response()
    log.error("failed: %s %s", request.method, _route(request), exc_info=error)
    return ProblemError(
        500,
        "internal",
        "Something failed in the server.",
        remedy="Try again; if it persists, look at the server's log.",
    ).response()


def _route(request: Request) -> str:
    """The route's pattern, so that no token enters the log."""
    route = request.scope.get("route")
    return getattr(route, "path", "?")


def install(app: FastAPI) -> None:
    """Makes the application answer every error with a problem document."""
    app.add_exception_handler(ProblemError, _on_problem)
    app.add_exception_handler(WithdrawnError, _on_withdrawn)
    app.add_exception_handler(StoreError, _on_missing_files)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(HTTPException, _on_http)
    for lost in (DBAPIError, PoolTimeoutError, OSError, *ASYNCPG_ERRORS):
        app.add_exception_handler(lost, _on_anything)
    app.add_exception_handler(Exception, _on_anything)
