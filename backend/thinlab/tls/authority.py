"""An authority of one's own, by which parts of Thinlab on several machines know each other.

It vouches for nobody but those parts, and nobody else vouches for them: whoever has no
certificate of it neither gives work nor gets any.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from thinlab.settings import SettingError
from thinlab.tls.own_certificate import (
    Key,
    blank_certificate,
    for_hosts,
    in_pem,
    write_secret,
)

AUTHORITY, CERTIFICATE, KEY = "authority.pem", "certificate.pem", "key.pem"
AUTHORITY_KEY = "authority-key.pem"
AUTHORITY_LIFE, PART_LIFE = timedelta(days=3650), timedelta(days=825)
PARTS = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)


@dataclass(frozen=True)
class Issued:
    """What a machine shows, and by what it judges what it is shown; all in PEM."""

    authority: bytes
    certificate: bytes
    key: bytes


def make_for(folder: Path, machine: str, now: datetime | None = None) -> Path:
    """What a machine needs, in a folder of its name; the authority is made with the first."""
    if not machine or "/" in machine or machine.startswith("."):
        raise SettingError(f"{machine!r} names no machine; give the name by which others find it")
    issued = _issue(*_authority(folder), machine, now or datetime.now(UTC))
    theirs = folder / machine
    write_secret(theirs / AUTHORITY, issued.authority)
    write_secret(theirs / CERTIFICATE, issued.certificate)
    write_secret(theirs / KEY, issued.key)
    return theirs


def issue_once(machine: str) -> Issued:
    """By an authority that is forgotten at once, and without a file that a kill could leave."""
    return _issue(*_new_authority(), machine, datetime.now(UTC))


def _issue(key: Key, authority: x509.Certificate, machine: str, now: datetime) -> Issued:
    own_key = ec.generate_private_key(ec.SECP256R1())
    blank = blank_certificate(authority.subject, _name(machine), own_key, now, PART_LIFE)
    certificate = for_hosts(blank, [machine], PARTS).sign(key, hashes.SHA256())
    return Issued(
        authority.public_bytes(Encoding.PEM),
        certificate.public_bytes(Encoding.PEM),
        in_pem(own_key),
    )


def _authority(folder: Path) -> tuple[Key, x509.Certificate]:
    key_file, file = folder / AUTHORITY_KEY, folder / AUTHORITY
    try:
        key = load_pem_private_key(key_file.read_bytes(), None)
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
    except FileNotFoundError:
        key, certificate = _new_authority()
        write_secret(key_file, in_pem(key))
        write_secret(file, certificate.public_bytes(Encoding.PEM))
        return key, certificate
    except ValueError as error:
        raise SettingError(f"{folder}: the authority there cannot be read: {error}") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SettingError(f"{key_file} is not a key that Thinlab made; choose another folder")
    return key, certificate


def _new_authority() -> tuple[Key, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Thinlab's parts")
    blank = blank_certificate(name, name, key, datetime.now(UTC), AUTHORITY_LIFE)
    signs = blank.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    return key, signs.sign(key, hashes.SHA256())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])
