"""Makes a bundle: what a study asked, what was answered, what was heard, and how it is analysed.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from thinlab.analysis import results
from thinlab.analysis.asked import Asked
from thinlab.analysis.delay import results as delay
from thinlab.analysis.figure import Figure
from thinlab.analysis.kind import Kinds as AnalysedKinds
from thinlab.analysis.plan import plan_of
from thinlab.analysis.registry import StudyResults, figures
from thinlab.bundle import folder as folders
from thinlab.bundle import psych_ds, tables
from thinlab.bundle.figures import FIGURES
from thinlab.bundle.notebook import notebook
from thinlab.bundle.scripts import script
from thinlab.bundle.texts import TEMPLATES, Texts
from thinlab.clips.manifest import ManifestClip
from thinlab.database.engine import Database, Snapshot
from thinlab.export.codebook import HEADER, codebook
from thinlab.export.kind import Kinds as ExportedKinds
from thinlab.export.table import CsvWriter, Header
from thinlab.monitoring import exclusion
from thinlab.recording.store import RecordingStore
from thinlab.study import deviation
from thinlab.study import freeze as freezing
from thinlab.study.catalogue import StoredStudy
from thinlab.study.freeze import Freeze

FOLDERS = ("data", "documentation", "materials", "analysis", "results")


@dataclass(frozen=True)
class Kinds:
    """What the kinds of trials say, to the export and to the analysis."""

    exported: ExportedKinds
    analysed: AnalysedKinds


@dataclass(frozen=True)
class Wanted:
    """What a bundle is to have beside what every bundle has."""

    audio: RecordingStore | None
    """Where recordings lie; none: without them."""
    words: bool
    """Whether what people wrote themselves is in it."""
    authors: tuple[str, ...]
    licence: str | None


async def make(
    target: Path,
    database: Database,
    study: StoredStudy,
    kinds: Kinds,
    clips: Mapping[str, ManifestClip],
    wanted: Wanted,
) -> int:
    """The folder, whole; returns how many files it has.

    Raises `FolderError`, and `StoreError` for recordings that are missing.
    """
    with folders.whole(target) as half_made:
        for name in FOLDERS:
            (half_made / name).mkdir()
        async with database.snapshot() as moment:
            content = await tables.write(
                half_made / "data", moment, study, kinds.exported, words=wanted.words
            )
            found = await _results(moment, study, kinds.analysed)
            weighed = await _weighed(moment, study, kinds.analysed)
            frozen = await _plan(half_made / "documentation", moment, study)
        if wanted.audio is not None:
            await _audio(half_made / "materials" / "recordings", wanted.audio, content.recordings)
        _write_figures(half_made / "results", found, weighed)
        _write_codebook(half_made / "documentation", content)
        _write_study(half_made / "materials", study)
        _write_analysis(half_made / "analysis")
        texts = Texts(study, found, frozen, clips, wanted.authors, wanted.licence)
        for name, text in texts.files(audio=wanted.audio is not None, words=wanted.words).items():
            (half_made / name).write_text(text, encoding="utf-8")
        psych_ds.write_description(half_made, texts.described, content.columns.values())
        return sum(one.is_file() for one in half_made.rglob("*"))


async def _results(moment: Snapshot, study: StoredStudy, kinds: AnalysedKinds) -> StudyResults:
    async with moment.transaction() as session:
        excluded = await exclusion.excluded(session, study)
        return await results.of_study(session, Asked(study, kinds, excluded))


async def _weighed(moment: Snapshot, study: StoredStudy, kinds: AnalysedKinds) -> list[Figure]:
    """What two metrics of recordings are worth to each other, where the plan asks.

    Those of typed trials are not: a session's are in a table of its own.
    """
    plan = plan_of(study.definition)
    if plan.weighed_against is None:
        return []
    async with moment.transaction() as session:
        excluded = await exclusion.excluded(session, study)
        reading = await delay.read(session, Asked(study, kinds, excluded))
    found = await reading.worked_out()
    heard = {block.id for block in plan.blocks if block.medium == "heard"}
    return [one for one in found.figures if one.block in heard]


async def _plan(folder: Path, moment: Snapshot, study: StoredStudy) -> Freeze | None:
    """What the study declared as it is analysed, and as it was frozen."""
    async with moment.transaction() as session:
        frozen = await freezing.of_study(session, study.slug)
        deviations = await deviation.of_study(session, study.slug) if frozen else []
    plan = plan_of(study.definition)
    declared = {
        "study": study.slug,
        "study_hash": study.content_hash,
        "hypothesis": plan.hypothesis,
        "confidence": plan.confidence,
        "correction": plan.correction,
        "rule": plan.rule,
        # Participants at each look before the end, and at the end; none are planned where empty.
        "looks": list(plan.looks),
        "delay_metric": plan.delay_metric,
        "weighed_against": plan.weighed_against,
        # Trials in the study file's order.
        "primary": [one.id for one in study.definition.trials if one.id in plan.primary],
        "hypotheses": [one.model_dump(mode="json", exclude_none=True) for one in plan.hypotheses],
        "blocks": [
            {
                "id": block.id,
                "scale": block.scale,
                "no_difference": block.no_difference,
                "trials": block.trials,
                "staircases": [asdict(one) for one in block.staircases],
                # Of a page, the condition that the others are rated beside.
                "reference": block.reference,
            }
            for block in plan.blocks
        ],
        "published": [one.model_dump(mode="json", exclude_none=True) for one in plan.published],
    }
    _write_json(folder / "analysis_plan.json", declared)
    if frozen is not None:
        (folder / "frozen_plan.json").write_text(
            frozen.document.model_dump_json(indent=2) + "\n", encoding="utf-8"
        )
        _write_json(
            folder / "frozen.json",
            {
                "at": frozen.at.isoformat(),
                "reason": frozen.reason,
                "hashes": frozen.document.hashes.model_dump(),
                "deviations": [one.model_dump(mode="json") for one in deviations],
            },
        )
    return frozen


async def _audio(folder: Path, store: RecordingStore, recordings: Mapping[str, str]) -> None:
    """Each recording under the SHA-256 that the tables name it by."""
    await asyncio.to_thread(folder.mkdir)
    for sha256, key in sorted(recordings.items()):
        # Read and checked as it would be for a participant.
        await store.samples(key)
        await asyncio.to_thread(
            shutil.copyfile, store.folder / key / "recording.wav", folder / f"{sha256}.wav"
        )


def _write_figures(folder: Path, found: StudyResults, weighed: list[Figure]) -> None:
    with (folder / "figures_page.csv").open("wb") as file:
        names = [column.name for column in FIGURES]
        writer = CsvWriter(file, Header(names, [column.kind for column in FIGURES]))
        writer.add([column.cell(one) for column in FIGURES] for one in [*figures(found), *weighed])
        writer.end()
    (folder / "findings_page.json").write_text(
        found.model_dump_json(indent=2) + "\n", encoding="utf-8"
    )


def _write_codebook(folder: Path, content: tables.Content) -> None:
    with (folder / "codebook.csv").open("wb") as file:
        writer = CsvWriter(file, HEADER)
        writer.add(codebook({**content.columns, "results/figures_page.csv": FIGURES}))
        writer.end()


def _write_study(folder: Path, study: StoredStudy) -> None:
    _write_json(folder / "study.json", study.definition.model_dump(mode="json"))


def _write_analysis(folder: Path) -> None:
    (folder / "analysis.ipynb").write_text(notebook(script("analysis.md")), encoding="utf-8")
    (folder / "analysis.R").write_text(script("analysis.R"), encoding="utf-8")
    requirements = (TEMPLATES / "requirements.txt").read_text(encoding="utf-8")
    (folder / "requirements.txt").write_text(requirements, encoding="utf-8")


def _write_json(file: Path, content: object) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
