"""What a player makes of the sound that is kept of a demo.

SPDX-License-Identifier: Apache-2.0
"""

import io

import av
import numpy as np
from numpy.typing import NDArray


def decoded(content: bytes) -> NDArray[np.float64]:
    """What a player makes of a file: FFmpeg's, which has no part in our own writing."""
    with av.open(io.BytesIO(content), "r") as file:
        frames = [frame.to_ndarray().reshape(-1) for frame in file.decode(audio=0)]
    return np.concatenate(frames).astype(np.float64)
