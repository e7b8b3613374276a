"""`python -m thinlab.contract.documented`: fills the contract's tables in docs/.

A table stands between `<!-- contract: NAME -->` and `<!-- contract ends -->`, of a
message's fields or an enumeration's values that `lab.proto` describes.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterable
from pathlib import Path

from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb

DOCS = Path(__file__).parents[3] / "docs"
MARKED = re.compile(r"(<!-- contract: (\w+) -->\n).*?(<!-- contract ends -->)", re.DOTALL)


def main() -> None:
    """Writes the pages that are not as the contract has it."""
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text()
        if (wanted := filled(text)) != text:
            page.write_text(wanted)


def filled(text: str) -> str:
    """A page with every table as the contract has it. Raises `KeyError` for what it has not."""
    return MARKED.sub(lambda found: f"{found[1]}\n{table(found[2])}\n{found[3]}", text)


def table(name: str) -> str:
    """Of a message's fields, or of an enumeration's values."""
    if name in pb.DESCRIPTOR.enum_types_by_name:
        terms = registry.values(pb.DESCRIPTOR.enum_types_by_name[name])
        rows = [(f"`{one.name}`", one.title, one.meaning, one.source) for one in terms.values()]
        return _lines(("name", "title", "meaning", "source"), rows)
    terms = registry.fields(pb.DESCRIPTOR.message_types_by_name[name])
    rows = [(f"`{one.name}`", one.title, one.unit, one.meaning) for one in terms.values()]
    return _lines(("name", "title", "unit", "meaning"), rows)


def _lines(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    ruled = (head, ("---",) * len(head), *rows)
    return "".join(
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |\n" for row in ruled
    )


if __name__ == "__main__":
    main()
