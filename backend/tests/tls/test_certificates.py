"""Certificates of the server's own making, and what is said of files that will not do.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import ssl
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from thinlab.settings import SettingError, Settings
from thinlab.tls import own_certificate
from thinlab.tls.in_use import Telling, certificate_of, keep_up, settled
from thinlab.tls.own_certificate import kept
from thinlab.tls.server_certificate import ServerCertificate, fingerprint_of

pytestmark = pytest.mark.processes

HOSTS = ("lab.example", "192.0.2.7", "::1")
NOW = datetime(2026, 11, 23, tzinfo=UTC)


def names(path: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {
        *told.get_values_for_type(x509.DNSName),
        *(str(one) for one in told.get_values_for_type(x509.IPAddress)),
    }


def test_it_is_kept_for_its_owner_alone_and_not_made_twice(tmp_path: Path) -> None:
    folder = tmp_path / "tls"
    first = kept(folder, HOSTS, NOW)
    assert first.is_self_made
    assert names(first.chain) == set(HOSTS)
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == ["own.pem"]
    assert kept(folder, HOSTS, NOW + timedelta(days=300)) == first
    assert kept(folder, HOSTS[:2], NOW).fingerprint == first.fingerprint


def test_it_is_made_anew_before_it_ends_and_for_a_new_address(tmp_path: Path) -> None:
    first = kept(tmp_path, HOSTS, NOW)
    moved = kept(tmp_path, (*HOSTS, "198.51.100.9"), NOW)
    assert moved.fingerprint != first.fingerprint
    assert "198.51.100.9" in names(moved.chain)
    later = kept(tmp_path, HOSTS, NOW + timedelta(days=336))
    assert later.fingerprint != moved.fingerprint
    assert later.ends_at > NOW + timedelta(days=700)
    (tmp_path / "own.pem").write_text("a disk was full")
    assert kept(tmp_path, HOSTS, NOW).fingerprint != later.fingerprint


def test_it_tells_this_machines_names_and_addresses() -> None:
    hosts = own_certificate.hosts_of_this_machine("lab.example")
    assert {"lab.example", "localhost", "127.0.0.1", "::1"} <= set(hosts)
    assert len(hosts) == len(set(hosts))


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files as people have them, good ones and bad ones, by another program."""
    folder = tmp_path_factory.mktemp("files")
    new = ("req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=lab.example")
    openssl(folder, *new, "-keyout", "key.pem", "-out", "good.pem", "-days", "30")
    openssl(folder, *new, "-keyout", "other-key.pem", "-out", "other.pem", "-days", "30")
    encrypted = ("-aes256", "-passout", "pass:secret", "-in", "key.pem", "-out", "locked.pem")
    openssl(folder, "rsa", *encrypted)
    openssl(
        folder, "x509", "-in", "good.pem", "-signkey", "key.pem", "-days", "-1", "-out", "ended.pem"
    )
    (folder / "nonsense.pem").write_text("hello")
    return folder


def settings(folder: Path, cert: str | None, key: str | None, tls: str = "auto") -> Settings:
    environment = {"THINLAB_TLS": tls, "THINLAB_DATA": str(folder)}
    if cert:
        environment["THINLAB_TLS_CERT"] = str(folder / cert)
    if key:
        environment["THINLAB_TLS_KEY"] = str(folder / key)
    return Settings.read(environment)


@pytest.mark.parametrize(
    ("cert", "key", "fault"),
    [
        ("absent.pem", "key.pem", r"THINLAB_TLS_CERT: .*absent\.pem cannot be read \(No such"),
        ("good.pem", "absent.pem", r"THINLAB_TLS_KEY: .*absent\.pem cannot be read \(No such"),
        ("nonsense.pem", "key.pem", r"THINLAB_TLS_CERT: .*contains no certificate"),
        ("good.pem", "nonsense.pem", r"THINLAB_TLS_KEY: .*contains no private key"),
        ("good.pem", "other-key.pem", r"other-key\.pem is not the key of the certificate in"),
        ("good.pem", "locked.pem", r"locked\.pem is encrypted"),
        ("ended.pem", "key.pem", r"ended\.pem ended on \d{4}-\d\d-\d\d; renew it"),
        ("good.pem", None, r"THINLAB_TLS_KEY is not set"),
        (None, "key.pem", r"THINLAB_TLS_CERT is not set"),
    ],
)
def test_a_file_that_will_not_do_is_named_with_the_reason(
    files: Path, cert: str | None, key: str | None, fault: str
) -> None:
    with pytest.raises(SettingError, match=fault):
        certificate_of(settings(files, cert, key))


def test_the_users_files_are_taken(files: Path) -> None:
    found = certificate_of(settings(files, "good.pem", "key.pem"))
    assert found is not None
    assert found.is_self_made
    assert isinstance(found.context(), ssl.SSLContext)
    with pytest.raises(SettingError, match="contradict"):
        certificate_of(settings(files, "good.pem", "key.pem", "off"))


@pytest.mark.parametrize(
    ("host", "tls", "means"),
    [
        ("127.0.0.1", "auto", "off"),
        ("localhost", "auto", "off"),
        ("0.0.0.0", "auto", "own"),  # noqa: S104
        ("192.0.2.7", "auto", "own"),
        ("lab.local", "auto", "own"),
        ("lab.example.org", "auto", "acme"),
        ("lab.example.org", "own", "own"),
        ("0.0.0.0", "off", "off"),  # noqa: S104
        ("127.0.0.1", "own", "own"),
    ],
)
def test_on_a_network_nothing_goes_in_clear_unless_asked_for(
    tmp_path: Path, host: str, tls: str, means: str
) -> None:
    assert settled(settings(tmp_path, None, None, tls), host).tls == means


async def test_what_was_renewed_is_shown_without_a_restart(files: Path, tmp_path: Path) -> None:
    for name in ("good.pem", "key.pem"):
        (tmp_path / name).write_bytes((files / name).read_bytes())
    asked = settings(tmp_path, "good.pem", "key.pem")
    first = certificate_of(asked)
    assert first is not None
    context = first.context()

    async def shown() -> str:
        """The fingerprint that a client sees."""
        server = await asyncio.start_server(lambda _, w: w.close(), "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client)
        der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
        server.close()
        return fingerprint_of(x509.load_der_x509_certificate(der))

    seen: asyncio.Queue[ServerCertificate] = asyncio.Queue()
    keeping = asyncio.create_task(
        keep_up(asked, first, [context], Telling(seen.put_nowait, print), pause_s=0.01)
    )
    assert await shown() == first.fingerprint
    # Half of a renewal is passed over; the whole is taken.
    (tmp_path / "good.pem").write_bytes((files / "other.pem").read_bytes())
    (tmp_path / "key.pem").write_bytes((files / "other-key.pem").read_bytes())
    renewed = await asyncio.wait_for(seen.get(), 30)
    assert await shown() == renewed.fingerprint != first.fingerprint
    keeping.cancel()


def test_an_address_stands_as_one(tmp_path: Path) -> None:
    made = kept(tmp_path, ("192.0.2.7",), NOW)
    certificate = x509.load_pem_x509_certificate(made.chain.read_bytes())
    told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert told.get_values_for_type(x509.IPAddress) == [ip_address("192.0.2.7")]
