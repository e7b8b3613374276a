"""Documents that are whole in themselves, such as reports: in a sandbox, under their own policy.

They are made on this machine, and may nevertheless do nothing: no request, no form, no script
but one that they name by its hash, and no origin whose storage or cookies they could read.

SPDX-License-Identifier: Apache-2.0
"""

import re
from pathlib import Path

from fastapi.responses import FileResponse

# As the document's own policy names it, which stands at its beginning.
SCRIPT = re.compile(rb"script-src '(sha256-[A-Za-z0-9+/=]{44})'")
BEGINNING_BYTES = 2_048


def document(file: Path) -> FileResponse:
    """A document on its way to a browser."""
    with file.open("rb") as opened:
        script = SCRIPT.search(opened.read(BEGINNING_BYTES))
    scripts = [] if script is None else [f"script-src '{script[1].decode()}'"]
    policy = (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        *scripts,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        f"sandbox allow-downloads{' allow-scripts' if scripts else ''}",
    )
    return FileResponse(
        file,
        media_type="text/html; charset=utf-8",
        headers={
            "Content-Security-Policy": "; ".join(policy),
            # Browsers show nothing that asks for a sandbox and for windows of its own.
            "Cross-Origin-Opener-Policy": "unsafe-none",
            "Cache-Control": "private, no-cache",
        },
    )
