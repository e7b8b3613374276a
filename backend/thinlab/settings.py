"""Where things are: read from the environment once, at the edge.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from thinlab.origin import Origin, OriginError

PORTS = 65_536
LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory"
CHECKOUT = Path(__file__).parents[2]
# Longer than any delay that a machine adds which keeps up, and felt by whoever types over a path of
# 130 ms (people feel 150): after one such key the answer may be to our machine.
HOST_WAIT_LIMIT_MS = 250.0


class SettingError(Exception):
    """A setting is missing or wrong; the text names it and the remedy."""


@dataclass(frozen=True)
class Settings:
    """Paths and addresses; an artifact that was not named is none."""

    data: Path
    """Database, secrets, logs."""
    cache: Path
    """What is built."""
    recordings: Path
    """Where recordings lie; in the cache by default."""
    survey: Path
    experiments: Path
    """The experiments that come with Thinlab."""
    manifest: Path
    clips: Path | None
    digits: Path | None
    """Spoken digits; what they are stands beside the manifest of the clips."""
    pages: Path | None
    docs: Path | None
    """The documentation as static pages."""
    agent: Path | None
    kernel: Path | None
    guest: Path | None
    terminal: Path | None
    """What a terminal runs: OpenSSH and editors."""
    database_url: str | None
    """Another PostgreSQL than the embedded one."""
    database_owner_url: str | None
    """The same by a role that owns its tables, for `thinlab migrate`; none: the other does it."""
    lab: str | None
    """Address of an agent that is running already."""
    live_lab: tuple[str, ...]
    """Addresses of agents in real time that are running already; typing sessions are theirs."""
    public_origin: Origin | None
    """Where browsers find the server; none: where they ask."""
    room: tuple[str, int] | None
    """Where else to listen, for those who take part and audiences only."""
    tls: str
    """`own`: a certificate of our own making; `acme`: one that browsers know, for a name; `off`; or
    `auto`: as the files and the host say."""
    tls_cert: Path | None
    tls_key: Path | None
    acme_directory: str
    """Address of whoever vouches for names, by ACME."""
    acme_mail: str | None
    """Where they write to when something is wrong with a certificate."""
    acme_port: int
    """Where port 80 of the name leads on this machine."""
    presenter: str | None
    """The presenter's token, from `thinlab run` to the web server that it starts."""
    scheduler: str | None
    """Address of a Dask scheduler whose workers make the recordings; none: this machine does."""
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...]
    """Whose `X-Forwarded-For` tells networks apart; of others it tells nothing."""
    host_wait_limit_ms: float
    """A key that waits longer for our own machines spoils the session that it is typed in."""
    listening: bool
    """Whether a vote needs the time that hearing its recordings takes; off where a page under test
    is handed shorter ones."""
    certificates: Path | None
    """By what this machine and others of one's own know each other."""
    plain: bool
    """Whether other machines may be spoken to without encryption."""
    predictions: bool
    """Whether the quality of recordings is predicted, which takes longer than recording."""
    metrics: str | None
    """Where Prometheus may ask, `host:port`; none: nowhere."""

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Settings from `THINLAB_…` variables. Raises `SettingError`."""

        def path(name: str) -> Path | None:
            value = environment.get(f"THINLAB_{name}")
            return Path(value).absolute() if value else None

        cache = path("CACHE") or _default_cache(environment)
        return cls(
            data=path("DATA") or _default_data(environment),
            cache=cache,
            recordings=path("RECORDINGS") or cache / "recordings",
            survey=path("SURVEY") or CHECKOUT / "survey",
            experiments=path("EXPERIMENTS") or CHECKOUT / "backend" / "experiments",
            manifest=path("MANIFEST") or CHECKOUT / "clips" / "manifest.yaml",
            clips=path("CLIPS"),
            digits=path("DIGITS"),
            pages=path("PAGES"),
            docs=path("DOCS"),
            agent=path("AGENT"),
            kernel=path("KERNEL"),
            guest=path("GUEST"),
            terminal=path("TERMINAL"),
            database_url=environment.get("THINLAB_DATABASE_URL") or None,
            database_owner_url=environment.get("THINLAB_DATABASE_OWNER_URL") or None,
            lab=environment.get("THINLAB_LAB") or None,
            live_lab=tuple(_words(environment.get("THINLAB_LIVE_LAB", ""))),
            public_origin=_origin(environment),
            room=_place(environment, "THINLAB_ROOM"),
            tls=_one_of(environment, "THINLAB_TLS", "auto", "own", "acme", "off"),
            tls_cert=path("TLS_CERT"),
            tls_key=path("TLS_KEY"),
            acme_directory=environment.get("THINLAB_ACME_DIRECTORY") or LETS_ENCRYPT,
            acme_mail=environment.get("THINLAB_ACME_MAIL") or None,
            acme_port=_port(environment, "THINLAB_ACME_PORT", 80),
            presenter=environment.get("THINLAB_PRESENTER_TOKEN") or None,
            scheduler=environment.get("THINLAB_DASK_SCHEDULER") or None,
            trusted_proxies=_networks(environment, "THINLAB_TRUSTED_PROXIES"),
            host_wait_limit_ms=_milliseconds(
                environment, "THINLAB_HOST_WAIT_LIMIT_MS", HOST_WAIT_LIMIT_MS
            ),
            certificates=path("CERTIFICATES"),
            plain=_one_of(environment, "THINLAB_PLAIN", "off", "on") == "on",
            predictions=_one_of(environment, "THINLAB_PREDICTIONS", "on", "off") == "on",
            metrics=environment.get("THINLAB_METRICS") or None,
            listening=_one_of(environment, "THINLAB_LISTENING", "on", "off") == "on",
        )

    def need_database(self) -> str:
        """The database's address. Raises `SettingError`."""
        if self.database_url is None:
            raise SettingError(
                "THINLAB_DATABASE_URL is not set; `thinlab run` brings its own database"
            )
        return self.database_url

    def need_lab(self) -> None:
        """Raises `SettingError` where nobody is named who could record."""
        if self.lab is None and self.scheduler is None:
            raise SettingError(
                "THINLAB_LAB is not set; give the address of a lab-agent, or set "
                "THINLAB_DASK_SCHEDULER to that of a Dask scheduler whose workers have one each"
            )

    def need(self, name: str) -> Path:
        """A path that must be there. Raises `SettingError`."""
        path: Path | None = getattr(self, name)
        variable = f"THINLAB_{name.upper()}"
        if path is None:
            raise SettingError(f"{variable} is not set; `make run` sets it")
        if not path.exists():
            raise SettingError(f"{variable}: {path} does not exist; `make build` makes it")
        return path


