"""Which instance an attack is aimed at. Nobody else's by accident.

SPDX-License-Identifier: Apache-2.0
"""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from thinlab.web.services import Services


class ForbiddenAimError(Exception):
    """The address is none that may be attacked just so."""


@dataclass(frozen=True)
class Instance:
    """A running Thinlab, and a study there that anybody may join and hear."""

    url: str
    study: str
    inside: Services | None = None
    """What our own server stands on; of one that was named, nobody can look inside."""

    @property
    def host(self) -> str:
        """Its name or address."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """Where it listens."""
        parts = urlsplit(self.url)
        return parts.port or (443 if parts.scheme == "https" else 80)


def permitted(url: str, consent: str | None) -> str:
    """The address without what follows the port. Raises `ForbiddenAimError`.

    An address of this machine is permitted. Any other only to whoever writes
    its name a second time, as `consent`.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ForbiddenAimError(f"'{url}' is no address like http://127.0.0.1:8000")
    if parts.hostname != consent and not _is_this_machine(parts.hostname):
        raise ForbiddenAimError(
            f"{parts.hostname} is not this machine. These attacks fill studies, store votes and "
            "flood the server: aim them at your own instance only, one with nothing to lose. "
            f"If this is yours, say so: --i-may {parts.hostname}"
        )
    return f"{parts.scheme}://{parts.netloc}"


def _is_this_machine(host: str) -> bool:
    """Whether a name leads to loopback addresses and nowhere else."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        return False
    return bool(found) and all(ipaddress.ip_address(address).is_loopback for address in found)
