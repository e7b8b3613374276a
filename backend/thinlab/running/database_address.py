"""Where the database of a running Thinlab is, for commands beside it.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.running.embedded_postgres import application_url, socket_path
from thinlab.settings import SettingError, Settings

# PostgreSQL names its socket by the port, which is never changed.
SOCKET = ".s.PGSQL.5432"


def database_url(settings: Settings) -> str:
    """The address that was set, or the embedded database's. Raises `SettingError`."""
    if settings.database_url is not None:
        return settings.database_url
    folder = socket_path(settings.data, "database")
    try:
        there = (folder / SOCKET).exists()
    except PermissionError as error:
        raise SettingError(
            f"{folder} cannot be entered; run this as the user who started Thinlab"
        ) from error
    if not there:
        raise SettingError(
            f"no Thinlab runs on {settings.data}; start it with `make run`, or name its data "
            "folder with --data, or its database with THINLAB_DATABASE_URL"
        )
    return application_url(folder)
