"""Cookies of sessions: out of scripts' reach, sent to nobody else.

Where the connection is encrypted a cookie is `Secure`, and its name begins with `__Host-`:
then the browser takes it from this very host only, and no neighbour by name, nor whoever
answers for us without encryption, can put one of theirs in its place.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import timedelta

from fastapi import Response
from fastapi.requests import HTTPConnection

from thinlab.web.own_origin import is_secure

PREFIX = "__Host-"


@dataclass(frozen=True)
class SessionCookie:
    """One kind of session's."""

    name: str

    def read(self, connection: HTTPConnection) -> str | None:
        """The session's token; none of a connection without one."""
        cookies = connection.cookies
        if (token := cookies.get(PREFIX + self.name)) is not None:
            return token
        return None if is_secure(connection) else cookies.get(self.name)

    def put(
        self, response: Response, token: str, connection: HTTPConnection, life: timedelta | None
    ) -> None:
        """Into the browser; `life`: none for until it is closed."""
        secure = is_secure(connection)
        response.set_cookie(
            PREFIX + self.name if secure else self.name,
            token,
            max_age=int(life.total_seconds()) if life is not None else None,
            httponly=True,
            samesite="strict",
            secure=secure,
            path="/",
        )

    def take_away(self, response: Response, connection: HTTPConnection) -> None:
        """Out of the browser."""
        names = [PREFIX + self.name] if is_secure(connection) else [self.name]
        for name in names:
            response.delete_cookie(
                name,
                path="/",
                httponly=True,
                samesite="strict",
                secure=name.startswith(PREFIX),
            )
