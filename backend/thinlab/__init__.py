"""Thinlab's backend: studies, recordings, blind presentations, votes, export.

SPDX-License-Identifier: Apache-2.0
"""

import os

__version__ = "0.1.0"

# NumPy's library reads this when it is imported. Our matrices are small: with a thread for each
# processor it takes longer, and those that wait for work spin, beside whoever is typing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
