"""`python -m thinlab` is the `thinlab` command.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.cli import app

app()
