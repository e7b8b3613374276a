"""Keeps the database as it is in this version, for the versions to come: run it before a release.

    cd backend && ../setup/with-parts uv run python -m tests.database.keep_version

writes `tests/database/kept/<migration>.sql` (schema and made-up rows, as PostgreSQL's own
`pg_dump` tells them) and `<migration>.json` (every export of it, as this version makes them).
`test_kept_versions.py` brings each such file up to date and compares what can be taken home.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path

import pytest

KEPT = Path(__file__).parent / "kept"
WRITE = "THINLAB_KEEP_VERSION"


def main() -> None:
    """Runs the one test that writes: it stands on the same fixtures as all others."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(WRITE, "yes")
        sys.exit(pytest.main(["-q", "tests/database/test_kept_versions.py", "-k", "is_kept"]))


if __name__ == "__main__":
    main()
