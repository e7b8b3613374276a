"""Aims the suite at others: it stays at home.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from tests.attack.aim import ForbiddenAimError, permitted


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:80", "https://127.8.8.8"],
)
def test_this_machine_may_be_attacked(url: str) -> None:
    assert permitted(f"{url}/study/demo?a=b", None) == url


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.7:8000",
        "http://0.0.0.0:8000",
        "http://127.0.0.1@192.0.2.7",
        "http://127.0.0.1.invalid",
        "http://no-such-name.invalid",
        "ftp://127.0.0.1",
        "127.0.0.1:8000",
        "",
    ],
)
@pytest.mark.parametrize("consent", [None, "", "127.0.0.1", "yes"])
def test_another_machine_may_not(url: str, consent: str | None) -> None:
    with pytest.raises(ForbiddenAimError):
        permitted(url, consent)


def test_another_machine_may_be_attacked_by_who_names_it_twice() -> None:
    assert permitted("http://192.0.2.7:8000", "192.0.2.7") == "http://192.0.2.7:8000"
