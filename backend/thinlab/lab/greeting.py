"""Why an agent does not answer, found out by greeting it once more, slowly.

gRPC says that a connection failed, and in its libraries' words how; whoever set two machines up
wants to know which of them to look at, and what to do there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import ssl
from functools import partial
from urllib.parse import urlsplit

from thinlab.settings import SettingError
from thinlab.tls.trust import Papers

PATIENCE_S = 5.0
HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
TLS_ALERT = b"\x15"
# X509_V_ERR_… of OpenSSL's x509_vfy.h.
NOT_YET, ENDED, OTHER_NAME = 9, 10, {62, 64}
OTHER_AUTHORITY = {2, 7, 18, 19, 20, 21}
REFUSED = {
    "CERTIFICATE_REQUIRED": "it asks for a certificate and did not get ours",
    "UNKNOWN_CA": "it does not know our certificate's authority; make both machines' certificates "
    "in one folder of `thinlab certificates`",
    "BAD_CERTIFICATE": "it does not take our certificate; make another with `thinlab certificates`",
    "DECRYPT_ERROR": "it does not know our certificate's authority; make both machines' "
    "certificates in one folder of `thinlab certificates`",
    "CERTIFICATE_EXPIRED": "this machine's certificate has ended; make another with "
    "`thinlab certificates`, and start again",
}


async def why_silent(address: str, papers: Papers | None) -> str | None:
    """What is wrong between the two machines; none where nothing is, or it cannot be told."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if address.startswith("unix") or place.hostname is None:
        return None
    greeting = _plain if papers is None else partial(_encrypted, papers)
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await greeting(place.hostname, place.port or 0)
    except (OSError, SettingError, ValueError) as error:
        return _in_words(error, place.hostname)


def _in_words(error: Exception, host: str) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return _theirs(error, host)
        case ssl.SSLError():
            return _ours(error)
        case TimeoutError():
            return "nothing answers there within 5 s; is it up, and does a firewall let us pass?"
        case OSError():
            return f"nothing listens there ({error.strerror or error})"
    return str(error)


async def _plain(host: str, port: int) -> str | None:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(HTTP2_GREETING)
        if await reader.read(1) == TLS_ALERT:
            return f"it wants certificates; its address is tls://{host}:{port}"
        return None
    finally:
        writer.close()


async def _encrypted(papers: Papers, host: str, port: int) -> str | None:
    context = papers.context()
    context.set_alpn_protocols(["h2"])
    reader, writer = await asyncio.open_connection(host, port, ssl=context)
    try:
        # It says what it thinks of our certificate only after we have taken its own.
        await reader.read(1)
    finally:
        writer.close()
    return None


def _theirs(error: ssl.SSLCertVerificationError, host: str) -> str:
    match error.verify_code:
        case code if code in OTHER_NAME:
            return (
                f"its certificate is of another name than {host}; use the name that it was made "
                f"for, or make one with `thinlab certificates FOLDER {host}`"
            )
        case code if code in OTHER_AUTHORITY:
            return (
                "its certificate is of another authority; make both machines' certificates in one "
                "folder of `thinlab certificates`"
            )
        case code if code == ENDED:
            return "its certificate has ended; make it another with `thinlab certificates`"
        case code if code == NOT_YET:
            return "its certificate holds only from later on; is one of the two clocks wrong?"
    return f"its certificate will not do: {error.verify_message}"


def _ours(error: ssl.SSLError) -> str:
    reason = (error.reason or "").upper()
    for word, said in REFUSED.items():
        if word in reason:
            return said
    if "WRONG_VERSION_NUMBER" in reason or "RECORD_LAYER_FAILURE" in reason:
        return "it does not encrypt; start it with --listen tls://… and --certificates"
    return f"the two could not greet each other: {error.reason or error}"
