"""A certificate that browsers know, from a real ACME server: Let's Encrypt's own for tests.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
import ssl
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from cryptography import x509

from tests.running.thinlab_process import PATIENCE_S, free_port
from tests.tls.pebble import BLOCKED, Pebble, pebble_in
from thinlab.settings import SettingError, Settings
from thinlab.tls.acme_exchange import AcmeError, obtain
from thinlab.tls.in_use import Telling, certificate_of, keep_up
from thinlab.tls.server_certificate import ServerCertificate, fingerprint_of
from thinlab.tls.vouched_certificate import is_due, place_of, stored

pytestmark = pytest.mark.processes

NAME = "lab.example.org"


@pytest_asyncio.fixture(scope="module")
async def pebble(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pebble]:
    """Who vouches here."""
    async with pebble_in(tmp_path_factory.mktemp("pebble")) as pebble:
        yield pebble


@pytest.fixture
def environment(pebble: Pebble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """As an operator sets it, but for whom to ask."""
    variables = pebble.settings(tmp_path, NAME)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return variables


@pytest.fixture
def settings(environment: dict[str, str]) -> Settings:
    """The same, read."""
    return Settings.read(environment)


async def shown_by(context: ssl.SSLContext) -> x509.Certificate:
    """What a browser would see."""
    server = await asyncio.start_server(lambda _, w: w.close(), "127.0.0.1", 0, ssl=context)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    port = server.sockets[0].getsockname()[1]
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client)
    der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    server.close()
    return x509.load_der_x509_certificate(der)


async def test_a_server_begins_with_its_own_and_shows_the_vouched_one_at_once(
    settings: Settings,
) -> None:
    own = certificate_of(settings)
    assert own is not None
    assert own.is_self_made
    contexts = [own.context(), own.context()]
    seen: asyncio.Queue[ServerCertificate | str] = asyncio.Queue()
    telling = Telling(seen.put_nowait, seen.put_nowait)
    keeping = asyncio.create_task(keep_up(settings, own, contexts, telling))
    newest = await asyncio.wait_for(seen.get(), PATIENCE_S)
    keeping.cancel()
    assert isinstance(newest, ServerCertificate), newest
    assert not newest.is_self_made
    for context in contexts:
        certificate = await shown_by(context)
        assert fingerprint_of(certificate) == newest.fingerprint != own.fingerprint
        told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        assert told.get_values_for_type(x509.DNSName) == [NAME]
    # The next start begins with it.
    assert certificate_of(settings) == newest
    folder = place_of(settings).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


async def test_it_is_renewed_by_the_same_account_when_a_third_of_its_life_is_left(
    settings: Settings,
) -> None:
    assert is_due(settings)
    await asyncio.to_thread(obtain, settings)
    first, account = stored(settings), _account(settings)
    assert first is not None
    now = datetime.now(UTC)
    assert not is_due(settings, now + timedelta(days=59))
    assert is_due(settings, now + timedelta(days=61))
    assert stored(settings, now + timedelta(days=91)) is None
    await asyncio.to_thread(obtain, settings)
    second = stored(settings)
    assert second is not None
    assert second.fingerprint != first.fingerprint
    assert _account(settings) == account


def _account(settings: Settings) -> bytes:
    return place_of(settings).with_name("acme-account.pem").read_bytes()


async def why_not(settings: Settings) -> str:
    with pytest.raises(AcmeError) as caught:
        await asyncio.to_thread(obtain, settings)
    assert stored(settings) is None
    return str(caught.value)


async def test_why_there_is_none_is_told(settings: Settings) -> None:
    elsewhere = replace(settings, acme_port=free_port())
    said = await why_not(elsewhere)
    assert "connection refused" in said.lower()
    assert f"http://{NAME}:80 has to lead here, to port {elsewhere.acme_port}" in said
    nowhere = replace(settings, acme_directory=f"https://127.0.0.1:{free_port()}/dir")
    assert "cannot be asked" in await why_not(nowhere)
    with socket.create_server(("", settings.acme_port)):
        said = await why_not(settings)
        assert f"port {settings.acme_port} cannot be opened (Address already in use)" in said
    assert settings.public_origin is not None
    blocked = replace(settings, public_origin=replace(settings.public_origin, host=BLOCKED))
    said = await why_not(blocked)
    assert f"{settings.acme_directory} says: " in said


async def test_files_that_are_not_there_are_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere.pem")
    assert "cannot be asked: Could not find" in await why_not(settings)


async def test_without_one_the_server_goes_on_with_its_own_and_says_so(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THINLAB_ACME_PORT", str(free_port()))
    settings = Settings.read(environment)
    own = certificate_of(settings)
    assert own is not None
    context = own.context()
    troubles: asyncio.Queue[str] = asyncio.Queue()
    telling = Telling(lambda _: pytest.fail("another was shown"), troubles.put_nowait)
    keeping = asyncio.create_task(keep_up(settings, own, [context], telling))
    assert "has to lead here" in await asyncio.wait_for(troubles.get(), PATIENCE_S)
    assert fingerprint_of(await shown_by(context)) == own.fingerprint
    keeping.cancel()


@pytest.mark.parametrize("origin", ["", "https://192.0.2.7", "https://lab.local", "http://" + NAME])
def test_only_a_name_can_be_vouched_for(tmp_path: Path, origin: str) -> None:
    asked = {"THINLAB_TLS": "acme", "THINLAB_DATA": str(tmp_path), "THINLAB_PUBLIC_ORIGIN": origin}
    with pytest.raises(SettingError, match="needs the name"):
        certificate_of(Settings.read(asked))
