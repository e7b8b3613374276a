"""Pebble, the ACME server that Let's Encrypt tests clients with, to be asked for certificates.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import socket
import struct
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.running.thinlab_process import PATIENCE_S, free_port
from thinlab.settings import CHECKOUT
from thinlab.tls.authority import AUTHORITY, CERTIFICATE, KEY, make_for

BLOCKED = "blocked.example.org"
QUESTION_AT, ADDRESS_RECORD = 12, 1
NINETY_DAYS_S = 90 * 86_400


@dataclass(frozen=True)
class Pebble:
    """Who vouches here."""

    directory: str
    http_port: int
    """Where it looks for a name's port 80."""
    trusted: Path

    def settings(self, data: Path, name: str) -> dict[str, str]:
        """As an operator sets them, but for whom to ask."""
        return {
            "THINLAB_DATA": str(data),
            "THINLAB_TLS": "acme",
            "THINLAB_PUBLIC_ORIGIN": f"https://{name}",
            "THINLAB_ACME_DIRECTORY": self.directory,
            "THINLAB_ACME_PORT": str(self.http_port),
            "THINLAB_ACME_MAIL": "lab@example.org",
            "REQUESTS_CA_BUNDLE": str(self.trusted),
        }


def _program() -> str:
    """Built once; a machine without Go cannot."""
    made = subprocess.run(
        [CHECKOUT / "setup" / "pebble"], check=False, capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(made.stderr.strip())
    return made.stdout.strip()


@asynccontextmanager
async def pebble_in(folder: Path) -> AsyncIterator[Pebble]:
    """It runs, its files in `folder`."""
    program = await asyncio.to_thread(_program)
    papers = make_for(folder / "parts", "127.0.0.1")
    port, http_port = free_port(), free_port()
    (folder / "config.json").write_text(
        json.dumps(
            {
                "pebble": {
                    "listenAddress": f"127.0.0.1:{port}",
                    "managementListenAddress": f"127.0.0.1:{free_port()}",
                    "certificate": str(papers / CERTIFICATE),
                    "privateKey": str(papers / KEY),
                    "httpPort": http_port,
                    "tlsPort": free_port(),
                    "domainBlocklist": [BLOCKED],
                    "retryAfter": {"authz": 1, "order": 1},
                    "profiles": {
                        "default": {"description": "as usual", "validityPeriod": NINETY_DAYS_S}
                    },
                }
            }
        )
    )
    names = await asyncio.start_server(_know_every_name, "127.0.0.1", 0)
    names_port = names.sockets[0].getsockname()[1]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, "-config", folder / "config.json", "-dnsserver", f"127.0.0.1:{names_port}"],
            # A client has to ask again (RFC 8555, section 6.5); the library does so once.
            env=os.environ | {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "50"},
            stdout=log,
            stderr=log,
        )
    try:
        await _listens(process, port)
        yield Pebble(f"https://127.0.0.1:{port}/dir", http_port, papers / AUTHORITY)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        names.close()


async def _listens(process: "subprocess.Popen[bytes]", port: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            assert process.poll() is None, "Pebble ended"
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.05)


async def _know_every_name(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers questions to DNS, over TCP as Pebble asks: each name is this machine's."""
    with suppress(asyncio.IncompleteReadError):
        while True:
            (length,) = struct.unpack("!H", await reader.readexactly(2))
            asked = await reader.readexactly(length)
            end = asked.index(0, QUESTION_AT) + 5
            (kind,) = struct.unpack_from("!H", asked, end - 4)
            found = kind == ADDRESS_RECORD
            head = asked[:2] + struct.pack("!HHHHH", 0x8180, 1, found, 0, 0)
            record = struct.pack("!HHHIH", 0xC00C, 1, 1, 1, 4) + socket.inet_aton("127.0.0.1")
            answer = head + asked[QUESTION_AT:end] + (record if found else b"")
            writer.write(struct.pack("!H", len(answer)) + answer)
    writer.close()
