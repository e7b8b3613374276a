"""A Dask scheduler of another machine: spoken to with certificates of one's own, or not at all.

SPDX-License-Identifier: Apache-2.0
"""

import stat
from pathlib import Path

import pytest
from distributed import Scheduler, Worker
from distributed.security import Security

from thinlab.lab.team import Workers, dask_client
from thinlab.settings import SettingError
from thinlab.tls.authority import AUTHORITY, CERTIFICATE, KEY, make_for
from thinlab.tls.trust import Trust


def security_of(folder: Path) -> Security:
    cert, key = str(folder / CERTIFICATE), str(folder / KEY)
    return Security(
        require_encryption=True,
        tls_ca_file=str(folder / AUTHORITY),
        **{f"tls_{role}_cert": cert for role in ("scheduler", "worker", "client")},
        **{f"tls_{role}_key": key for role in ("scheduler", "worker", "client")},
    )


def test_each_machine_gets_what_it_needs_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    one, other = make_for(folder, "scheduler.example"), make_for(folder, "192.0.2.7")
    assert (one / AUTHORITY).read_bytes() == (other / AUTHORITY).read_bytes()
    assert (one / KEY).read_bytes() != (other / KEY).read_bytes()
    assert {path.name for path in one.iterdir()} == {AUTHORITY, CERTIFICATE, KEY}
    for path in (folder / "authority-key.pem", one / KEY):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for name in ("", "../elsewhere", ".", ".."):
        with pytest.raises(SettingError, match="names no machine"):
            make_for(folder, name)


@pytest.mark.processes
async def test_work_is_done_by_those_who_know_each_other_and_given_by_nobody_else(
    tmp_path: Path,
) -> None:
    ours, others = tmp_path / "ours", tmp_path / "others"
    known = security_of(make_for(ours, "scheduler"))
    mine, stranger = make_for(ours, "server"), make_for(others, "server")
    async with (
        Scheduler(
            protocol="tls", host="127.0.0.1", port=0, dashboard=False, security=known
        ) as scheduler,
        Worker(scheduler.address, host="127.0.0.1", security=known),
    ):
        workers = Workers(lab=None, scheduler=scheduler.address, trust=Trust(mine))
        async with dask_client(workers) as client:
            assert await client.submit(sum, [1, 2, 3]) == 6
        forged = Workers(lab=None, scheduler=scheduler.address, trust=Trust(stranger))
        with pytest.raises(OSError, match=r"."):
            async with dask_client(forged):
                pass


@pytest.mark.parametrize(
    ("workers", "fault"),
    [
        (Workers(None, scheduler="tcp://192.0.2.7:8786"), "without encryption"),
        (Workers(None, scheduler="192.0.2.7:8786"), "without encryption"),
        (Workers(None, scheduler="tls://192.0.2.7:8786"), "THINLAB_CERTIFICATES is not set"),
        (
            Workers(None, scheduler="tls://192.0.2.7:8786", trust=Trust(Path("/nonexistent"))),
            r"THINLAB_CERTIFICATES: /nonexistent/authority\.pem does not exist",
        ),
    ],
)
async def test_nothing_goes_to_another_machine_in_clear(workers: Workers, fault: str) -> None:
    with pytest.raises(SettingError, match=fault):
        async with dask_client(workers):
            pass
