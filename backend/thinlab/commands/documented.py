"""`python -m thinlab.commands.documented`: fills the tables in docs/ that are said elsewhere.

A table stands between a first line and `<!-- table ends -->`. Of a message's fields or an
enumeration's values that `lab.proto` describes, the first line is `<!-- contract: NAME -->`; of
the columns of a trial kind's own export that have one source, `<!-- columns: EXPORT SOURCE -->`.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterable
from pathlib import Path

from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.trials.registry import KINDS

DOCS = Path(__file__).parents[3] / "docs"
MARKED = re.compile(r"(<!-- (contract|columns): ([^>]+) -->\n).*?(<!-- table ends -->)", re.DOTALL)


def main() -> None:
    """Writes the pages that are not as they should be."""
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text()
        if (wanted := filled(text)) != text:
            page.write_text(wanted)


def filled(text: str) -> str:
    """A page with every table as it should be. Raises `KeyError` for what there is not."""

    def fill(found: re.Match[str]) -> str:
        table = _of_contract if found[2] == "contract" else _of_columns
        return f"{found[1]}\n{table(found[3])}\n{found[4]}"

    return MARKED.sub(fill, text)


def _of_contract(name: str) -> str:
    if name in pb.DESCRIPTOR.enum_types_by_name:
        terms = registry.values(pb.DESCRIPTOR.enum_types_by_name[name])
        rows = [(f"`{one.name}`", one.title, one.meaning, one.source) for one in terms.values()]
        return _lines(("name", "title", "meaning", "source"), rows)
    fields = registry.fields(pb.DESCRIPTOR.message_types_by_name[name])
    rows = [(f"`{one.name}`", one.title, one.unit, one.meaning) for one in fields.values()]
    return _lines(("name", "title", "unit", "meaning"), rows)


def _of_columns(name: str) -> str:
    export, source = name.split()
    tables = {name: own for kind in KINDS.values() for name, own in kind.tables.items()}
    rows = [
        (f"`{column.name}`", column.unit, column.meaning)
        for column in tables[export].columns
        if column.source == source
    ]
    if not rows:
        raise KeyError(name)
    return _lines(("column", "unit", "meaning"), rows)


def _lines(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    ruled = (head, ("---",) * len(head), *rows)
    return "".join(
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |\n" for row in ruled
    )


if __name__ == "__main__":
    main()
