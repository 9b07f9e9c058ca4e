"""A recording without private content: chat, commands, addresses, comments and names, with the same ticks.

Payloads keep their length, so every offset in them stays; a compressed record is compressed anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ksreplay.formats import tad_envelope as envelope
from ksreplay.formats.tad import ADDRESS_MASK, PLAYER_INFO_SIZE, Sector, Status
from ksreplay.formats.tad_lz77 import deflate_recorder
from ksreplay.formats.tad_stream import MARKER, MARKER_FULL, Stream
from ksreplay.formats.tad_write import Draft, with_crc
from ksreplay.generated.walks.tad_subpacket import WALK
from ksreplay.kernels import tad_lz77, tad_walk
from ksreplay.pseudonyms import Policy, Pseudonymizer, Report, replacer
from ksreplay.semantics.tad.messages import RECORDER_DATA
from ksreplay.semantics.tad.roster import SEQUENCE

Replace = Callable[[bytes], bytes]

NAME_LIMIT = 16  # characters of a name that recorders write
_CHAT, _ENEMY, _COMMAND, _CAMERA = 0x05, 0xF9, 0x2E, 0xFC
_CAMERA_SIZE = 5
#: How many bytes of a subpacket stay in front of its private text.
_HEADS = {_CHAT: 1, _ENEMY: 9, _COMMAND: 1, RECORDER_DATA: 3}


def redact(draft: Draft, stream: Stream, pseudonyms: Pseudonymizer, policy: Policy, report: Report) -> bytes:
    setup = draft.setup
    names = [player.name for player in setup.players]
    mapping = pseudonyms.mapping(policy.action("name"), names, limit=NAME_LIMIT)
    in_text: Replace = replacer(mapping, "cp1252")
    players = []
    for player in setup.players:
        new = mapping.get(player.name, player.name)
        if new != player.name:
            report.changed("name")
            player = replace(player, name=new, name_bytes=new.encode("cp1252", "replace"))
        players.append(replace(player, name_bytes=_shown(player.name_bytes)))
    draft.setup = with_crc(
        replace(
            setup,
            header=replace(setup.header, map_bytes=_shown(setup.header.map_bytes)),
            players=players,
            sectors=[_sector(sector, pseudonyms, policy, report, in_text) for sector in setup.sectors],
            statuses=[_status(status) for status in setup.statuses],
        ),
        draft.data,
    )
    _payloads(draft, stream, pseudonyms, policy, report, in_text)
    _behind_ends(draft, stream)
    return draft.build()


def _shown(data: bytes) -> bytes:
    """A text up to its end mark: what the writer's memory left behind it is nobody's business."""
    return data[: data.find(b"\0") + 1] if b"\0" in data else data


def _status(status: Status) -> Status:
    """A status with zeros in the place of whatever stands behind its player info, teams and alliances."""
    payload, at = status.payload, SEQUENCE + PLAYER_INFO_SIZE
    if status.info is None:
        return status
    while payload[at : at + 1] in (b"\x23", b"\x24") and len(payload) - at >= (WALK[payload[at]].size or 0):
        at += WALK[payload[at]].size or 0
    if not any(payload[at:]):
        return status
    payload = payload[:at].ljust(len(payload), b"\0")
    content = deflate_recorder(payload) if status.flag == envelope.COMPRESSED else payload
    return replace(status, payload=payload, wire=envelope.encrypt(status.flag, content))


def _behind_ends(draft: Draft, stream: Stream) -> None:
    """Compressed packets with bytes that no reader inflates are compressed anew, without them."""
    packets = stream.packets
    for number in np.flatnonzero(packets.lz_status & (tad_lz77.AFTER_END | tad_lz77.FULL | tad_lz77.STOPPED)).tolist():
        payload = packets.pool[packets.starts[number] : packets.ends[number]].tobytes()
        draft.changed.setdefault(number, payload)


def _sector(sector: Sector, pseudonyms: Pseudonymizer, policy: Policy, report: Report, in_text: Replace) -> Sector:
    kind = {"lobby_chat": "chat", "address": "address", "comment": "comment"}.get(sector.name)
    if kind is None:
        if sector.name.startswith("sector_"):  # of a type that nobody knows
            kind = "comment"
        else:
            return replace(sector, content=in_text(_shown(sector.content)))
    action = policy.action(kind)
    if sector.name == "address":
        # the whole block that the transport made: the address stands in it more than once
        content = sector.content if action == "keep" else bytes([ADDRESS_MASK]) * len(sector.content)
    else:
        lines = sector.content.split(b"\r")
        content = b"\r".join(pseudonyms.apply(action, line, in_text) for line in lines)
    if content != sector.content:
        report.changed(kind)
    return replace(sector, content=content)


def _payloads(
    draft: Draft, stream: Stream, pseudonyms: Pseudonymizer, policy: Policy, report: Report, in_text: Replace
) -> None:
    packets = stream.packets
    odd = (stream.states != tad_walk.WHOLE) & (stream.states != tad_walk.COMMAND)
    rows = np.flatnonzero(np.isin(stream.ids, list(_HEADS)) | odd)
    for row in rows.tolist():
        number = int(stream.records_of(row))
        start, end = int(packets.starts[number]), int(packets.ends[number])
        payload = bytearray(draft.changed.get(number) or packets.pool[start:end].tobytes())
        at, size = int(stream.offsets[row]) - start, int(stream.lengths[row])
        state, subpacket = int(stream.states[row]), int(stream.ids[row])
        if state in (tad_walk.WHOLE, tad_walk.COMMAND):
            if subpacket == _COMMAND and state == tad_walk.WHOLE:
                continue  # nine bytes of unknown meaning inside a packet, no text
            head, kind = _HEADS[subpacket], "label" if subpacket == RECORDER_DATA else "chat"
        elif state == tad_walk.MARKER:
            head, kind = len(MARKER_FULL if subpacket == MARKER_FULL[0] else MARKER), "label"
            size -= _CAMERA_SIZE * (size - head >= _CAMERA_SIZE and payload[-_CAMERA_SIZE] == _CAMERA)
        else:
            head, kind = min(size, 3), "label"  # the id and what may be a length stay, so that it reads as before
        old = bytes(payload[at + head : at + size])
        text, rest = (old, b"") if kind == "label" else _text(old)
        action = policy.action(kind)
        new = pseudonyms.apply(action, text, in_text)
        # a pseudonym may be longer than the name: into the padding it may grow, but a NUL stays behind it
        new = new[: len(old) - 1 if rest else len(text)]
        if new == text and (action == "keep" or not any(rest)):
            continue
        # a line without an end mark fills its subpacket, and must go on doing so to be split as before
        payload[at + head : at + size] = new.ljust(len(old), b"\0" if rest else b" ")
        draft.changed[number] = bytes(payload)
        report.changed(kind)


def _text(data: bytes) -> tuple[bytes, bytes]:
    """The text before the first NUL, and what is behind it: nothing, or what an earlier longer line left there."""
    end = data.find(b"\0")
    return (data, b"") if end < 0 else (data[:end], data[end:])
