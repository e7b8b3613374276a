"""Bots in a study that is typed: over the real link, to a live lab that echoes."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import select

from tests.applications import app_over
from tests.balance import cells_of
from tests.bots.planted import researchers_cookie
from tests.live.conftest import Room, house
from tests.live.stand_in_terminal import LiveStandIn
from tests.made_up import NOTICEABLE, PASSWORD, PREFERENCE, block
from thinlab.bots.bot import End, Seat
from thinlab.bots.crowd import Crowd, Plan, send
from thinlab.bots.key import AnswerKey
from thinlab.bots.kind import LinkKind, Manner
from thinlab.bots.researcher import answer_key, sign_in
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.trials.registry import bot_parts
from thinlab.web.services import Services

SLUG = "typing"
# Many bots in one process on a busy machine have an unsteady network, which is not the point here.
ANY_CONNECTION = {
    "rtt_ms_at_most": 10_000,
    "jitter_ms_at_most": 10_000,
    "lost_share_at_most": 1,
}
STALL_S = 0.5


class Sluggish(LiveStandIn):
    """Without any mechanism, what the terminal writes comes late."""

    async def RunLive(  # noqa: N802
        self,
        requests: AsyncIterator[pb.LiveInput],
        context: Any,  # noqa: ANN401
    ) -> AsyncIterator[pb.LiveEvent]:
        stall_s = 0.0
        loop = asyncio.get_running_loop()
        late: asyncio.Queue[tuple[float, pb.LiveEvent | None]] = asyncio.Queue()

        async def heard() -> AsyncIterator[pb.LiveInput]:
            nonlocal stall_s
            async for request in requests:
                if request.HasField("terminal") and not request.terminal.lane.mechanisms:
                    stall_s = STALL_S
                yield request

        async def read() -> None:
            async for event in super(Sluggish, self).RunLive(heard(), context):
                late.put_nowait((loop.time() + stall_s, event))
            late.put_nowait((0.0, None))

        reading = asyncio.create_task(read())
        try:
            while (coming := await late.get())[1] is not None:
                await asyncio.sleep(coming[0] - loop.time())
                yield coming[1]
        finally:
            reading.cancel()


def pairs(count: int, **changes: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Blocks of as many pairs, all with one task."""
    trials = [
        {"kind": "pair", "id": f"pair-{number}", "task": "sentences", "seed": 100 * number}
        | {"conditions": ["plain", "modified"]}
        for number in range(1, count + 1)
    ]
    return [block(trials, scale=PREFERENCE | {"noticeable": NOTICEABLE}, **changes)]


SENTENCES = {"kind": "copy", "text": "A thin stream.", "limit_s": 60, "least_keys": 5}


async def typed_study(room: Room, trials: int, **changes: Any) -> None:  # noqa: ANN401
    """Puts one up that asks nothing of the connection, with so many pairs."""
    await room.set_study(
        connection=ANY_CONNECTION,
        tasks={"sentences": SENTENCES},
        blocks=pairs(trials),
        slug=SLUG,
        **changes,
    )


