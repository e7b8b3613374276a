"""The sockets that the web server listens at, with what is served there and by which certificate.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from fastapi import FastAPI

from thinlab.live.transport import FRAME_LIMIT_BYTES
from thinlab.machine import own_names
from thinlab.origin import is_loopback
from thinlab.settings import Settings
from thinlab.tls.in_use import Telling, certificate_of, keep_up
from thinlab.tls.server_certificate import ServerCertificate
from thinlab.web.doors import CONNECTIONS, Doors, connections_limit
from thinlab.web.protocols import BoundedConfig
from thinlab.web.tls_front import TlsFront

if TYPE_CHECKING:
    from thinlab.web.services import Services


Tell = Callable[[dict[str, Any]], None]
BACKLOG = 512
# As nginx before us. Programs keep a connection for five seconds, which is also uvicorn's time: a
# request that left at that moment met a closed connection.
KEPT_OPEN_S = 30


@dataclass(frozen=True)
class Listening:
    """Where the server listens."""

    host: str
    port: int
    certificate: ServerCertificate | None = None
    """None: it speaks plainly."""
    room: "Listening | None" = None
    """Where else, for those who take part and audiences only."""

    @classmethod
    def of(cls, settings: Settings, host: str, port: int) -> "Listening":
        """As the settings say; what only this machine reaches, beside a room, stays plain."""
        certificate = certificate_of(settings)
        if settings.room is None:
            return cls(host, port, certificate)
        room = cls(*settings.room, certificate)
        return cls(host, port, None if is_loopback(host) else certificate, room)


def teller(status_fd: int | None) -> Tell:
    """Writes events as JSON lines to whoever started us; to nobody without a descriptor."""
    if status_fd is None:
        return lambda _: None

    def tell(event: dict[str, Any]) -> None:
        # Whoever listened may be gone: that is not our fault to die of.
        with contextlib.suppress(OSError):
            os.write(status_fd, json.dumps(event).encode() + b"\n")

    return tell


def configured(app: FastAPI, listening: Listening, connections: int = CONNECTIONS) -> BoundedConfig:
    """How the application is served."""
    here: Services = app.state.services
    return BoundedConfig(
        app,
        Doors(here.throttle.callers, connections),
        host=listening.host,
        port=listening.port,
        access_log=False,
        log_config=None,
        # At `info`, every WebSocket is logged with its address.
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws_max_size=FRAME_LIMIT_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=KEPT_OPEN_S,
        backlog=BACKLOG,
    )


class Server(uvicorn.Server):
    """uvicorn, told when it listens. No access log: it would keep addresses and tokens."""

    def __init__(self, app: FastAPI, listening: Listening, tell: Tell) -> None:
        config = configured(app, listening, connections_limit())
        super().__init__(config)
        self._places = [_Place(config, listening)]
        self._tell = tell

    def listen_also(self, app: FastAPI, listening: Listening) -> None:
        """Another application at another place, from the same start to the same end."""
        config = configured(app, listening, connections_limit())
        config.load()
        self._places.append(_Place(config, listening))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens at every place, and tells of it only when each of them answers."""
        # The resolver may take its time, and requests must not wait for it.
        await asyncio.to_thread(own_names)
        first, *others = self._places
        if first.context is None:
            await super().startup(sockets)
        else:
            # All but listening.
            await super().startup([])
            others = self._places
        self.servers += [await self._listen(place) for place in others]
        self._tell_certificate(self._certificate())
        if self.started:
            self._tell({"event": "listening"})

    async def _listen(self, place: "_Place") -> asyncio.Server:
        here = (place.listening.host, place.listening.port)
        family = socket.AF_INET6 if ":" in here[0] else socket.AF_INET
        listener = socket.create_server(here, family=family, backlog=place.config.backlog)

        def protocol() -> asyncio.Protocol:
            make = cast("Callable[..., asyncio.Protocol]", place.config.http_protocol_class)
            state = self.lifespan.state
            return make(config=place.config, server_state=self.server_state, app_state=state)

        if place.context is not None:
            return cast(
                "asyncio.Server", TlsFront(listener, place.context, protocol, place.config.doors)
            )
        return await asyncio.get_running_loop().create_server(protocol, sock=listener)

    async def renew(self, settings: Settings) -> None:
        """Shows what has been renewed, until cancelled."""
        shown = self._certificate()
        contexts = [place.context for place in self._places if place.context is not None]
        if shown is not None:
            await keep_up(settings, shown, contexts, Telling(self._tell_certificate, self._lacks))

    def _certificate(self) -> ServerCertificate | None:
        """Of all places that encrypt the same."""
        certificates = (place.listening.certificate for place in self._places)
        return next(filter(None, certificates), None)

    def _lacks(self, reason: str) -> None:
        self._tell({"event": "no-certificate", "reason": reason})

    def _tell_certificate(self, shown: ServerCertificate | None) -> None:
        if shown is not None:
            event = {"event": "certificate", "fingerprint": shown.fingerprint}
            self._tell({**event, "self_made": shown.is_self_made})


class _Place:
    """Where a server listens, with what."""

    def __init__(self, config: BoundedConfig, listening: Listening) -> None:
        self.config = config
        self.listening = listening
        self.context = listening.certificate.context() if listening.certificate else None
