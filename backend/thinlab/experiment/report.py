"""What an experiment leaves behind: rows, tables, figures, verdicts, in one folder.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from thinlab.experiment import broken, provenance, table
from thinlab.experiment import rows as row_files
from thinlab.experiment.broken import BrokenSession
from thinlab.experiment.checks import Verdict, judge
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.published import Published
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.rows import Row
from thinlab.experiment.store import SessionStore
from thinlab.experiment.summary import CellSummary, summarize

BROKEN_TOLD = (
    "Sessions whose connection broke or stood still on a path that flips bits. They have no "
    "measurements, and are in no other figure here."
)


class NothingRunError(Exception):
    """There are no results to show yet."""


@dataclass(frozen=True)
class Report:
    """An experiment's results."""

    experiment: ExperimentDefinition
    published: Published | None
    folder: Path

    @property
    def rows_file(self) -> Path:
        """The Parquet file, one row a session."""
        return self.folder / f"{self.experiment.name}.parquet"

    @property
    def broken_file(self) -> Path:
        """The sessions whose path broke the stream; there only where some did."""
        return self.folder / f"{self.experiment.name}-broken.csv"

    def broken(self) -> list[BrokenSession]:
        """These sessions."""
        return broken.read(self.broken_file)

    def written(self) -> date:
        """The day on which the Parquet file was written. Raises `NothingRunError`."""
        if not self.rows_file.exists():
            raise self._nothing_run()
        return datetime.fromtimestamp(self.rows_file.stat().st_mtime, UTC).date()

    def keys(self) -> list[str]:
        """Of the sessions in the Parquet file, this experiment's and others'.

        Raises `NothingRunError`.
        """
        if not self.rows_file.exists():
            raise self._nothing_run()
        return [row["key"] for row in row_files.read(self.rows_file)]

    def _nothing_run(self) -> NothingRunError:
        return NothingRunError(
            f"{self.rows_file} does not exist; `thinlab experiment run` makes it"
        )

    def collect(self, store: SessionStore, host_build: str) -> list[Row]:
        """Writes the Parquet file from what the store has of the experiment."""
        found: list[tuple[SessionRequest, Row]] = []
        broke: list[BrokenSession] = []
        for request in requests(self.experiment):
            key = request.key(host_build)
            record = store.read(key)
            if record is None:
                continue
            without_rows = broken.of_record(request, key, record)
            if without_rows is not None:
                broke.append(without_rows)
            else:
                made = provenance.columns(record)
                found += ((request, row | made) for row in row_files.rows_of(request, key, record))
        broken.write(self.broken_file, broke)
        row_files.compare_with_off(found)
        rows = [row for _, row in found]
        if rows:
            row_files.write(self.rows_file, rows)
            named = {row[provenance.SETTINGS] for row in rows if row.get(provenance.SETTINGS)}
            texts = {name: store.text(name) for name in named}
            known = {name: text for name, text in texts.items() if text is not None}
            provenance.keep_settings(self.folder, known)
        return rows

    def summaries(self, *, curves: bool = True) -> list[CellSummary]:
        """The cells of the Parquet file; for figures, with `curves`. Raises `NothingRunError`."""
        if not self.rows_file.exists():
            raise self._nothing_run()
        rows = row_files.read(self.rows_file, curves=curves)
        summaries = summarize(self.experiment, rows, rows[0]["host_build"])
        if not summaries:
            raise NothingRunError(
                f"{self.rows_file} holds other sessions than this experiment's; run it again"
            )
        return summaries

    def write_tables(self, summaries: Sequence[CellSummary]) -> tuple[str, list[Verdict]]:
        """Writes Markdown and CSV; returns the Markdown and the verdicts."""
        verdicts = judge(self.experiment.checks, summaries, self.published)
        text = self._text(summaries, verdicts)
        name = self.experiment.name
        (self.folder / f"{name}.md").write_text(text, encoding="utf-8")
        (self.folder / f"{name}.csv").write_text(
            table.as_csv(summaries, self.published), encoding="utf-8"
        )
        return text, verdicts

    def draw(self, summaries: Sequence[CellSummary]) -> list[Path]:
        """Writes the figures."""
        # Slow to import, and of no use to whoever only wants the tables.
        from thinlab.experiment import figure  # noqa: PLC0415

        return figure.draw(self.experiment, summaries, self.published, self.folder)

    def _text(self, summaries: Sequence[CellSummary], verdicts: Sequence[Verdict]) -> str:
        experiment = self.experiment
        runs = {len(one.rows) for one in summaries}
        counted = f"{min(runs)}" if len(runs) == 1 else f"{min(runs)} to {max(runs)}"
        parts = [
            f"# {experiment.title}",
            experiment.description.strip(),
            (
                f"{counted} runs of {experiment.minutes:g} virtual minutes a cell, seed "
                f"{experiment.seed}, host build `{summaries[0].rows[0]['host_build']}`. Means over "
                "the runs ± the half width of their 95 % confidence interval; of a maximum, the "
                "highest of all runs."
            ),
            table.markdown(experiment, summaries, self.published),
        ]
        if self.published is not None:
            parts.append(f"{self.published.short}: {self.published.source}")
        if broke := self.broken():
            parts += ["## Broken by the path", BROKEN_TOLD, table.broken_markdown(broke)]
        if verdicts:
            parts += ["## What must show", table.verdicts_markdown(verdicts)]
        return "\n\n".join(part.rstrip() for part in parts) + "\n"
