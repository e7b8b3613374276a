"""Who asks, without a name: a keyed hash of an address, under a key that nobody keeps.

To tell one flood from another the server has to recognise an address for some
minutes. It never stores one: what is counted by is a hash under a key that
lives in this process's memory alone and is another every day, so that nothing
that could be taken from it leads back to anybody. Of IPv6 the first 64 bits
count, as a household or a telephone has all the rest.

Behind a proxy every address is the proxy's. What it says in `X-Forwarded-For`
counts where the proxy's own address was named in the settings, and nowhere
else: anybody can send that header.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Generic, TypeVar

Network = IPv4Network | IPv6Network
Caller = bytes

NOBODY: Caller = b""
"""Where there is no address, as on a Unix socket: all of them are one."""
KEY_LIFE_S = 24 * 60 * 60.0
HASH_BYTES = 12
IPV6_HOUSEHOLD_BITS = 64
# Each costs some hundred bytes; who is pushed out begins anew, with a full bucket.
CALLERS_LIMIT = 10_000
# A chain of proxies is short, and a header is a stranger's to write.
PROXIES_LIMIT = 8

T = TypeVar("T")


class Callers:
    """Tells callers apart, under today's key."""

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        self._proxies = tuple(proxies)
        self._key = secrets.token_bytes(32)
        self._until_s: float | None = None

    def of(self, peer: str | None, forwarded: str | None, now_s: float) -> Caller:
        """The caller at the other end of a connection, or beyond the proxies that are trusted."""
        if self._until_s is None or now_s >= self._until_s:
            self._key = secrets.token_bytes(32)
            self._until_s = now_s + KEY_LIFE_S
        household = _household(self._beyond_proxies(peer, forwarded))
        if household is None:
            return NOBODY
        return hashlib.blake2b(household, key=self._key, digest_size=HASH_BYTES).digest()

    def _beyond_proxies(self, peer: str | None, forwarded: str | None) -> str | None:
        address = peer
        hops = forwarded.split(",")[-PROXIES_LIMIT:] if forwarded else []
        while hops and self.is_proxy(address):
            address = hops.pop().strip()
        return address

    def is_proxy(self, address: str | None) -> bool:
        """Whether an address is one of a proxy that is trusted."""
        try:
            found = ip_address(address or "")
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        return any(found in network for network in self._proxies)


def _household(address: str | None) -> bytes | None:
    try:
        found = ip_address(address or "")
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return found.ipv4_mapped.packed
        return found.packed[: IPV6_HOUSEHOLD_BITS // 8]
    return found.packed


class Bounded(Generic[T]):
    """Something for each of at most so many; the one that was asked for longest ago gives way."""

    def __init__(self, make: Callable[[], T], limit: int = CALLERS_LIMIT) -> None:
        self._make = make
        self._limit = limit
        self._kept: OrderedDict[object, T] = OrderedDict()

    def __getitem__(self, key: object) -> T:
        if key not in self._kept:
            self._kept[key] = self._make()
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)

    def keys(self) -> Iterable[object]:
        """Of those that are kept."""
        return self._kept.keys()
