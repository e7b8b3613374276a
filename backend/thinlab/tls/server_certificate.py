"""What the web server shows browsers: its own certificate, or the files that it was given.

SPDX-License-Identifier: Apache-2.0
"""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from thinlab.settings import SettingError


@dataclass(frozen=True)
class ServerCertificate:
    """A certificate, its chain and its key, in files that have been looked at."""

    chain: Path
    key: Path
    fingerprint: str
    """SHA-256 as browsers show it, for people to compare."""
    is_self_made: bool
    """Signed by itself: browsers warn, and people have to let it pass."""
    ends_at: datetime

    def into(self, context: ssl.SSLContext) -> None:
        """For connections from now on; those that are open keep what they have."""
        context.load_cert_chain(self.chain, self.key)

    def context(self) -> ssl.SSLContext:
        """For a server."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        self.into(context)
        return context


def fingerprint_of(certificate: x509.Certificate) -> str:
    """SHA-256 in pairs, as browsers show it."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def given(chain: Path, key: Path) -> ServerCertificate:
    """The user's files. Raises `SettingError` for what browsers or we could not take."""
    certificate = _first_certificate("THINLAB_TLS_CERT", chain)
    _check_key(key, certificate, chain)
    now = datetime.now(UTC)
    if now >= certificate.not_valid_after_utc:
        raise SettingError(
            f"THINLAB_TLS_CERT: {chain} ended on {certificate.not_valid_after_utc:%Y-%m-%d}; "
            "renew it, or leave the setting out for a certificate of Thinlab's own making"
        )
    if now < certificate.not_valid_before_utc:
        raise SettingError(
            f"THINLAB_TLS_CERT: {chain} holds from {certificate.not_valid_before_utc:%Y-%m-%d} "
            "only; is this machine's clock right?"
        )
    return ServerCertificate(
        chain,
        key,
        fingerprint_of(certificate),
        is_self_made=certificate.issuer == certificate.subject,
        ends_at=certificate.not_valid_after_utc,
    )


def _first_certificate(setting: str, path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(_content(setting, path))[0]
    except (ValueError, IndexError) as error:
        raise SettingError(
            f"{setting}: {path} contains no certificate; give a PEM file, which begins with "
            "-----BEGIN CERTIFICATE-----, with the chain after it"
        ) from error


def _check_key(path: Path, certificate: x509.Certificate, chain: Path) -> None:
    setting = "THINLAB_TLS_KEY"
    try:
        key = load_pem_private_key(_content(setting, path), None)
    except TypeError as error:
        raise SettingError(
            f"{setting}: {path} is encrypted, and nobody can enter its password at a start; "
            "give a key without one, in a file that only Thinlab's user may read"
        ) from error
    except ValueError as error:
        raise SettingError(
            f"{setting}: {path} contains no private key; give a PEM file, which begins with "
            "-----BEGIN PRIVATE KEY-----"
        ) from error
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if key.public_key().public_bytes(*form) != certificate.public_key().public_bytes(*form):
        raise SettingError(
            f"{setting}: {path} is not the key of the certificate in {chain}; the certificate that "
            "was made with this key has to come first in that file"
        )


def _content(setting: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingError(
            f"{setting}: {path} cannot be read ({error.strerror}); give Thinlab's user the right "
            "to, or another path"
        ) from error
