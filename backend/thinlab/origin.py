"""An origin, as browsers compare them: scheme, host and port.

SPDX-License-Identifier: Apache-2.0
"""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, Self
from urllib.parse import urlsplit

# As browsers send names: others' letters are encoded by then.
NAME = re.compile(r"[a-z0-9._-]{1,253}")
DEFAULT_PORTS = {"http": 80, "https": 443}


class OriginError(ValueError):
    """A text is no origin; the message says what is wrong with it."""


@dataclass(frozen=True)
class Origin:
    """Where browsers find a server."""

    scheme: Literal["http", "https"]
    host: str
    """In lower case; an IPv6 address without brackets."""
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """From `https://lab.example:8443`; a path of `/` is let pass. Raises `OriginError`."""
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise OriginError(f"{text!r} is not an address: {error}") from error
        scheme = parts.scheme.lower()
        if scheme not in {"http", "https"}:
            raise OriginError(f"{text!r} begins with neither https:// nor http://")
        if not host or not (is_address(host) or NAME.fullmatch(host)):
            raise OriginError(f"{text!r} names no host")
        if parts.path not in {"", "/"} or parts.query or parts.fragment or parts.username:
            raise OriginError(f"{text!r} has more than a host and a port: pages live at its root")
        return cls("https" if scheme == "https" else "http", host, port or DEFAULT_PORTS[scheme])

    @property
    def netloc(self) -> str:
        """As a browser's `Host` header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        """As a browser's `Origin` header has it."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def is_secure(self) -> bool:
        """Whether what is sent there is encrypted."""
        return self.scheme == "https"

    @property
    def is_public_name(self) -> bool:
        """Whether the host is a name that is registered, as no machine's own name or number is."""
        labels = self.host.rstrip(".").split(".")
        private = {"localhost", "local", "internal", "test", "home", "lan"}
        return len(labels) > 1 and labels[-1] not in private and not is_address(self.host)


def is_address(host: str) -> bool:
    """Whether a host is told by its number: such a one no other site's name can stand for."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine comes there."""
    if is_address(host):
        return ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")
