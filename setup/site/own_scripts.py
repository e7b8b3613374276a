"""Moves the theme's inline scripts into files: the server lets pages run its own files only.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

FOLDER = "assets/inline"
# Not those with attributes: they name a file, or hold data.
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Each script once, named by its content."""
    folder = posixpath.dirname(page.file.dest_uri) or "."

    def as_file(script: re.Match[str]) -> str:
        name = f"{FOLDER}/{hashlib.sha256(script[1].encode()).hexdigest()[:16]}.js"
        file = Path(config.site_dir) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script[1])
        return f'<script src="{posixpath.relpath(name, folder)}"></script>'

    return INLINE.sub(as_file, output)
