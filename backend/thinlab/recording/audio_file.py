"""A stored WAV file, sent as it lies: many listeners at once, little memory, every file alike.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from thinlab.clips import wav

# A listener holds so much in the server's memory, however slow their line is.
CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class AudioFile:
    """A file in our one form of WAV, whole when it was looked at."""

    path: Path
    size_bytes: int

    @classmethod
    async def of(cls, path: Path) -> Self:
        """Looks at a file's header and length. Raises `OSError` and `WavError`."""
        return await asyncio.to_thread(cls._of, path)

    @classmethod
    def _of(cls, path: Path) -> Self:
        with path.open("rb") as file:
            size_bytes = os.fstat(file.fileno()).st_size
            wav.check_header(path, file.read(wav.HEADER_BYTES), size_bytes)
            # The rest is in memory by the time it is sent, for this file as for any other.
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
        return cls(path, size_bytes)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The bytes as they lie in the file, others having their turn between any two chunks.

        Read here and not in a thread: from memory that takes less than the
        change of threads would.
        """
        with self.path.open("rb", buffering=0) as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
                await asyncio.sleep(0)
