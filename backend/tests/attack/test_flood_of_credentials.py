"""Makes up credentials, each of which would have a line of its own where others wait.

SPDX-License-Identifier: Apache-2.0
"""

import httpx
import pytest

from tests.attack.aim import Instance
from tests.made_up import Participant, sign_in

MADE_UP = 5


def known(own: Instance, *credentials: str) -> list[bool]:
    """Which of them have a line of their own."""
    assert own.inside
    throttle = own.inside.throttle
    return [throttle.line_of(credential.encode()) is not None for credential in credentials]


@pytest.mark.parametrize(
    ("method", "path", "header"),
    [
        ("GET", "/api/studies/{study}", "Authorization"),
        ("GET", "/api/health", "Authorization"),
        ("DELETE", "/api/researcher/session", "Cookie"),
    ],
)
async def test_what_is_made_up_has_no_line_of_its_own_where_all_are_let_in(
    method: str, path: str, header: str, own: Instance, visitor: httpx.AsyncClient
) -> None:
    written = "researcher=x{}" if header == "Cookie" else "Bearer x{}"
    made_up = [written.format(number) for number in range(MADE_UP)]
    for one in made_up:
        address = path.format(study=own.study)
        answer = await visitor.request(method, address, headers={header: one})
        assert answer.is_success
    assert known(own, *(one.split()[-1] for one in made_up)) == [False] * MADE_UP


async def test_whoever_takes_part_has_one_whatever_they_write_before_the_token(
    own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside
    somebody = await Participant.join(visitor, own.study)
    before = len(own.inside.throttle._known)
    for scheme in ("Bearer", "bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {somebody.token}"}
        assert (await visitor.get("/api/participation", headers=headers)).is_success
    assert known(own, somebody.token) == [True]
    assert len(own.inside.throttle._known) <= before + 1


async def test_the_researcher_has_one(own: Instance, visitor: httpx.AsyncClient) -> None:
    assert own.inside
    await sign_in(visitor, own.inside)
    assert (await visitor.get("/api/researcher/studies")).is_success
    cookie = f"researcher={visitor.cookies['researcher']}"
    assert known(own, cookie) == [True]
