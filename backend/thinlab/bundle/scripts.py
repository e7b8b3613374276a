"""The analysis of a bundle: what all kinds of results have in common, and the parts of single ones.

A kind of result whose figures are not worked out in `templates/` has a file of the same name in
its own folder, which uses what comes before its place there.

SPDX-License-Identifier: Apache-2.0
"""

from importlib.resources import files

from thinlab.analysis.registry import RESULT_KINDS
from thinlab.bundle.texts import TEMPLATES

# Where the parts of single kinds come, as each language comments.
PLACES = {"analysis.md": "<!-- kinds of results -->\n", "analysis.R": "# (kinds of results)\n"}


def script(name: str) -> str:
    """`analysis.md` or `analysis.R`, whole."""
    before, after = (TEMPLATES / name).read_text(encoding="utf-8").split(PLACES[name])
    folders = (files("thinlab.analysis") / kind.name for kind in RESULT_KINDS)
    parts = (folder / name for folder in folders)
    return (
        before
        + "".join(
            part.read_text(encoding="utf-8").strip("\n") + "\n\n"
            for part in parts
            if part.is_file()
        )
        + after
    )
