"""Origins: what is one, and for whom browsers may be told to insist on encryption.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from thinlab.origin import Origin, OriginError
from thinlab.settings import SettingError, Settings
from thinlab.web.serve import is_strict


@pytest.mark.parametrize(
    ("text", "said", "netloc"),
    [
        ("https://Lab.Example", "https://lab.example", "lab.example"),
        ("https://lab.example:443/", "https://lab.example", "lab.example"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000", "192.0.2.7:8000"),
        ("https://[::1]:8443", "https://[::1]:8443", "[::1]:8443"),
        ("http://lab.example:80", "http://lab.example", "lab.example"),
    ],
)
def test_an_origin_is_said_as_browsers_say_it(text: str, said: str, netloc: str) -> None:
    origin = Origin.parse(text)
    assert (str(origin), origin.netloc) == (said, netloc)


@pytest.mark.parametrize(
    "text",
    [
        "lab.example",
        "null",
        "ftp://lab.example",
        "https://",
        "https://lab.example/lab",
        "https://:1",
        "https://lab.example?x",
        "https://me@lab.example",
        "https://lab.example:99999",
        "https://a b",
    ],
)
def test_what_is_no_origin_is_named_with_the_setting(text: str) -> None:
    with pytest.raises(OriginError):
        Origin.parse(text)
    with pytest.raises(SettingError, match=r"THINLAB_PUBLIC_ORIGIN: .*https://lab\.example"):
        Settings.read({"THINLAB_PUBLIC_ORIGIN": text})


def test_the_settings_former_name_is_not_passed_over() -> None:
    with pytest.raises(SettingError, match="is called THINLAB_PUBLIC_ORIGIN now"):
        Settings.read({"THINLAB_PUBLIC_ADDRESS": "http://192.0.2.7:8000"})


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("https://lab.example", True),
        # The whole name would be bound, with whatever else it serves on its other ports.
        ("https://lab.example:8443", False),
        ("http://lab.example", False),
        ("https://192.0.2.7", False),
        ("https://localhost", False),
        ("https://desk.local", False),
        ("https://desk", False),
    ],
)
def test_only_a_registered_name_on_the_port_of_https_is_strict(text: str, *, strict: bool) -> None:
    assert is_strict(Origin.parse(text), None) is strict
    assert not is_strict(None, None)
