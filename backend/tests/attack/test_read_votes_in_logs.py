"""Has votes fail in the database, and looks for them in all that the server has written down.

Whoever reads a log, an administrator or a colleague who was sent it, is to see what failed, and no
answer. On a run of its own: a stranger has no logs to read, and no way to make the database refuse.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import httpx
import pytest_asyncio

from tests.attack.conftest import PATIENCE_S
from tests.made_up import HEARD, Participant
from tests.running.conftest import fresh_cluster, thinlab
from tests.running.test_run import open_study
from tests.running.thinlab_process import ThinlabProcess
from thinlab.running import embedded_postgres
from thinlab.settings import Settings

__all__ = ["fresh_cluster", "thinlab"]

# Numbers that nothing else in a log has: as long as an account may say, which is longer than a port
# and, on a machine that is not years old, than the number of a process.
SWITCHES, DECISION_MS = 999_983, 1_046_527

REFUSALS = (
    f"alter table vote add check ((account ->> 'switches')::bigint <> {SWITCHES})",
    """
    create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused' using detail = new::text, hint = new::text; end $$;
    create trigger refused before insert on vote for each row execute function refuse()
    """,
    """
    drop trigger refused on vote;
    alter table vote drop constraint vote_account_check, alter decision_ms type smallint using 0
    """,
)


@pytest_asyncio.fixture
async def running(thinlab: ThinlabProcess) -> AsyncIterator[ThinlabProcess]:
    """With a study that takes votes."""
    await thinlab.start()
    async with httpx.AsyncClient(base_url=thinlab.address, timeout=PATIENCE_S) as browser:
        await open_study(thinlab, browser)
    yield thinlab
    await thinlab.stop()


async def test_votes_that_fail_are_in_no_log_and_no_log_is_open_to_others(
    running: ThinlabProcess,
) -> None:
    settings = Settings.read(running.environment)
    database = await asyncpg.connect(embedded_postgres.prepare(settings).owner_url)
    async with httpx.AsyncClient(base_url=running.address, timeout=PATIENCE_S) as browser:
        person = await Participant.join(browser)
        trial = await person.open_trial()
        for refusal in REFUSALS:
            await database.execute(refusal)
            account = {**HEARD, "switches": SWITCHES}
            numbers = {"account": account, "decision_ms": DECISION_MS}
            answer = await person.vote(trial["trial_token"], choice="no_difference", **numbers)
            assert answer.status_code == 500, answer.text
    await database.close()
    assert _open_to_others(settings.data) == []
    await running.stop()
    logs = settings.data / "log"
    said = "".join(running.lines) + _written(logs)
    assert said.count("failed: POST /api/participation/votes") == len(REFUSALS)
    for secret in (str(SWITCHES), str(DECISION_MS), "no_difference", person.token):
        assert secret not in said
    assert trial["trial_token"] not in said


def _open_to_others(data: Path) -> list[str]:
    """Logs, and folders of data, that another user of the machine can read or enter."""
    logs = [*data.glob("log/*")]
    assert logs
    doors = [path for path in data.iterdir() if path.is_dir()]
    return [path.name for path in [*logs, *doors] if path.stat().st_mode & 0o077]


def _written(folder: Path) -> str:
    """All logs."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"postgres.log", "web.log"} <= {path.name for path in files}
    return "".join(path.read_text(errors="replace") for path in files)
