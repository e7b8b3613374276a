"""`thinlab run` under a name: up at once, and known to browsers a moment later.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.running.thinlab_process import ThinlabProcess
from tests.tls.pebble import pebble_in
from thinlab.running.run import Run, ports_of
from thinlab.settings import SettingError, Settings

NAME = "lab.example.org"


async def test_a_run_under_a_name_gets_a_certificate_for_it(thinlab: ThinlabProcess) -> None:
    data = Path(thinlab.environment["THINLAB_DATA"])
    # What a run by root, which is another user's, needs to read.
    folder = data / "pebble"
    folder.mkdir()
    async with pebble_in(folder) as pebble:
        thinlab.environment |= pebble.settings(data, NAME)
        await thinlab.spawn()
        await thinlab.line(f"A certificate for {NAME} is asked for at {pebble.directory}")
        await thinlab.line(f"Researcher:   https://{NAME}/researcher")
        await thinlab.line("The server has another certificate now")
        assert (data / "tls" / f"acme-{NAME}.pem").is_file()


def test_the_port_of_the_proof_is_asked_for_where_a_name_is_vouched_for() -> None:
    settings = Settings.read({})
    assert ports_of(settings, NAME, 443) == [443, 443, 80]
    assert ports_of(replace(settings, tls="own"), NAME, 443) == [443, 443]
    assert ports_of(settings, "127.0.0.1", 8000) == [8000, 8000]


async def test_without_a_name_nothing_is_started(thinlab: ThinlabProcess) -> None:
    environment = thinlab.environment | {"THINLAB_TLS": "acme"}
    run = Run(Settings.read(environment), "127.0.0.1", thinlab.port)
    with pytest.raises(SettingError, match="needs the name"):
        await run.until_stopped()
    assert not run.children
