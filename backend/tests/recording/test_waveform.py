"""The outline that the researcher sees follows the samples.

SPDX-License-Identifier: Apache-2.0
"""

import struct

import pytest

from thinlab.recording.waveform import outline


def samples(*values: int) -> bytes:
    """Little-endian 16 bit."""
    return struct.pack(f"<{len(values)}h", *values)


def test_each_bucket_holds_its_extremes() -> None:
    shape = outline(samples(0, 16_384, -32_768, 1_000, 0, 0, -8_192), 3)
    assert shape.lowest == [-1.0, 0.0, -0.25]
    assert shape.highest == [0.5, pytest.approx(1_000 / 32_768, abs=1e-4), -0.25]
    assert shape.bucket_ms == pytest.approx(3 * 1000 / 48_000)


@pytest.mark.parametrize(("count", "buckets"), [(1, 1000), (999, 1000), (1001, 1000), (48_000, 7)])
def test_there_are_never_more_buckets_than_asked_for(count: int, buckets: int) -> None:
    shape = outline(samples(*([100] * count)), buckets)
    assert 0 < len(shape.lowest) == len(shape.highest) <= buckets
    assert (
        (len(shape.lowest) - 1) * shape.bucket_ms
        < count / 48
        <= (len(shape.lowest) * shape.bucket_ms + 1e-9)
    )


def test_silence_of_no_length_has_no_buckets() -> None:
    assert outline(b"", 10).lowest == []
