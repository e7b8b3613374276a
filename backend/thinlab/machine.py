"""What this machine is called in its network.

SPDX-License-Identifier: Apache-2.0
"""

import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

import psutil


@lru_cache(maxsize=1)
def own_names() -> tuple[str, ...]:
    """Its names, without and with a domain; asks the resolver once, which may take seconds."""
    short = socket.gethostname().lower().rstrip(".")
    whole = socket.getfqdn(short).lower().rstrip(".")
    names = [short, f"{short.split('.')[0]}.local", whole]
    return tuple(dict.fromkeys(name for name in names if name and name != "localhost"))


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """Those at which others may find it now."""
    said = [
        entry.address.split("%")[0]
        for entries in psutil.net_if_addrs().values()
        for entry in entries
        if entry.family in {socket.AF_INET, socket.AF_INET6}
    ]
    found = {ip_address(one) for one in said}
    public = [one for one in found if not (one.is_loopback or one.is_link_local)]
    return sorted(public, key=lambda one: (one.version, int(one)))
