"""Workers of this machine: whoever else has an account on it gives them no work.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import dask
import psutil
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import load_pem_x509_certificate
from distributed import Client

from tests.live.page import PATIENCE_S
from tests.tls.test_between_machines import security_of
from thinlab.lab.team import Workers, dask_client
from thinlab.tls.authority import issue_once, make_for

pytestmark = pytest.mark.processes


def ports_of_ours() -> set[int]:
    """What this process and those that it has started listen at."""
    found: set[int] = set()
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        # One of an earlier test's may end between being listed and being looked at.
        with suppress(psutil.NoSuchProcess):
            found |= {
                connection.laddr.port
                for connection in process.net_connections("tcp")
                if connection.status == psutil.CONN_LISTEN
            }
    return found


def secrets_in(folder: Path) -> list[Path]:
    """Keys, however deep."""
    return [path for path in folder.rglob("*") if path.suffix == ".pem"]


@pytest_asyncio.fixture
async def client() -> AsyncIterator[Client]:
    """Of a worker of this machine."""
    async with dask_client(Workers(lab=None, count=1)) as client:
        yield client


async def test_work_is_done_beside_us(client: Client) -> None:
    assert await client.submit(os.getppid) == os.getpid()


async def test_who_has_no_certificate_of_theirs_gives_no_work(
    client: Client, tmp_path: Path
) -> None:
    port = client.scheduler_info()["address"].rpartition(":")[2]
    stranger = security_of(make_for(tmp_path, "127.0.0.1"))
    for protocol, security in (("tcp", None), ("tls", stranger)):
        address = f"{protocol}://127.0.0.1:{port}"
        with (
            dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
            pytest.raises(OSError, match=r"."),
        ):
            async with Client(address, security=security, asynchronous=True):
                pass
    assert await client.submit(sum, [1, 2, 3]) == 6


async def test_every_port_speaks_tls_and_to_its_own_alone() -> None:
    anybody = ssl.create_default_context()
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE
    before = ports_of_ours()
    async with dask_client(Workers(lab=None, count=1)) as client:
        ports = ports_of_ours() - before
        # The scheduler's, the worker's, and that of who starts the worker again; no pages.
        assert len(ports) == 3
        for port in ports:
            async with asyncio.timeout(PATIENCE_S):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=anybody)
                with pytest.raises(ssl.SSLError, match="CERTIFICATE_REQUIRED"):
                    await reader.read()
            writer.close()
        assert await client.submit(sum, [1, 2, 3]) == 6


async def test_their_keys_are_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with dask_client(Workers(lab=None, count=1)):
        assert secrets_in(tmp_path) == []


def test_certificates_for_once_need_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever is killed between making a folder and removing it leaves it.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    issued = issue_once("127.0.0.1")
    assert (
        load_pem_x509_certificate(issued.certificate).public_key()
        == load_pem_private_key(issued.key, None).public_key()
    )
