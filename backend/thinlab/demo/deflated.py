"""What many pages are sent, compressed once for all of them.

Each message is compressed by itself (RFC 7692's "no context takeover"): what comes of it depends on
nothing that was sent before, so that it is the same for everybody.

SPDX-License-Identifier: Apache-2.0
"""

import zlib
from functools import lru_cache

# More of it takes twice as long and gains a twentieth.
LEVEL = 6
# What comes late gets the last seconds anew: so much of two demos.
REMEMBERED = 256
# Of a sync flush, which RFC 7692 leaves out.
TAIL = b"\x00\x00\xff\xff"


@lru_cache(maxsize=REMEMBERED)
def deflated(content: bytes) -> bytes:
    """A message's compressed payload, as a WebSocket carries it. Any thread may ask."""
    packer = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)
    return packed.removesuffix(TAIL)