def _words(value: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", value) if word]


def _milliseconds(environment: Mapping[str, str], variable: str, otherwise: float) -> float:
    value = environment.get(variable)
    if not value:
        return otherwise
    try:
        limit_ms = float(value)
    except ValueError:
        limit_ms = 0.0
    if not limit_ms > 0:
        raise SettingError(f"{variable} is {value!r}; give a number of milliseconds above 0")
    return limit_ms


def _port(environment: Mapping[str, str], variable: str, otherwise: int) -> int:
    value = environment.get(variable) or str(otherwise)
    if not value.isdecimal() or not 0 < int(value) < PORTS:
        raise SettingError(f"{variable} is {value!r}; give a port, from 1 to {PORTS - 1}")
    return int(value)


def _one_of(environment: Mapping[str, str], variable: str, first: str, *others: str) -> str:
    """A word out of several; the first where nothing is said."""
    value = environment.get(variable) or first
    if value not in {first, *others}:
        said = ", ".join(f"`{one}`" for one in (first, *others[:-1]))
        raise SettingError(f"{variable} is {value!r}; give {said} or `{others[-1]}`")
    return value


def _networks(
    environment: Mapping[str, str], variable: str
) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(word) for word in _words(environment.get(variable, "")))
    except ValueError as error:
        raise SettingError(
            f"{variable}: {error}; give addresses or networks such as 127.0.0.1 or 10.0.0.0/8"
        ) from error


def _place(environment: Mapping[str, str], variable: str) -> tuple[str, int] | None:
    """A host and a port to listen at."""
    value = environment.get(variable)
    if not value:
        return None
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < PORTS:
        raise SettingError(f"{variable} is {value!r}; give host and port, such as 0.0.0.0:8443")
    return host.strip("[]"), int(port)


def _origin(environment: Mapping[str, str]) -> Origin | None:
    if environment.get("THINLAB_PUBLIC_ADDRESS"):
        raise SettingError("THINLAB_PUBLIC_ADDRESS is called THINLAB_PUBLIC_ORIGIN now")
    text = environment.get("THINLAB_PUBLIC_ORIGIN")
    try:
        return Origin.parse(text) if text else None
    except OriginError as error:
        raise SettingError(
            f"THINLAB_PUBLIC_ORIGIN: {error}; give it as browsers show it: https://lab.example"
        ) from error


def _default_data(environment: Mapping[str, str]) -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/thinlab")
    home = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "thinlab"


def _default_cache(environment: Mapping[str, str]) -> Path:
    if os.geteuid() == 0:
        return Path("/var/cache/thinlab")
    home = environment.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "thinlab"