@pytest.fixture(autouse=True)
def _short_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of probes are a fraction of one."""
    monkeypatch.setattr("thinlab.live.connection_check.CHECK_S", 0.3)


async def let_type(
    room: Room, services: Services, plan: Plan, key: AnswerKey | None = None
) -> Crowd:
    """Bots through the running server."""
    cookie = await researchers_cookie(app_over(services), services)

    def new_client() -> AsyncClient:
        return AsyncClient(base_url=room.address, timeout=30)

    seat = Seat(SLUG, cookie=cookie)
    return await send(plan, seat, key or AnswerKey(), new_client)


@pytest.mark.parametrize("link", ["websocket", "webrtc"])
async def test_bots_type_every_session_and_vote(
    services: Services, tmp_path: Path, link: LinkKind
) -> None:
    async with house(services, LiveStandIn(), tmp_path) as room:
        await typed_study(room, trials=2)
        plan = Plan({"honest": 1.0}, 3, seed=1, parts=bot_parts(Manner(link=link)))
        crowd = await let_type(room, services, plan)
        assert [one.end for one in crowd.outcomes] == [End.COMPLETE] * 3, crowd.outcomes
        sessions = await room.sessions()
    assert Counter(one.state for one in sessions) == {"done": 12}
    assert {one.transport for one in sessions} == {link}
    assert len(crowd.votes) == 6
    assert [(one.measures or {})["errors_left"] for one in sessions] == [0] * 12


async def test_bots_whose_transport_is_lost_come_back_with_every_key(
    services: Services, tmp_path: Path
) -> None:
    async with house(services, LiveStandIn(), tmp_path) as room:
        await typed_study(room, trials=2, keep_text=True)
        plan = Plan({"flaky": 1.0}, 8, seed=3, parts=bot_parts(Manner(link="any")))
        crowd = await let_type(room, services, plan)
        assert [one.end for one in crowd.outcomes] == [End.COMPLETE] * 8, crowd.outcomes
        done = [one for one in await room.sessions() if one.state == "done"]
    assert len(done) == 32
    # Three sessions in ten lose their link: that none of 32 does is one run in ninety thousand.
    assert sum(one.reconnects or 0 for one in done) >= 1
    assert {one.final_text for one in done} == {"A thin stream."}


@pytest.mark.alone
async def test_bots_prefer_what_they_felt_though_nobody_told_them(
    services: Services, tmp_path: Path
) -> None:
    async with house(services, Sluggish(), tmp_path) as room:
        await typed_study(room, trials=4)
        plan = Plan({"honest": 1.0}, 10, seed=5, parts=bot_parts(Manner(link="websocket")))
        crowd = await let_type(room, services, plan)
    assert len(crowd.votes) == 40, crowd.outcomes
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(Presentation.first_member, Vote.choice, Vote.noticeable).join(
                Vote, Vote.presentation_id == Presentation.id
            )
        )
        votes = rows.all()
    for_modified = sum(
        choice == ("first" if first == "b" else "second") for first, choice, _ in votes
    )
    # Half a second of stall is ten log odds: nearly all, and fewer where a busy machine stalls
    # both. Of bots that feel nothing (15 ± 3), one crowd in twenty thousand would come so far.
    assert for_modified >= 28
    assert {first for first, _, _ in votes} == {"a", "b"}
    # Asked of those who preferred one, and of nobody else.
    assert all((step is None) == (choice == "no_difference") for _, choice, step in votes)
    assert {step for _, _, step in votes} <= {None, 1, 2, 3, 4}


async def test_a_typed_study_stays_in_balance_when_some_leave(
    services: Services, tmp_path: Path
) -> None:
    async with house(services, LiveStandIn(), tmp_path) as room:
        await typed_study(room, trials=3, stop={"completed": 24})
        parts = bot_parts(Manner(link="websocket"))
        first = await let_type(
            room,
            services,
            Plan({"honest": 0.6, "withdrawing": 0.4}, 20, seed=7, parts=parts),
        )
        ends = Counter(one.end for one in first.outcomes)
        assert ends == {End.COMPLETE: 12, End.WITHDRAWN: 8}, first.outcomes
        client = AsyncClient(base_url=room.address, headers={"Origin": room.address}, timeout=30)
        async with client:
            cookie = await sign_in(client, PASSWORD)
        second = await send(
            Plan({"honest": 1.0}, 30, seed=8, parts=parts),
            Seat(SLUG, cookie=cookie),
            AnswerKey(),
            lambda: AsyncClient(base_url=room.address, timeout=30),
        )
    ends = Counter(one.end for one in second.outcomes)
    assert ends == {End.COMPLETE: 12, End.FULL: 18}, second.outcomes
    stayed = (Participant.completed_at.is_not(None), Participant.withdrawn_at.is_(None))
    cells = await cells_of(services.database, *stayed)
    # 3 trials x 3 positions x 2 sides, 24 x 3 presentations.
    assert len(cells) == 18
    assert set(cells.values()) == {4}


async def test_a_key_is_made_for_a_study_without_recordings(
    services: Services, tmp_path: Path
) -> None:
    async with house(services, LiveStandIn(), tmp_path) as room:
        await researchers_cookie(app_over(services), services)
        async with AsyncClient(
            base_url=room.address, headers={"Origin": room.address}, timeout=30
        ) as client:
            await sign_in(client, PASSWORD)
            key = await answer_key(client, SLUG, {})
    assert key.sounds == {}
