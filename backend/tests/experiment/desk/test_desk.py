"""Errands of the researcher's pages: each once, one at a time, within bounds, and told of.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from tests.experiment.desk.errands_here import ErrandsHere
from tests.experiment.made_up_results import put_results
from thinlab.experiment.desk import desk as desks
from thinlab.experiment.desk.desk import BusyDeskError, ExperimentDesk, NotThereError
from thinlab.experiment.desk.errands import ErrandError, Errands
from thinlab.experiment.desk.places import Places

Usage = namedtuple("Usage", ["total", "used", "free"])  # noqa: PYI024 (as shutil has it)


@pytest.fixture
def errands(places: Places) -> ErrandsHere:
    """Done in this process."""
    return ErrandsHere(places)


@pytest.fixture
def desk(places: Places, errands: ErrandsHere) -> ExperimentDesk:
    """Over results of the small grid."""
    put_results(places.results)
    return ExperimentDesk(places, errands)


async def read_all(desk: ExperimentDesk) -> None:
    await desk.all()
    while desk.is_looking:
        await asyncio.sleep(0.005)


async def keys(desk: ExperimentDesk) -> list[str]:
    await read_all(desk)
    return [one.key for cell in (await desk.cells("small")).cells for one in cell.sessions]


async def done(desk: ExperimentDesk, *wanted: str) -> None:
    for key in wanted:
        _, job = await desk.made(key)
        assert job is not None
        assert job.task is not None
        await asyncio.wait([job.task])


async def test_what_has_changed_is_read_once(desk: ExperimentDesk, errands: ErrandsHere) -> None:
    first = {one.name: one for one in await desk.all()}
    assert first["small"].digest is None
    await asyncio.gather(*(desk.all() for _ in range(20)))
    await read_all(desk)
    found = {one.name: one for one in await desk.all()}
    assert found["small"].digest is not None
    assert errands.told == [("look", "0")]
    assert not desk.is_looking


async def test_what_was_just_run_is_read_beside_what_takes_long(
    desk: ExperimentDesk, errands: ErrandsHere, places: Places
) -> None:
    errands.may_end.clear()
    await desk.all()
    while errands.most_at_once < 1:
        await asyncio.sleep(0.005)
    # Nothing new: nothing more is begun, however often somebody asks.
    for _ in range(5):
        await desk.all()
    assert errands.told == [("look", "0")]
    for name in ("new", "newer"):
        put_results(places.results, name)
        await desk.all()
        await desk.all()
    while errands.most_at_once < 2:
        await asyncio.sleep(0.005)
    assert int(errands.told[1][1]) <= places.written_ns("new")
    errands.may_end.set()
    await read_all(desk)
    found = {one.name: one for one in await desk.all()}
    assert found["new"].digest is not None
    assert found["newer"].digest is not None
    assert errands.most_at_once == 2
    # Else the large one would be begun twice.
    assert places.written_ns("small") < int(errands.told[1][1])


async def test_what_cannot_be_read_is_told_and_not_tried_for_ever(
    desk: ExperimentDesk, errands: ErrandsHere
) -> None:
    errands.problem = "No room on the disk."
    await read_all(desk)
    await read_all(desk)
    assert errands.told == [("look", "0")]
    looked = await desk.one("small")
    assert looked.digest is None
    assert "No room on the disk." in (looked.problem or "")
    with pytest.raises(NotThereError):
        await desk.cells("small")


async def test_an_experiment_that_is_none(desk: ExperimentDesk) -> None:
    await read_all(desk)
    for name in ("nothing", "..", "../results/small", "sessions"):
        with pytest.raises(NotThereError):
            await desk.one(name)
        with pytest.raises(NotThereError):
            await desk.report(name)
        with pytest.raises(NotThereError):
            await desk.make(name, "0" * 32)


async def test_a_report_is_drawn_once_for_all_who_ask(
    desk: ExperimentDesk, errands: ErrandsHere
) -> None:
    await read_all(desk)
    files = await asyncio.gather(*(desk.report("small") for _ in range(5)))
    assert len(set(files)) == 1
    assert files[0].is_file()
    assert [told[0] for told in errands.told] == ["look", "report"]
    assert await desk.report_state(await desk.one("small")) is None


async def test_a_report_that_fails_says_why_and_is_tried_again_later(
    desk: ExperimentDesk, errands: ErrandsHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_all(desk)
    errands.problem = "Nothing draws here."
    for _ in range(2):
        with pytest.raises(ErrandError, match="Nothing draws here"):
            await desk.report("small")
    assert len(errands.told) == 2
    errands.problem = None
    monkeypatch.setattr(desks, "TRIED_AGAIN_S", -1.0)
    assert (await desk.report("small")).is_file()


async def test_two_who_ask_for_one_session_get_the_same_one(
    desk: ExperimentDesk, errands: ErrandsHere
) -> None:
    key, *_ = await keys(desk)
    await asyncio.gather(*(desk.make("small", key) for _ in range(5)))
    await done(desk, key)
    await desk.make("small", key)
    assert [told for told in errands.told if told[0] == "session"] == [("session", "small", key)]
    made, job = await desk.made(key)
    assert made is not None
    assert made.agrees is True
    assert job is not None
    assert not job.is_open
    file = await desk.file("small", key, "lane-0-sender.pcapng")
    assert file.read_bytes() == key.encode()
    with pytest.raises(NotThereError):
        await desk.file("small", key, "lane-1-sender.pcapng")


async def test_sessions_are_made_one_at_a_time(desk: ExperimentDesk, errands: ErrandsHere) -> None:
    some = (await keys(desk))[:4]
    for key in some:
        await desk.make("small", key)
    await done(desk, *some)
    assert errands.most_at_once == 1


async def test_whoever_would_wait_too_long_is_told(
    desk: ExperimentDesk, errands: ErrandsHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "MOST_WAITING", 2)
    first, second, third, *_ = await keys(desk)
    errands.may_end.clear()
    await desk.make("small", first)
    await desk.make("small", second)
    with pytest.raises(BusyDeskError):
        await desk.make("small", third)
    errands.may_end.set()
    await done(desk, first, second)
    await desk.make("small", third)
    await done(desk, third)


async def test_the_one_used_longest_ago_makes_room(places: Places, errands: ErrandsHere) -> None:
    put_results(places.results)
    errands.capture_bytes = 1_000
    desk = ExperimentDesk(places, errands, kept_bytes=6_500)
    first, second, third, *_ = await keys(desk)
    for key in (first, second):
        await desk.make("small", key)
        await done(desk, key)
    # Clocks of file systems are coarse.
    for key in (first, second):
        os.utime(places.sessions / key / "made.json", (1, 1))
    await desk.file("small", first, "lane-0-sender.pcapng")
    await desk.make("small", third)
    await done(desk, third)
    assert sorted(path.name for path in places.sessions.iterdir()) == sorted([first, third])
    # One that is larger than all that may be kept stays until another comes.
    errands.capture_bytes = 10_000
    await desk.make("small", second)
    await done(desk, second)
    assert [path.name for path in places.sessions.iterdir()] == [second]


async def test_a_full_disk_is_told_of_and_leaves_nothing(
    desk: ExperimentDesk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, *_ = await keys(desk)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: Usage(10, 9, 1))
        await desk.make("small", key)
        await done(desk, key)
    made, job = await desk.made(key)
    assert made is None
    assert job is not None
    assert "too little room" in (job.problem or "")
    assert list(places.sessions.iterdir()) == []
    await desk.make("small", key)
    await done(desk, key)
    assert (await desk.made(key))[0] is not None


async def test_what_is_half_made_is_never_shown_and_cleared(
    desk: ExperimentDesk, places: Places
) -> None:
    key, other, *_ = await keys(desk)
    (places.sessions / ".new-left").mkdir(parents=True)
    (places.sessions / key).mkdir()
    (places.sessions / key / "made.json").write_text("{")
    assert (await desk.made(key))[0] is None
    await desk.make("small", other)
    await done(desk, other)
    assert not (places.sessions / ".new-left").exists()
    await desk.make("small", key)
    await done(desk, key)
    assert (await desk.made(key))[0] is not None


async def test_leaving_ends_what_is_under_way(desk: ExperimentDesk, errands: ErrandsHere) -> None:
    key, *_ = await keys(desk)
    errands.pause_s = 60
    await desk.make("small", key)
    await desk.close()
    _, job = await desk.made(key)
    assert job is not None
    assert not job.is_open


@pytest.mark.processes
async def test_an_errand_is_a_process_that_says_why_it_came_to_nothing(tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.write_text('#!/bin/sh\necho \'{"problem": "No lab host."}\'\nexit 1\n')
    said.chmod(0o755)
    with pytest.raises(ErrandError, match=r"No lab host\."):
        await Errands("a build", [str(said)]).run("look", "0", limit_s=60)
    with pytest.raises(ErrandError, match="It ended with 1"):
        await Errands("a build", ["/bin/false"]).run("look", "0", limit_s=60)
    await Errands("a build", ["/bin/true"]).run("look", "0", limit_s=60)
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 600\n")
    slow.chmod(0o755)
    with pytest.raises(ErrandError, match="longer than"):
        await Errands("a build", [str(slow)]).run("look", "0", limit_s=0.2)
