"""The tables in docs/ that are said elsewhere say the same.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from thinlab.commands import documented
from thinlab.contract.generated import lab_pb2 as pb

PAGES = sorted(documented.DOCS.glob("*.md"))
DOCUMENTED = {
    "Mechanism", "Baseline", "Path", "TraceMetrics", "LateMessages", "FeltMetrics",
    "typing-sessions keystrokes",
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_as_it_should_be(page: Path) -> None:
    text = page.read_text()
    assert text == documented.filled(text), "run `python -m thinlab.commands.documented`"
    begun = text.count("<!-- contract: ") + text.count("<!-- columns: ")
    assert begun == len(documented.MARKED.findall(text))


def test_what_people_set_and_look_up_has_its_table() -> None:
    found = [
        name for page in PAGES for _, _, name, _ in documented.MARKED.findall(page.read_text())
    ]
    assert set(found) >= DOCUMENTED
    assert len(set(found)) == len(found)


def test_a_table_that_says_something_else_is_filled_anew() -> None:
    page = "Before.\n\n<!-- contract: Baseline -->\n| `reno` |\n<!-- table ends -->\n\nAfter.\n"
    whole = documented.filled(page)
    assert "reno`" not in whole
    assert whole.startswith("Before.\n")
    assert whole.endswith("\nAfter.\n")
    names = [name.removeprefix("BASELINE_").lower() for name in pb.Baseline.keys()[1:]]
    assert all(f"\n| `{name}` | " in whole for name in names)
    assert documented.filled(whole) == whole


@pytest.mark.parametrize(
    "mark", ["contract: Nothing", "columns: nothing keystrokes", "columns: typing-sessions nobody"]
)
def test_a_table_of_nothing_is_no_table(mark: str) -> None:
    with pytest.raises(KeyError):
        documented.filled(f"<!-- {mark} -->\n<!-- table ends -->\n")
