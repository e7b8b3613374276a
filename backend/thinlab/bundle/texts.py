"""What a bundle says of itself: README, citation, licence, and its description.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from thinlab import __version__
from thinlab.analysis.registry import StudyResults
from thinlab.clips.manifest import ManifestClip
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import used_clips
from thinlab.study.freeze import Freeze
from thinlab.study.text import said

TEMPLATES = files("thinlab.bundle") / "templates"
NOT_LICENSED = (
    "No licence was named for these data (`--licence`). Until their authors grant one, nobody else "
    "may copy or reuse them."
)


@dataclass(frozen=True)
class Texts:
    """Everything that is written for people to read."""

    study: StoredStudy
    results: StudyResults
    frozen: Freeze | None
    clips: Mapping[str, ManifestClip]
    authors: tuple[str, ...]
    licence: str | None

    @property
    def title(self) -> str:
        """Of the dataset."""
        definition = self.study.definition
        return f"{said(definition.title, definition.languages[0])} ({self.study.slug})"

    @property
    def described(self) -> dict[str, Any]:
        """Properties of a schema.org Dataset."""
        definition = self.study.definition
        return {
            "name": self.title,
            "description": said(definition.description, definition.languages[0]),
            "author": [{"@type": "Person", "name": name} for name in self.authors],
            "license": self.licence,
            "citation": "CITATION.cff",
            "identifier": f"sha256:{self.hash}",
            "inLanguage": list(definition.languages),
            "keywords": ["listening test", "blind study", "TCP", "thin streams"],
        }

    @property
    def hash(self) -> str:
        """Of the study as frozen, or as it is where it never was."""
        return self.frozen.document.hashes.whole if self.frozen else self.study.content_hash

    def files(self, *, audio: bool, words: bool) -> dict[str, str]:
        """By name."""
        return {
            "README.md": self._readme(audio=audio, words=words),
            "CHANGES.md": f"# Changes\n\nFirst version, made by Thinlab {__version__}.\n",
            "CITATION.cff": self._citation(),
            "LICENSE.txt": self._licences(),
            ".psychdsignore": "CITATION.cff\nLICENSE.txt\nmaterials/recordings\n",
        }

    def _readme(self, *, audio: bool, words: bool) -> str:
        frozen = (
            f"It was frozen at {self.frozen.at:%Y-%m-%d %H:%M:%S} UTC: "
            f"`documentation/frozen_plan.json`, SHA-256 `{self.hash}`; "
            "`documentation/frozen.json` lists in what the study is otherwise now."
            if self.frozen
            else "It was never frozen: nothing shows that it was decided before anybody voted."
        )
        sound = (
            "`materials/recordings/` has what was heard, each file under its SHA-256 (`content`)."
            if audio
            else "The recordings themselves are not in it (`--audio` puts them in)."
        )
        said_words = (
            "Words that participants wrote, and the researcher's reasons about them, are in it: "
            "look through them before you publish."
            if words
            else "Nothing that participants wrote in their own words is in it, nor the "
            "researcher's reasons about them (`--words` puts both in)."
        )
        return (
            (TEMPLATES / "README.md")
            .read_text(encoding="utf-8")
            .format(
                title=self.title,
                described=self.described["description"],
                analysed=self.results.participants_analysed,
                votes=self.results.votes_analysed,
                excluded=self.results.participants_excluded,
                frozen=frozen,
                sound=sound,
                words=said_words,
                version=__version__,
            )
        )

    def _citation(self) -> str:
        # Strings of JSON are strings of YAML.
        authors = "\n".join(f"  - name: {json.dumps(name)}" for name in self.authors) or (
            "  - name: (nobody was named; --author does)"
        )
        licence = f"license: {json.dumps(self.licence)}\n" if self.licence else ""
        return (
            "cff-version: 1.2.0\n"
            "message: Please cite this dataset as below.\n"
            "type: dataset\n"
            f"title: {json.dumps(self.title, ensure_ascii=False)}\n"
            f"authors:\n{authors}\n"
            f"{licence}"
            "identifiers:\n"
            f"  - type: other\n    value: sha256:{self.hash}\n"
            "    description: The study, as frozen or as it is\n"
        )

    def _licences(self) -> str:
        used = sorted(used_clips(self.study.definition) & set(self.clips))
        recordings = "\n".join(
            f"- {name}: {clip.attribution} ({clip.licence}; {clip.changes}). {clip.described}"
            for name, clip in ((name, self.clips[name]) for name in used)
        )
        data = f"Licensed under {self.licence}." if self.licence else NOT_LICENSED
        return (
            f"Data, documentation and results\n\n{data}\n\n"
            "Scripts in analysis/\n\nApache-2.0, as Thinlab.\n\n"
            "Recordings in materials/ (if any), and the clips that they were made of\n\n"
            f"{recordings or 'None.'}\n"
        )
