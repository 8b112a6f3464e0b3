"""Functions for URLs and IP addresses."""

from __future__ import annotations

import socket
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

#: Addresses that no machine has. Connecting a datagram socket to one sends nothing, but reveals
#: which local address the system would use.
NOWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
ANY_PORT = 9
EVERYWHERE = ("0.0.0.0", "::")
#: Providers give each customer at least a /64 network, so a network counts as one client.
IPV6_CLIENT_BITS = 64


def url_of(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def network_hosts() -> list[str]:
    found = []
    for family, nowhere in NOWHERE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nowhere, ANY_PORT))
            found.append(str(asking.getsockname()[0]))
    return [host for host in found if not ip_address(host).is_loopback]


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached only from this machine.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "192.0.2.7", "duels")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def addresses_for_others(host: str, port: int) -> list[str]:
    if is_loopback(host):
        return []
    if host not in EVERYWHERE:
        return [url_of(host, port)]
    hosts = network_hosts() if host == "::" else [h for h in network_hosts() if ":" not in h]
    return [url_of(each, port) for each in hosts]


def within(address: str, network: str) -> bool:
    try:
        return ip_address(address) in ip_network(network)
    except ValueError:
        return False


@lru_cache(10_000)
def client_of(address: str) -> str:
    """Return the name of the client with this address. A /64 IPv6 network is one client.

    >>> client_of("192.0.2.7"), client_of("::ffff:192.0.2.7"), client_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        host_bits = 128 - IPV6_CLIENT_BITS
        return str(IPv6Address(int(found) >> host_bits << host_bits))
    return str(found)
