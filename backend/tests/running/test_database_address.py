"""Where commands beside a running Thinlab find its database.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import asyncpg
import pytest

from thinlab.running.database_address import database_url
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.settings import SettingError, Settings


async def test_the_embedded_database_is_found_by_its_data_folder(
    postgres: EmbeddedPostgres, data_folder: Path, template: str
) -> None:
    url = database_url(Settings.read({"THINLAB_DATA": str(data_folder)}))
    assert url == postgres.url
    connection = await asyncpg.connect(url, database=template)
    assert await connection.fetchval("select count(*) from study") == 1
    await connection.close()


def test_a_database_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    address = "postgresql://me@elsewhere/thinlab"
    settings = Settings.read({"THINLAB_DATA": str(tmp_path), "THINLAB_DATABASE_URL": address})
    assert database_url(settings) == address


def test_looking_makes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with pytest.raises(SettingError, match="no Thinlab runs on"):
        database_url(Settings.read({"THINLAB_DATA": str(data)}))
    assert not data.exists()
