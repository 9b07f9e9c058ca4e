"""Small recordings built in the tests."""

from __future__ import annotations

from ksreplay.formats import tad_build as build

DPIDS = {1: 0x11111111, 2: 0x22222222}


def setup(
    *,
    version: int = 5,
    max_units: int | None = 500,
    players: tuple[tuple[int, int, str], ...] = ((1, 0, "alpha"), (2, 1, "beta")),
    dpids: dict[int, int] | None = None,
    sectors: tuple[tuple[int, bytes], ...] = ((3, b"0.99.3.513"), (4, b"02.03.2005")),
    entries: tuple[dict[str, int], ...] = (),
    map_name: str = "Gods of War",
) -> bytes:
    """All records before the packets."""
    identities = dpids or DPIDS
    out = build.header(version, len(players), max_units, map_name.encode("cp1252"))
    if version >= 5:
        out += build.sectors(sectors)
    for number, side, name in players:
        out += build.player(number, side, number, name.encode("cp1252"))
    for number, side, _ in players:
        dpid = identities.get(number, 0x33333300 + number)
        info = build.player_info(map_name, player=dpid, side=side, color=number + 1, max_units=max_units or 500)
        out += build.status(number, info + build.team(dpid), compress=number % 2 == 0)
    return out + build.unit_data(entries)


def recording(*payloads: bytes, sender: int = 1, **options: object) -> bytes:
    """A recording of one packet a payload, 33 ms apart, all by one sender."""
    return setup(**options) + b"".join(build.packet(33, sender, payload) for payload in payloads)  # type: ignore[arg-type]
