"""All that a researcher can take home, to be compared byte for byte.

SPDX-License-Identifier: Apache-2.0
"""

from httpx import AsyncClient

TABLES = ("export", "participants", "typing-sessions", "keystrokes")
FORMS = ("csv", "json", "parquet")


async def all_exports(researcher: AsyncClient, slugs: tuple[str, ...]) -> dict[str, bytes]:
    """Every export of these studies, by name."""
    names = [f"{table}.{form}" for table in TABLES for form in FORMS]
    names += ["codebook.csv", "codebook.json"]
    found = {}
    for slug in slugs:
        for name in names:
            answer = await researcher.get(f"/api/researcher/studies/{slug}/{name}")
            assert answer.status_code == 200, answer.text
            found[f"{slug}/{name}"] = answer.content
    return found
