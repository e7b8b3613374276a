"""Made-up typing sessions, for tests that need no lab: the rows are real, their numbers invented.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from httpx import AsyncClient
from sqlalchemy import func, update

from tests.made_up import Participant, made_up_terminal_result
from thinlab.database.schema import Keystroke, TypingSession
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.participation import participant as participation
from thinlab.trials.typing import session as typing_session
from thinlab.trials.typing.measures import measures_of
from thinlab.web.services import Services

KEYS = 5
KEY_EVERY_US = 200_000


async def join(
    browser: AsyncClient, services: Services, slug: str = "typing", **fields: str
) -> Participant:
    """Somebody in a typing study whose connection was found good."""
    somebody = await Participant.join(browser, slug, **fields)
    async with services.database.transaction() as session:
        await session.execute(
            update(ParticipantRow)
            .where(ParticipantRow.token_hash == somebody.token_hash)
            .values(
                connection_passed=True,
                connection_tries=1,
                connection_checked_at=func.now(),
                connection_transport="webrtc",
                connection_rtt_ms=12.5,
                connection_jitter_ms=1.5,
                connection_lost_share=0.0,
            )
        )
    return somebody


def keys_of(session_id: int, *, seed: int, keep_text: bool) -> list[Keystroke]:
    """Keys whose way takes as long as their number and the seed say."""
    keys = []
    for number in range(1, KEYS + 1):
        lost = number == KEYS
        way_us = 130_000 + 1_000 * seed + 100 * number + (250_000 if lost else 0)
        keys.append(
            Keystroke(
                session_id=session_id,
                number=number,
                kind="backspace" if number == 3 else "character",
                repeat=False,
                data="x" if keep_text else None,
                pressed_us=KEY_EVERY_US * number,
                released_us=80_000,
                backend_received_us=6_000,
                agent_received_us=7_000,
                pty_written_us=7_100,
                key_written_us=8_000,
                key_sent_us=8_100,
                key_arrived_us=way_us // 2 + 8_000,
                key_delivered_us=way_us // 2 + 8_100,
                echo_written_us=way_us // 2 + 9_000,
                echo_sent_us=way_us // 2 + 9_100,
                echo_arrived_us=way_us + 9_000,
                echo_delivered_us=way_us + 9_100,
                screen_us=way_us + 9_500,
                agent_forwarded_us=way_us + 9_600,
                backend_forwarded_us=way_us + 10_000,
                painted_us=way_us + 25_000,
                screen=number,
                key_transmissions=2 if lost else 1,
                echo_transmissions=1,
                key_recovery="timeout" if lost else "none",
                echo_recovery="none",
            )
        )
    return keys


async def type_session(
    services: Services, typist: Participant, token: str, *, void: str | None = None
) -> TypingSession:
    """Types the session behind a token, or begins it and makes it void."""
    async with services.database.transaction() as session:
        row = await participation.by_token(session, typist.token)
        assert row is not None
        planned = await typing_session.plan(session, row, token)
        begun = await typing_session.begin(session, row, planned)
        begun.transport, begun.reconnects = "webrtc", 0
        begun.host, begun.host_build = "guest-0", "host-build"
        begun.agent_version, begun.kernel_release = "0.1.0", "6.12.0-test"
        begun.link_rtt_p50_ms, begun.link_rtt_p95_ms, begun.link_jitter_ms = 12.0, 14.0, 2.0
        begun.clock_uncertainty_ms = 0.5
        begun.ready_at = await session.scalar(select_now())
        begun.ended_at = begun.ready_at
        if void is not None:
            begun.state, begun.reason = "void", void
            return begun
        keys = keys_of(begun.id, seed=begun.id, keep_text=planned.keep_text)
        measures = measures_of(planned.task, planned.language, keys, "A thin stream.")
        result = made_up_terminal_result(begun.id)
        begun.state, begun.end = "done", "finished"
        begun.emulator_trustworthy = result.timing.trustworthy
        begun.measures = measures.model_dump(mode="json")
        begun.result = result.model_dump(mode="json")
        begun.final_text = "A thin stream." if planned.keep_text else None
        session.add_all(keys)
    return begun


def select_now() -> Any:  # noqa: ANN401 (a query)
    """The database's time."""
    return func.now().select()


async def type_trial(services: Services, typist: Participant) -> dict[str, Any]:
    """Both sessions of the open trial."""
    trial = await typist.open_trial()
    for place in ("first", "second"):
        await type_session(services, typist, trial[place]["session_token"])
    return trial


async def take_all(services: Services, typist: Participant, choice: str = "first") -> None:
    """The whole study with one answer; a difference is noticeable at step 3."""
    while (await typist.progress())["state"] == "trials":
        trial = await type_trial(services, typist)
        noticeable = None if choice == "no_difference" else 3
        voted = await typist.vote(trial["trial_token"], choice=choice, noticeable=noticeable)
        assert voted.status_code == 201, voted.text
