"""Ways from a report to the pages behind it: of a cell's sessions, and of one session.

A report that lies on somebody's disk has none: there is nothing behind it.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from thinlab.experiment import table
from thinlab.experiment.definition import Cell
from thinlab.experiment.summary import CellSummary

PAGES = "/researcher/experiments"
# All that is in one is what the pointer hits.
WAY = re.compile(r'<a xlink:href="(/researcher/[^"]*)" target="_blank">')
TARGET = re.compile(rb'<a xlink:href="/researcher/.*?</a>', re.DOTALL)


@dataclass(frozen=True)
class Links:
    """Of one experiment."""

    experiment: str
    summaries: Sequence[CellSummary]

    @property
    def page(self) -> str:
        """The experiment's own."""
        return f"{PAGES}/{self.experiment}"

    def cell(self, cell: Cell) -> str:
        """Of a cell's sessions."""
        return f"{self.page}/cells/{cell.address}"

    def session(self, key: str) -> str:
        """Of one session."""
        return f"{self.page}/sessions/{key}"

    def taken_out(self, svg: bytes) -> bytes:
        """A drawing as a file of its own, in which nothing leads anywhere."""
        return TARGET.sub(b"", svg)

    def in_picture(self, svg: str) -> str:
        """A drawing's links as HTML has them, each with a name.

        Not on the way of the Tab key, on which hundreds of points would lie: the rows of the
        table above lead to the same pages.
        """
        axes = table.varying(self.summaries)
        words = {
            self.cell(one.cell): escape(f"Sessions of {table.where(one.cell, axes)}")
            for one in self.summaries
        }

        def named(found: re.Match[str]) -> str:
            way = found[1]
            said = words[way]
            return f'<a href="{way}" tabindex="-1" aria-label="{said}"><title>{said}</title>'

        return WAY.sub(named, svg)
