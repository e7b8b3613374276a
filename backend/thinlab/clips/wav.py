"""WAV, in the one form we use: 48 kHz, mono, 16 bit, a 44-byte header.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import io
import wave
from pathlib import Path

SAMPLE_RATE_HZ = 48_000
SAMPLE_BYTES = 2
HEADER_BYTES = 44


class WavError(ValueError):
    """A file that is not WAV in our form; the text names file and reason."""


def encode(samples: bytes) -> bytes:
    """A WAV file of little-endian 16-bit samples. Equal lengths give equal headers."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(SAMPLE_BYTES)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes(samples)
    return buffer.getvalue()


def sha256(samples: bytes) -> str:
    """Of the WAV file of these samples."""
    return hashlib.sha256(encode(samples)).hexdigest()


def read(path: Path) -> bytes:
    """The samples of a WAV file, little-endian 16 bit. Raises `WavError`."""
    try:
        with wave.open(str(path), "rb") as file:
            form = (file.getframerate(), file.getnchannels(), file.getsampwidth())
            if form != (SAMPLE_RATE_HZ, 1, SAMPLE_BYTES):
                raise WavError(f"{path}: not 48 kHz mono 16 bit but {form}")
            frames = file.getnframes()
            samples = file.readframes(frames)
    except (wave.Error, EOFError) as error:
        raise WavError(f"{path}: not a WAV file ({error})") from error
    if len(samples) != frames * SAMPLE_BYTES:
        raise WavError(f"{path}: cut short, {len(samples)} bytes of {frames * SAMPLE_BYTES}")
    return samples


def check_header(path: Path, header: bytes, size_bytes: int) -> None:
    """Raises `WavError` unless this is the header of a whole file of that size in our form."""
    if size_bytes < HEADER_BYTES:
        raise WavError(f"{path}: cut short, {size_bytes} bytes")
    expected = bytearray(encode(b""))
    expected[4:8] = (size_bytes - 8).to_bytes(4, "little")
    expected[40:44] = (size_bytes - HEADER_BYTES).to_bytes(4, "little")
    if header != expected:
        raise WavError(f"{path}: not a whole WAV file of 48 kHz mono 16 bit")


def duration_ms(samples: bytes) -> int:
    """Length of the samples, rounded."""
    return round(len(samples) / SAMPLE_BYTES * 1000 / SAMPLE_RATE_HZ)
