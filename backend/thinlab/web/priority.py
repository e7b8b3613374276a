"""The web server's place on a busy machine: before what nobody waits for.

Every key passes through one thread of this process for a millisecond or two. Behind
programs that compute without a pause it would get their slices to wait for each time.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import os
from pathlib import Path

# Against one that computes without a pause, 28 parts of 29. Not real-time priority, as the lab's
# guests have: a flood of requests must leave the database its share.
NICENESS = -15
# Where Linux shares out processor time by sessions, niceness counts within one only.
SESSION = Path("/proc/self/autogroup")


def go_before_others() -> bool:
    """Asks for it; whether the machine allows it (root, `CAP_SYS_NICE`, or `ulimit -e 35`)."""
    try:
        # Of this thread, and those that it starts.
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    except PermissionError:
        return False
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            SESSION.write_text(str(NICENESS))
    return True
