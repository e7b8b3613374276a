"""A certificate of the server's own making, for a room without a name that others vouch for.

Nobody has signed it: a browser warns once, and people compare the fingerprint that is
printed at start with what the browser shows. It is kept, so that they need to only once, and
made anew before it ends or when the machine has got an address that it does not tell.

SPDX-License-Identifier: Apache-2.0
"""

import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from thinlab.machine import own_addresses, own_names
from thinlab.origin import is_address
from thinlab.tls.server_certificate import ServerCertificate, fingerprint_of

# Telephones refuse what holds for longer than 825 days.
LIFE = timedelta(days=365)
RENEWED_BEFORE = timedelta(days=30)
# Whose clock is a little behind takes it all the same.
HELD_SINCE = timedelta(days=1)
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Key = ec.EllipticCurvePrivateKey


def hosts_of_this_machine(*more: str) -> tuple[str, ...]:
    """By what names and addresses people may come; `more`: what else was configured."""
    addresses = [str(one) for one in own_addresses()]
    return tuple(dict.fromkeys([*more, *own_names(), *LOOPBACK, *addresses]))


def kept(folder: Path, hosts: Sequence[str], now: datetime | None = None) -> ServerCertificate:
    """The certificate in this folder, made anew where that is due."""
    path = folder / "own.pem"
    certificate = _stored(path)
    now = now or datetime.now(UTC)
    if certificate is None or _is_due(certificate, hosts, now):
        certificate = _make(path, hosts, now)
    return ServerCertificate(
        chain=path,
        key=path,
        fingerprint=fingerprint_of(certificate),
        is_self_made=True,
        ends_at=certificate.not_valid_after_utc,
    )


def _stored(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _is_due(certificate: x509.Certificate, hosts: Sequence[str], now: datetime) -> bool:
    told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(one) for one in told.get_values_for_type(x509.DNSName)}
    known |= {str(one) for one in told.get_values_for_type(x509.IPAddress)}
    return not known.issuperset(hosts) or now >= certificate.not_valid_after_utc - RENEWED_BEFORE


def _make(path: Path, hosts: Sequence[str], now: datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _signed(key, hosts, now)
    write_secret(path, in_pem(key) + certificate.public_bytes(Encoding.PEM))
    return certificate


def _signed(key: Key, hosts: Sequence[str], now: datetime) -> x509.Certificate:
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Thinlab, made by this server itself"),
            x509.NameAttribute(NameOID.COMMON_NAME, hosts[0][:64]),
        ]
    )
    # What one certificate signs is itself: no authority that anybody should trust in general.
    blank = blank_certificate(name, name, key, now, LIFE)
    may = for_hosts(blank, hosts, [ExtendedKeyUsageOID.SERVER_AUTH])
    return may.sign(key, hashes.SHA256())


def blank_certificate(
    issuer: x509.Name, subject: x509.Name, key: Key, now: datetime, life: timedelta
) -> x509.CertificateBuilder:
    """A certificate of this key that holds from now on, and says nothing yet of what it is for."""
    return (
        x509.CertificateBuilder(issuer_name=issuer, subject_name=subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - HELD_SINCE)
        .not_valid_after(now + life)
    )


def for_hosts(
    blank: x509.CertificateBuilder,
    hosts: Sequence[str],
    usages: Sequence[x509.ObjectIdentifier],
) -> x509.CertificateBuilder:
    """One of a machine with these names and addresses, which signs no other."""
    names = [host_name(one) for one in hosts]
    return (
        blank.add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    )


def host_name(host: str) -> x509.GeneralName:
    """As a certificate tells it."""
    address: IPv4Address | IPv6Address | None = ip_address(host) if is_address(host) else None
    return x509.DNSName(host) if address is None else x509.IPAddress(address)


def in_pem(key: Key) -> bytes:
    """For a file that only its owner may read."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def write_secret(path: Path, content: bytes) -> None:
    """Whole or not at all, and for our own user's eyes only at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Made for its owner alone from the first moment on.
    number, fresh = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise
