"""Processes that end with the one that started them.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
import signal


def dying_with_us(how: signal.Signals = signal.SIGKILL) -> list[str]:
    """Makes the kernel end the process when we are killed without a chance to."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", how.name.removeprefix("SIG"), "--"] if setpriv else []
