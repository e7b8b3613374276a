"""Debian's nginx with frontend/nginx's configuration, on loopback, before a made-up backend.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import re
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SETUP = Path(__file__).parents[1]
CONFIGURATION = SETUP.parent / "frontend" / "nginx"
READY_S = 60


@dataclass(frozen=True)
class Nginx:
    """A running one."""

    port: int
    folder: Path

    async def ask(self, raw: bytes, source: str = "127.0.0.1") -> bytes:
        """All that comes back on a connection of its own, until it is closed."""
        reader, writer = await self.connect(source)
        writer.write(raw)
        answer = b""
        # It may hang up on what it does not want to read.
        with suppress(ConnectionResetError):
            while piece := await reader.read(65536):
                answer += piece
        writer.close()
        return answer

    async def connect(
        self, source: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from an address of this machine."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))

    def said(self) -> str:
        """Whatever it or a process of it has written anywhere."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return "\n".join(
            path.read_text(errors="replace") for path in files if path.name != "place.conf"
        )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def _configure(folder: Path, port: int, backend_port: int, proxies: str) -> str:
    """The configuration, with every path in a folder of the test's."""
    configuration, pages = folder / "conf", folder / "conf" / "pages"
    shutil.copytree(CONFIGURATION, configuration)
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<!doctype html>page")
    (configuration / "mime.types").write_text("types { text/html html; }")
    (folder / "writes").mkdir()
    said = {
        "LISTEN": f"127.0.0.1:{port}",
        "BACKEND": f"http://127.0.0.1:{backend_port}",
        "THINLAB_TRUSTED_PROXIES": proxies,
    }
    place = subprocess.run(
        CONFIGURATION / "place", env=os.environ | said, stdout=subprocess.PIPE, check=True
    )
    (folder / "writes" / "place.conf").write_bytes(place.stdout)
    text = (configuration / "nginx.conf").read_text()
    text = re.sub(r"(?<= )/tmp(?=/)", str(folder / "writes"), text)
    text = re.sub(r"(?<= )/etc/nginx(?=/)", str(configuration), text)
    # Started by root, its workers would be somebody who may not enter a test's folder.
    user = "user root;\n" if os.geteuid() == 0 else ""
    return user + text.replace(" /usr/share/thinlab/pages", f" {pages}")


@asynccontextmanager
async def running(
    folder: Path,
    backend_port: int,
    changed: Callable[[str], str] = lambda text: text,
    proxies: str = "",
) -> AsyncIterator[Nginx]:
    """An nginx before a backend, with its own files in a folder.

    `changed`: the configuration as a test wants it, such as with lower limits. `proxies`: those
    that are believed.
    """
    finding = await asyncio.create_subprocess_exec(SETUP / "nginx", stdout=asyncio.subprocess.PIPE)
    program, _ = await finding.communicate()
    port = free_port()
    text = changed(_configure(folder, port, backend_port, proxies))
    (folder / "conf" / "nginx.conf").write_text(text)
    with (folder / "writes" / "output").open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(program.decode().strip(), "-e", "stderr", "-c", folder / "conf" / "nginx.conf"),
            *("-g", "daemon off;"),
            stdout=output,
            stderr=output,
        )
    nginx = Nginx(port, folder / "writes")
    try:
        await _listens(process, nginx)
        yield nginx
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _listens(process: asyncio.subprocess.Process, nginx: Nginx) -> None:
    async with asyncio.timeout(READY_S):
        while True:
            assert process.returncode is None, nginx.said()
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", nginx.port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return
