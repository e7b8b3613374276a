"""Asks for a certificate by ACME (RFC 8555), and shows that the name is ours by HTTP-01.

That is a word which whoever vouches looks for at http://NAME/.well-known/acme-challenge/…: port
80 is listened at for that moment and for nothing else.

SPDX-License-Identifier: Apache-2.0
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from acme import challenges, client, crypto_util, errors, messages
from acme.standalone import HTTP01DualNetworkedServers, HTTP01RequestHandler
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from josepy.jwa import ES256
from josepy.jwk import JWKEC
from requests import Response

from thinlab import __version__
from thinlab.settings import Settings
from thinlab.tls.own_certificate import in_pem, write_secret
from thinlab.tls.vouched_certificate import name_of, place_of

log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=90)
ANYWHERE = ""
NONCE_TRIES = 10
"""Of two requests each, as the library repeats one itself."""

Resource = HTTP01RequestHandler.HTTP01Resource


class AcmeError(Exception):
    """There is no certificate; the text tells why, and the remedy."""


def obtain(settings: Settings) -> Path:
    """A new certificate for the public origin's name. Raises `AcmeError`, `SettingError`."""
    name = name_of(settings)
    try:
        return _obtain(settings, name)
    except errors.ValidationError as error:
        raise AcmeError(
            f"{_refused(error)}; http://{name}:80 has to lead here, to port {settings.acme_port} "
            "of this machine"
        ) from error
    except errors.TimeoutError as error:
        raise AcmeError(f"{_place(settings)} has not answered in time") from error
    except messages.Error as error:
        raise AcmeError(f"{_place(settings)} says: {error.detail or error}") from error
    except (errors.Error, OSError) as error:
        raise AcmeError(f"{_place(settings)} cannot be asked: {error}") from error


def _obtain(settings: Settings, name: str) -> Path:
    account = _account_key(place_of(settings).with_name("acme-account.pem"))
    asking = _client(settings, account)
    key = in_pem(ec.generate_private_key(ec.SECP256R1()))
    order = asking.new_order(crypto_util.make_csr(key, [name]))
    resources, answers = set(), []
    for authorization in order.authorizations:
        if authorization.body.status == messages.STATUS_VALID:
            continue
        challenge = _by_http(authorization, name)
        response, word = challenge.response_and_validation(account)
        resources.add(Resource(challenge.chall, response, word))
        answers.append((challenge, response))
    with _telling(settings.acme_port, resources):
        for challenge, response in answers:
            asking.answer_challenge(challenge, response)
        # The library reckons in local time without a zone.
        deadline = datetime.now() + PATIENCE  # noqa: DTZ005
        order = asking.poll_and_finalize(order, deadline)
    place = place_of(settings)
    write_secret(place, key + order.fullchain_pem.encode())
    return place


def _client(settings: Settings, account: JWKEC) -> client.ClientV2:
    network = _Network(account, alg=ES256, user_agent=f"thinlab/{__version__}", timeout=30)
    asking = client.ClientV2(
        client.ClientV2.get_directory(settings.acme_directory, network), network
    )
    wish = messages.NewRegistration.from_data(
        email=settings.acme_mail, terms_of_service_agreed=True
    )
    try:
        asking.new_account(wish)
    except errors.ConflictError as known:
        network.account = messages.RegistrationResource(
            uri=known.location, body=messages.Registration()
        )
    return asking


class _Network(client.ClientNetwork):
    """Asks again with the nonce that a refusal of the last one brought (RFC 8555, section 6.5)."""

    def post(self, *args: object, **kwargs: object) -> Response:
        for left in reversed(range(NONCE_TRIES)):
            try:
                return super().post(*args, **kwargs)
            except messages.Error as error:
                if error.code != "badNonce" or not left:
                    raise
        raise AssertionError


def _account_key(path: Path) -> JWKEC:
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (FileNotFoundError, ValueError):
        key = ec.generate_private_key(ec.SECP256R1())
        write_secret(path, in_pem(key))
    return JWKEC(key=key)


def _by_http(authorization: messages.AuthorizationResource, name: str) -> messages.ChallengeBody:
    for offered in authorization.body.challenges:
        if isinstance(offered.chall, challenges.HTTP01):
            return offered
    raise AcmeError(f"it does not show by HTTP-01 whose {name} is, and Thinlab knows no other way")


@contextmanager
def _telling(port: int, resources: set[Resource]) -> Iterator[None]:
    if not resources:
        yield
        return
    try:
        servers = HTTP01DualNetworkedServers((ANYWHERE, port), resources)
    except OSError as error:
        raise AcmeError(
            f"port {port} cannot be opened ({error.strerror}), which showing whose name it is "
            "needs; start Thinlab by root, allow it (sysctl "
            f"net.ipv4.ip_unprivileged_port_start={port}), or lead port 80 to another one that "
            "THINLAB_ACME_PORT names"
        ) from error
    servers.serve_forever()
    try:
        yield
    finally:
        servers.shutdown_and_server_close()


def _refused(error: errors.ValidationError) -> str:
    details = [
        challenge.error.detail or str(challenge.error)
        for authorization in error.failed_authzrs
        for challenge in authorization.body.challenges
        if challenge.error is not None
    ]
    return "; ".join(details) or "the name was not shown to be ours"


def _place(settings: Settings) -> str:
    return settings.acme_directory
