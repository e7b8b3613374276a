"""By what this machine and others of one's own know each other, and what goes without.

SPDX-License-Identifier: Apache-2.0
"""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from thinlab.origin import is_loopback
from thinlab.settings import SettingError, Settings
from thinlab.tls.authority import AUTHORITY, CERTIFICATE, KEY, Issued

# On this machine's own file system, where permissions say who may.
SOCKETS = ("unix:", "unix-abstract:")


@dataclass(frozen=True)
class Papers:
    """What a machine shows, and by what it judges what it is shown."""

    authority: Path
    certificate: Path
    key: Path

    @classmethod
    def of(cls, folder: Path) -> Self:
        """A machine's folder, as `make_for` makes it."""
        return cls(folder / AUTHORITY, folder / CERTIFICATE, folder / KEY)

    def read(self) -> Issued:
        """As texts. Raises `OSError`."""
        return Issued(*(one.read_bytes() for one in (self.authority, self.certificate, self.key)))

    def context(self) -> ssl.SSLContext:
        """For a client. Raises `SettingError`."""
        try:
            context = ssl.create_default_context(cafile=self.authority)
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise SettingError(
                f"THINLAB_CERTIFICATES: {self.certificate.parent} will not do ({error}); name this "
                "machine's folder of those that `thinlab certificates` makes, readable for the "
                "user that Thinlab runs as"
            ) from error
        return context


@dataclass(frozen=True)
class Trust:
    """Whom this machine speaks to."""

    certificates: Path | None = None
    """This machine's folder of those that `thinlab certificates` makes."""
    plain: bool = False
    """Whether other machines may be spoken to without encryption."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """As the settings say."""
        return cls(settings.certificates, settings.plain)

    def papers(self, address: str, what: str) -> Papers | None:
        """For an address; none where it is spoken to plainly. Raises `SettingError`.

        `what`: what is there, for the message.
        """
        if address.startswith("tls://"):
            return self._papers(address)
        if not (self.plain or address.startswith(SOCKETS) or is_loopback(_host(address))):
            raise SettingError(
                f"{what} at {address} would be spoken to without encryption, and whoever is in "
                f"between could change what is said, or use it; give tls://… with certificates "
                "that `thinlab certificates` makes, or in a network that is yours alone "
                "THINLAB_PLAIN=on"
            )
        return None

    def _papers(self, address: str) -> Papers:
        folder = self.certificates
        if folder is None:
            raise SettingError(
                f"THINLAB_CERTIFICATES is not set, which {address} needs; name this machine's "
                "folder of those that `thinlab certificates` makes"
            )
        papers = Papers.of(folder)
        for path in (papers.authority, papers.certificate, papers.key):
            if not path.is_file():
                raise SettingError(f"THINLAB_CERTIFICATES: {path} does not exist")
        papers.context()
        return papers


def _host(address: str) -> str:
    """Of `tcp://host:port`, `host:port` or `host`."""
    place = address.rpartition("://")[2]
    host, colon, _ = place.rpartition(":")
    return (host if colon else place).strip("[]")
