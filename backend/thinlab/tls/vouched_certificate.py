"""A certificate that browsers know, for a name of one's own: where it is kept, when it is due.

Whoever vouches for names gives it by ACME (RFC 8555): `acme_exchange.py`, in a process of its own.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509

from thinlab.settings import SettingError, Settings
from thinlab.tls.server_certificate import ServerCertificate, fingerprint_of

# Of its life, which is anything between six days and ninety.
RENEWED_WITH_LEFT_SHARE = 1 / 3


def name_of(settings: Settings) -> str:
    """What others find this server by. Raises `SettingError`."""
    origin = settings.public_origin
    if origin is None or not origin.is_secure or not origin.is_public_name:
        raise SettingError(
            "THINLAB_TLS=acme needs the name that others find this server by: "
            "THINLAB_PUBLIC_ORIGIN=https://lab.example.org, or make run HOST=lab.example.org"
        )
    return origin.host


def place_of(settings: Settings) -> Path:
    """Its file: key, certificate, chain. Raises `SettingError`."""
    return settings.data / "tls" / f"acme-{name_of(settings)}.pem"


def stored(settings: Settings, now: datetime | None = None) -> ServerCertificate | None:
    """The one that is kept, while it holds. Raises `SettingError`."""
    certificate = _holding(settings, now or datetime.now(UTC))
    if certificate is None:
        return None
    path = place_of(settings)
    return ServerCertificate(
        chain=path,
        key=path,
        fingerprint=fingerprint_of(certificate),
        is_self_made=False,
        ends_at=_end(certificate),
    )


def is_due(settings: Settings, now: datetime | None = None) -> bool:
    """Whether another is to be asked for. Raises `SettingError`."""
    now = now or datetime.now(UTC)
    certificate = _holding(settings, now)
    if certificate is None:
        return True
    life = _end(certificate) - certificate.not_valid_before_utc
    return _end(certificate) - now < life * RENEWED_WITH_LEFT_SHARE


def _holding(settings: Settings, now: datetime) -> x509.Certificate | None:
    try:
        certificate = x509.load_pem_x509_certificates(place_of(settings).read_bytes())[0]
    except (FileNotFoundError, ValueError):
        return None
    return certificate if certificate.not_valid_before_utc <= now < _end(certificate) else None


def _end(certificate: x509.Certificate) -> datetime:
    return certificate.not_valid_after_utc
