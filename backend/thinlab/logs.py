"""Logs of the server's processes: lines for people, or JSON for what collects them.

Neither has addresses, tokens, votes or parameters in it: nothing logs them, and errors of the
database come without values (`database/discreet.py`).

SPDX-License-Identifier: Apache-2.0
"""

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime

from thinlab.settings import SettingError

TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class JsonLines(logging.Formatter):
    """A record a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time in UTC, level, which part, what happened, and the trace of an error."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__qualname__
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr(environment: Mapping[str, str] = os.environ) -> None:
    """As THINLAB_LOG says: `text`, or `json`. Raises `SettingError`."""
    form = environment.get("THINLAB_LOG") or "text"
    if form not in {"text", "json"}:
        raise SettingError(f"THINLAB_LOG is {form!r}; give `text` or `json`")
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter(TEXT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.captureWarnings(capture=True)
