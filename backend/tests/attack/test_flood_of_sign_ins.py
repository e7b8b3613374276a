"""Guesses passwords without end: the guesser is slowed down, and who knows the password gets in.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S
from tests.attack.flood import from_elsewhere, statuses, without_end
from tests.made_up import PASSWORD, sign_in
from thinlab.database.schema import ServerSecret
from thinlab.researcher import guessing
from thinlab.web.throttle import REQUESTS

PATH, FIRST = "/api/researcher/session", "/api/researcher/password"
WRONG = {"password": "letmein"}


async def test_a_guesser_is_told_to_wait(instance: Instance) -> None:
    async with from_elsewhere(instance) as guesser:
        found = await statuses(lambda: guesser.post(PATH, json=WRONG), 60)
        assert found[403] <= guessing.WRONG_AT_ONCE + 2
        assert found[403] + found[429] + found[503] == 60
        async with asyncio.timeout(PATIENCE_S):
            while (last := await guesser.post(PATH, json=WRONG)).status_code == 403:
                pass
    assert last.status_code == 429
    assert int(last.headers["retry-after"]) > 0
    assert last.headers["content-type"] == "application/problem+json"
    assert last.json()["remedy"].startswith("Try again in")


async def test_who_knows_the_password_gets_in_beside_a_guesser(
    own: Instance, visitor: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own.inside
    await sign_in(visitor, own.inside)
    # As slow as it is outside of the tests.
    monkeypatch.setattr("thinlab.researcher.account._hasher", PasswordHasher())
    visitor.cookies.clear()
    async with (
        from_elsewhere(own) as guesser,
        without_end(lambda: guesser.post(PATH, json=WRONG), 50),
        # Ends a test that hangs: passwords are looked at after everything else that runs here.
        asyncio.timeout(300),
    ):
        while (answer := await visitor.post(PATH, json={"password": PASSWORD})).is_error:
            assert answer.status_code in {429, 503}
            await asyncio.sleep(float(answer.headers["retry-after"]))


async def test_who_knows_the_password_makes_no_guess(
    own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside
    await sign_in(visitor, own.inside)
    for _ in range(2 * int(guessing.WRONG_AT_ONCE)):
        right = await visitor.post(PATH, json={"password": PASSWORD})
        assert right.status_code == 204


@pytest.mark.parametrize(("method", "path"), [("DELETE", PATH), ("GET", PATH), ("POST", FIRST)])
async def test_whatever_costs_no_password_waits_its_turn(
    method: str, path: str, own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside
    turns = own.inside.throttle.requests
    for _ in range(REQUESTS.at_once):
        await turns.enter("others")
    asking = asyncio.create_task(visitor.request(method, path, headers={"Cookie": "researcher=x"}))
    async with asyncio.timeout(PATIENCE_S):
        while not turns.waiting:
            assert not asking.done()
            await asyncio.sleep(0.001)
    for _ in range(REQUESTS.at_once):
        turns.leave()
    assert (await asking).status_code < 500


def _first(token: str) -> dict[str, str]:
    return {"setup_token": token, "password": PASSWORD}


async def test_who_guesses_the_setup_token_is_told_to_wait_and_who_has_it_is_not(
    own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside
    async with from_elsewhere(own) as guesser:
        found = await statuses(lambda: guesser.post(FIRST, json=_first("x" * 27)), 60)
        assert 0 < found[403] <= guessing.WRONG_AT_ONCE + 2
        assert found[403] + found[429] + found[503] == 60
        async with asyncio.timeout(PATIENCE_S):
            while (last := await guesser.post(FIRST, json=_first("x" * 27))).status_code != 429:
                pass
    assert int(last.headers["retry-after"]) > 0
    await sign_in(visitor, own.inside)


async def test_where_there_is_a_password_nobody_waits_for_its_row(
    own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside
    await sign_in(visitor, own.inside)
    async with own.inside.database.transaction() as session:
        await session.execute(select(ServerSecret).with_for_update())
        found = await statuses(lambda: visitor.post(FIRST, json=_first("x" * 27)), 30)
        assert found == {409: 30}
