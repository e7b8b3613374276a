"""Where things are: read from the environment once, at the edge.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


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
    manifest: Path
    clips: Path | None
    pages: Path | None
    agent: Path | None
    kernel: Path | None
    guest: Path | None
    terminal: Path | None
    """What a terminal runs: OpenSSH and editors."""
    database_url: str | None
    """Another PostgreSQL than the embedded one."""
    lab: str | None
    """Address of an agent that is running already."""
    live_lab: tuple[str, ...]
    """Addresses of agents in real time that are running already; typing sessions are theirs."""
    public_address: str | None
    """Where browsers find the server; none: where they ask."""
    presenter: str | None
    """The presenter's token, from `thinlab run` to the web server that it starts."""
    scheduler: str | None
    """Address of a Dask scheduler whose workers make the recordings; none: this machine does."""
    predictions: bool
    """Whether the quality of recordings is predicted, which takes longer than recording."""

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
            manifest=path("MANIFEST") or CHECKOUT / "clips" / "manifest.yaml",
            clips=path("CLIPS"),
            pages=path("PAGES"),
            agent=path("AGENT"),
            kernel=path("KERNEL"),
            guest=path("GUEST"),
            terminal=path("TERMINAL"),
            database_url=environment.get("THINLAB_DATABASE_URL") or None,
            lab=environment.get("THINLAB_LAB") or None,
            live_lab=tuple(_words(environment.get("THINLAB_LIVE_LAB", ""))),
            public_address=environment.get("THINLAB_PUBLIC_ADDRESS") or None,
            presenter=environment.get("THINLAB_PRESENTER_TOKEN") or None,
            scheduler=environment.get("THINLAB_DASK_SCHEDULER") or None,
            predictions=_switch(environment, "THINLAB_PREDICTIONS"),
        )

    def need(self, name: str) -> Path:
        """A path that must be there. Raises `SettingError`."""
        path: Path | None = getattr(self, name)
        variable = f"THINLAB_{name.upper()}"
        if path is None:
            raise SettingError(f"{variable} is not set; `make run` sets it")
        if not path.exists():
            raise SettingError(f"{variable}: {path} is not there; `make build` makes it")
        return path


def _words(value: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", value) if word]


def _switch(environment: Mapping[str, str], variable: str) -> bool:
    value = environment.get(variable) or "on"
    if value not in {"on", "off"}:
        raise SettingError(f"{variable} is {value!r}; say `on` or `off`")
    return value == "on"


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
