"""The addresses of hosts, as people type and read them."""

from __future__ import annotations

from engine.core.lan_protocol import DEFAULT_PORT


def place_words(address: str, port: int) -> str:
    """Return an address with its port, as it is typed."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def parse_place(text: str) -> tuple[str, int]:
    """Return address and port of what somebody typed: "anna-pc", "192.168.1.5:21100", "[fe80::1]:21100".

    Raises ValueError with the reason.
    """
    text = text.strip()
    if text.startswith("["):
        address, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError("an address in brackets ends with ] and perhaps :PORT")
        port = rest[1:]
    elif text.count(":") == 1:
        address, _, port = text.partition(":")
    else:
        address, port = text, ""  # with more than one colon an address of its own
    if (
        not address
        or len(address) > 255
        or any(one.isspace() or not one.isprintable() or one in "/?#@[]" for one in address)
    ):
        raise ValueError("the address is the name of a machine, or a number such as 192.168.1.5")
    if not port:
        return address, DEFAULT_PORT
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= 65535):
        raise ValueError("the port, behind the colon, is a number from 1 to 65535")
    return address, int(port)
