"""Which certificate the web server shows, and that it shows the newest.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import ssl
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from thinlab.origin import Origin, is_loopback
from thinlab.pdeathsig import dying_with_us
from thinlab.settings import SettingError, Settings
from thinlab.tls import vouched_certificate
from thinlab.tls.own_certificate import hosts_of_this_machine, kept
from thinlab.tls.server_certificate import ServerCertificate, given

log = logging.getLogger(__name__)

LOOK_PAUSE_S = 3600.0
OBTAIN = (sys.executable, "-m", "thinlab", "obtain-certificate")


@dataclass(frozen=True)
class Telling:
    """What whoever started the server is told."""

    shown: Callable[[ServerCertificate], None]
    """Another certificate is shown from now on."""
    trouble: Callable[[str], None]
    """There is none that browsers know, and why."""


def settled(settings: Settings, host: str) -> Settings:
    """With what `auto` means for a server that listens there: on a network it encrypts."""
    if settings.tls != "auto" or settings.tls_cert is not None or settings.tls_key is not None:
        return settings
    public = settings.public_origin
    if Origin("https", host, 1).is_public_name and (public is None or public.host == host):
        return replace(settings, tls="acme")
    return replace(settings, tls="off" if is_loopback(host) else "own")


def certificate_of(settings: Settings) -> ServerCertificate | None:
    """What the settings name; none: the server speaks plainly. Raises `SettingError`."""
    chain, key = settings.tls_cert, settings.tls_key
    if chain is not None and key is not None:
        if settings.tls != "auto":
            raise SettingError(
                f"THINLAB_TLS={settings.tls} and THINLAB_TLS_CERT contradict each other; "
                "leave one of them out"
            )
        return given(chain, key)
    if chain is not None or key is not None:
        missing = "THINLAB_TLS_KEY" if key is None else "THINLAB_TLS_CERT"
        raise SettingError(f"{missing} is not set; a certificate and its key go together")
    if settings.tls == "acme" and (vouched := vouched_certificate.stored(settings)) is not None:
        return vouched
    # Until there is one that browsers know, our own is better than none.
    if settings.tls not in {"own", "acme"}:
        return None
    public = settings.public_origin
    hosts = hosts_of_this_machine(*([public.host] if public is not None else []))
    return kept(settings.data / "tls", hosts)


async def keep_up(
    settings: Settings,
    shown: ServerCertificate,
    contexts: Sequence[ssl.SSLContext],
    telling: Telling,
    pause_s: float = LOOK_PAUSE_S,
) -> None:
    """Shows, every hour, what has been renewed; until cancelled."""
    while True:
        try:
            await _ask_for_one(settings, telling)
            newest = await asyncio.to_thread(certificate_of, settings)
            if newest is not None and newest.fingerprint != shown.fingerprint:
                for context in contexts:
                    newest.into(context)
                shown = newest
                telling.shown(newest)
        except (SettingError, OSError) as error:
            # What is shown goes on being shown: it may hold for a while yet.
            log.warning("the certificate was not renewed: %s", error)
        await asyncio.sleep(pause_s)


async def _ask_for_one(settings: Settings, telling: Telling) -> None:
    """Where browsers shall know it, and it is due."""
    if settings.tls != "acme" or not vouched_certificate.is_due(settings):
        return
    # In a process that ends: what it needs is large, and it takes its time.
    process = await asyncio.create_subprocess_exec(
        *dying_with_us(),
        *OBTAIN,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = said.decode(errors="replace").strip().splitlines()
        words = lines[-1] if lines else f"it ended with {process.returncode}"
        log.warning("no certificate for %s: %s", vouched_certificate.name_of(settings), words)
        telling.trouble(words)
