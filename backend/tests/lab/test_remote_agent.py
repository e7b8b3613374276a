"""An agent of another machine: it works for us by certificates, and each fault has its words.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest
from grpc import aio

from tests.live.real_agent import NEEDED
from tests.running.thinlab_process import PATIENCE_S, free_port
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import lab_pb2_grpc as rpc
from thinlab.lab.agent import Agent, AgentAwayError, one_flow
from thinlab.lab.greeting import why_silent
from thinlab.lab.live_hosts import LiveHosts
from thinlab.lab.worker import WorkerError, describe_host
from thinlab.settings import SettingError
from thinlab.tls.authority import AUTHORITY, CERTIFICATE, KEY, make_for
from thinlab.tls.trust import Papers, Trust

LONG_AGO = datetime.now(UTC) - timedelta(days=2000)


@contextmanager
def agent_with(certificates: Path) -> Iterator[int]:
    """The real agent in virtual time; its port."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    assert not missing, f"{', '.join(missing)}: not set; `make test` builds the parts and sets them"
    port = free_port()
    process = subprocess.Popen(
        [
            os.environ["THINLAB_AGENT"],
            *("boot", "--listen", f"tls://127.0.0.1:{port}"),
            *("--certificates", str(certificates)),
            *("--kernel", os.environ["THINLAB_KERNEL"], "--guest", os.environ["THINLAB_GUEST"]),
        ],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().decode().strip() == f"tls://127.0.0.1:{port}"
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation's authority."""
    return tmp_path_factory.mktemp("ours")


@pytest.fixture(scope="module")
def mine(ours: Path) -> Path:
    """What the server has of it."""
    return make_for(ours, "server")


@pytest.fixture(scope="module")
def port(ours: Path) -> Iterator[int]:
    """Of the agent, which is called localhost and by its number."""
    with agent_with(make_for(ours, "localhost")) as port:
        yield port


@asynccontextmanager
async def asking(address: str, trust: Trust) -> AsyncIterator[Agent]:
    agent = Agent(address, trust)
    try:
        yield agent
    finally:
        await agent.close()


async def why_not(address: str, trust: Trust) -> str:
    """What whoever set this up is told."""
    async with asking(address, trust) as agent:
        with pytest.raises(AgentAwayError) as caught:
            await agent.describe()
    return str(caught.value)


def thin_session() -> pb.SessionSpec:
    path = pb.Path(delay_us=65_000)
    lane = pb.LaneSpec(forward=path, backward=path, baseline=pb.BASELINE_NEWRENO2008, seed=7)
    stream = pb.SyntheticStream(payload_bytes=120, iat_us=140_000, messages=20)
    return one_flow(lane, pb.Stream(synthetic=stream))


@pytest.mark.alone
async def test_a_session_runs_for_who_is_known(port: int, mine: Path) -> None:
    async with asking(f"tls://localhost:{port}", Trust(mine)) as agent:
        assert (await agent.describe()).kernel_release
        result, files = await agent.answer(thin_session(), lambda _: None)
    assert result.stream_ns > 0
    assert files[pb.FILE_KIND_SENDER_CAPTURE]


@pytest.mark.alone
async def test_who_shows_no_certificate_gets_nothing(port: int, mine: Path) -> None:
    authority = (mine / AUTHORITY).read_bytes()
    nothing = grpc.ssl_channel_credentials(authority)
    for channel in (
        aio.secure_channel(f"localhost:{port}", nothing),
        aio.insecure_channel(f"localhost:{port}"),
    ):
        lab = rpc.LabStub(channel)
        with pytest.raises(aio.AioRpcError) as caught:
            await lab.Describe(pb.DescribeRequest(), timeout=PATIENCE_S)
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
        await channel.close()


@pytest.mark.alone
async def test_what_is_wrong_between_two_machines_is_told(
    port: int, ours: Path, mine: Path, tmp_path: Path
) -> None:
    known, by_name = Trust(mine), f"tls://localhost:{port}"
    others = make_for(tmp_path / "others", "server")
    said = await why_not(by_name, Trust(others))
    assert "its certificate is of another authority" in said
    # One who knows the agent's authority, and is not known to it.
    (others / AUTHORITY).write_bytes((mine / AUTHORITY).read_bytes())
    said = await why_not(by_name, Trust(others))
    assert "it does not know our certificate's authority" in said
    said = await why_not(f"tls://127.0.0.1:{port}", known)
    assert "of another name than 127.0.0.1" in said
    late = make_for(ours, "late", LONG_AGO)
    said = await why_not(by_name, Trust(late))
    assert "this machine's certificate has ended" in said
    said = await why_not(f"localhost:{port}", known)
    assert f"it wants certificates; its address is tls://localhost:{port}" in said
    said = await why_not(f"tls://localhost:{free_port()}", known)
    assert "nothing listens there" in said
    hosts = LiveHosts([by_name], Trust(make_for(tmp_path / "third", "server")))
    await hosts.look()
    assert "its certificate is of another authority" in (hosts.problem or "")
    await hosts.close()


@pytest.mark.alone
async def test_an_agents_own_faults_are_told(ours: Path, mine: Path) -> None:
    with agent_with(make_for(ours, "127.0.0.1", LONG_AGO)) as port:
        said = await why_not(f"tls://127.0.0.1:{port}", Trust(mine))
        assert "its certificate has ended" in said


async def test_one_that_does_not_encrypt_is_told_so(mine: Path) -> None:
    server = aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    said = await why_not(f"tls://127.0.0.1:{port}", Trust(mine))
    assert "it does not encrypt; start it with --listen tls://" in said
    await server.stop(None)


async def test_one_that_keeps_silent_is_given_up(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinlab.lab.greeting.PATIENCE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        papers = Papers.of(mine)
        for way in (papers, None):
            said = await why_silent(address, way)
            assert "nothing answers there" in (said or "")


def test_other_machines_are_not_spoken_to_in_clear(mine: Path, tmp_path: Path) -> None:
    for address in ("192.0.2.7:7000", "lab2.example:7000", "[2001:db8::1]:7000", "dns:///lab2:7"):
        with pytest.raises(SettingError, match="without encryption"):
            LiveHosts([address], Trust(mine))
        LiveHosts([address], Trust(plain=True))
    LiveHosts(["unix:/run/lab.sock", "127.0.0.1:7000", "localhost:7000", "[::1]:7000"])
    with pytest.raises(SettingError, match="THINLAB_CERTIFICATES is not set"):
        LiveHosts(["tls://lab2.example:7000"])
    with pytest.raises(SettingError, match=r"authority\.pem does not exist"):
        LiveHosts(["tls://lab2.example:7000"], Trust(tmp_path))
    for name in (AUTHORITY, CERTIFICATE, KEY):
        (tmp_path / name).write_bytes((mine / name).read_bytes())
    (tmp_path / KEY).write_bytes((make_for(tmp_path / "others", "server") / KEY).read_bytes())
    with pytest.raises(SettingError, match="will not do"):
        LiveHosts(["tls://lab2.example:7000"], Trust(tmp_path))


async def test_a_worker_says_whose_certificates_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("THINLAB_CERTIFICATES", raising=False)
    with pytest.raises(WorkerError, match=r"THINLAB_CERTIFICATES is not set.*worker is started"):
        await asyncio.to_thread(describe_host, "tls://lab2.example:7000")
