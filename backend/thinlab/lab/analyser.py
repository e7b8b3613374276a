"""The agent's program as the analyser of captures, which are files.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
from pathlib import Path

# Of one call; the longest read the captures of some minutes of hundreds of connections.
LIMIT_S = 300
# Of what it says when it fails; the end tells why.
MOST_SAID = 500


class AnalyserError(Exception):
    """It took too long, cannot be run, or refused the captures; the text says which."""


def said(program: Path, *words: Path | str) -> bytes:
    """What it prints. Raises `AnalyserError`."""
    try:
        done = subprocess.run(
            [program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise AnalyserError(f"The analyser took longer than {LIMIT_S} s.") from error
    except OSError as error:
        raise AnalyserError(f"{program} cannot be run: {error.strerror}.") from error
    if done.returncode != 0:
        raise AnalyserError(done.stderr.decode("utf-8", "replace").strip()[-MOST_SAID:])
    return done.stdout
