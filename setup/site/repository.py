"""Brings along what pages of docs/ link to elsewhere: the README, a study file, a configuration.

Such a file becomes a page of its own under `repository/`, Markdown as it is and
anything else as a listing, so that a link works in the repository and on the site.

SPDX-License-Identifier: Apache-2.0
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = "docs/"
ELSEWHERE = "repository/"
# Of Markdown, and of the HTML in it.
LINK = re.compile(r'(?P<before>\]\(|\b(?:src|srcset|href)=")(?P<to>[^)"#:]+)(?=[)"#])')
FENCE = "~~~~~~~~"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds a page for each file of the repository that a page links to."""
    pages = [page.src_uri for page in files.documentation_pages()]
    while pages:
        uri = pages.pop()
        for path in _linked(uri, (ROOT / _path_of(uri)).read_text()):
            there = _uri_of(path)
            if not there.startswith(ELSEWHERE) or files.get_file_from_path(there):
                continue
            files.append(File.generated(config, there, content=_page_of(path)))
            if path.endswith(".md"):
                pages.append(there)
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turns links between places of the repository into links between places of the site."""
    uri = page.file.src_uri
    if not (ROOT / _path_of(uri)).is_file():
        return markdown

    def there(link: re.Match[str]) -> str:
        to = posixpath.relpath(_uri_of(_target(uri, link["to"])), posixpath.dirname(uri) or ".")
        return link["before"] + to

    return LINK.sub(there, markdown)


def _linked(uri: str, markdown: str) -> list[str]:
    targets = [_target(uri, link["to"]) for link in LINK.finditer(markdown)]
    return [target for target in targets if (ROOT / target).is_file()]


def _target(uri: str, link: str) -> str:
    """Where a page's link leads, seen from the repository's root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(_path_of(uri)), link))


def _path_of(uri: str) -> str:
    return uri.removeprefix(ELSEWHERE) if uri.startswith(ELSEWHERE) else DOCS + uri


def _uri_of(path: str) -> str:
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return ELSEWHERE + path + ("" if path.endswith(".md") else ".md")


def _page_of(path: str) -> str:
    text = (ROOT / path).read_text()
    if path.endswith(".md"):
        return text
    language = Path(path).suffix.removeprefix(".") or "text"
    # Its words would bury what the documentation says of them.
    return f"---\nsearch: {{exclude: true}}\n---\n# {path}\n\n{FENCE} {language}\n{text}\n{FENCE}\n"
