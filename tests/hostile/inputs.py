"""The hostile inputs: what a stranger may send, each built here byte by byte, with what must come of it.

The numbers are those of the checklist in `docs/promise.md`. ``outcome``: ``refused`` (`info` exits 1 with one clear
error), ``damaged`` (`info` keeps what can be read, `validate` says the file is not valid), ``read`` (`info` exits 0) or
``any`` (only the promise is held: no exception, bounded time and memory).
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import msgpack
import zstandard

MIB = 1 << 20
MAX_I32 = 2**31 - 1


@dataclass(frozen=True)
class Hostile:
    number: int
    format: str
    name: str
    build: Callable[[], bytes]
    outcome: str
    seconds: float = 2.0
    memory: int = 256 * MIB

    def __str__(self) -> str:
        return f"{self.number}-{self.format}-{self.name}"


CASES: list[Hostile] = []


def hostile(
    number: int, format: str, outcome: str, **bounds: float
) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    """Enters a builder into `CASES`, named as its function."""

    def enter(build: Callable[[], bytes]) -> Callable[[], bytes]:
        CASES.append(Hostile(number, format, build.__name__, build, outcome, **bounds))  # type: ignore[arg-type]
        return build

    return enter


def sample(name: str) -> bytes:
    return files("ksreplay.samples").joinpath(name).read_bytes()


# --- Coilbox tracks -------------------------------------------------------------------------------------------------


def track_header(**changes: float) -> bytes:
    fields: dict[str, float] = dict(
        version=1, len_header=96, recorder=4, fps=30, first=0, last=900, len_window=900, num_windows=1, tolerance=0.5,
        position_shift=3, velocity_shift=8, rotation_bits=12, gap=1, blk_info=0, len_info=0, blk_features=0,
        len_features=0, num_units=0, num_projectiles=0, num_features=0,
    )  # fmt: skip
    fields.update(changes)
    packed = struct.pack("<HHHHIIIIfBBBBIIIIIII", *fields.values())
    return b"CBTK" + packed + bytes(16) + struct.pack("<ff", 0.1, 0.01) + bytes(8)


def chunk(columns: list[tuple[int, int, bytes, int]]) -> bytes:
    """(id, type, data, number of values), laid out as a writer does."""
    offset = 4 + 12 * len(columns)
    directory, data = struct.pack("<I", len(columns)), b""
    for column_id, value_type, values, count in columns:
        directory += struct.pack("<HHII", column_id, value_type, offset + len(data), count)
        data += values + bytes(-len(values) % 4)
    return directory + data + bytes(4)


def track(*chunks: bytes, **changes: float) -> bytes:
    """A track of one window a chunk (deflated here)."""
    count = max(1, len(chunks))
    header = track_header(**{"num_windows": count, "last": 900 * count, **changes})
    offset = -(-(96 + 16 * count) // 64)
    index, body = b"", b""
    for content in chunks:
        packed = zlib.compress(content)
        index += struct.pack("<IIII", offset + len(body) // 64, len(packed), 0, 0)
        body += packed + bytes(-len(packed) % 64)
    return (header + index).ljust(offset * 64, b"\0") + body


EMPTY_CHUNK = chunk([])


@hostile(1, "cbtrack", "refused")
def window_count_16777215() -> bytes:
    return track_header(num_windows=16_777_215, last=16_777_215)


@hostile(2, "cbtrack", "damaged")
def chunk_inflates_past_its_limit() -> bytes:
    return track(EMPTY_CHUNK, bytes(64 * MIB), EMPTY_CHUNK)


@hostile(2, "cbtrack", "damaged", seconds=4.0)
def windows_share_one_chunk() -> bytes:
    count = 800
    start = -(-(96 + 16 * count) // 64)
    packed = zlib.compress(EMPTY_CHUNK + bytes(8 * MIB))
    entry = struct.pack("<IIII", start, len(packed), 0, 0)
    head = track_header(num_windows=count, last=count, len_window=1) + entry * count
    return head.ljust(start * 64, b"\0") + packed


@hostile(3, "cbtrack", "damaged")
def column_count_4294967295() -> bytes:
    return track(struct.pack("<I", 2**32 - 1) + bytes(64))


@hostile(3, "cbtrack", "damaged")
def column_past_the_end() -> bytes:
    return track(struct.pack("<IHHII", 1, 1, 4, 16, 2**31) + bytes(64))


@hostile(3, "cbtrack", "damaged")
def thousand_columns_alias_the_same_bytes() -> bytes:
    data = 4 * MIB
    entries = b"".join(struct.pack("<HHII", i, 1, 12_004, data) for i in range(1000))
    return track(struct.pack("<I", 1000) + entries + bytes(data + 4))


@hostile(4, "cbtrack", "damaged")
def ids_unsorted_and_twice() -> bytes:
    return track(chunk([(2, 4, bytes(4), 1), (1, 4, bytes(4), 1), (1, 4, bytes(4), 1)]))


@hostile(4, "cbtrack", "any")
def unknown_id_and_type() -> bytes:
    return track(chunk([(60000, 1, b"x", 1), (60001, 77, b"x" * 8, 2)]))


@hostile(5, "cbtrack", "damaged")
def key_counts_do_not_add_up() -> bytes:
    # One unit (serial, ...) whose transform key count asks for far more keys than there are.
    return track(chunk([(1, 4, struct.pack("<I", 0), 1), (10, 4, struct.pack("<I", 2**31), 1)]))


def _header_case(name: str, outcome: str, **changes: float) -> None:
    CASES.append(Hostile(6, "cbtrack", name, lambda: track(EMPTY_CHUNK, **changes), outcome))


_header_case("window_length_0", "refused", len_window=0)
_header_case("last_before_first", "refused", first=900, last=0)
_header_case("rotation_bits_0", "refused", rotation_bits=0)
_header_case("rotation_bits_7", "refused", rotation_bits=7)
_header_case("rotation_bits_17", "refused", rotation_bits=17)
_header_case("tolerance_nan", "any", tolerance=float("nan"))
_header_case("header_size_0", "refused", len_header=0)
_header_case("header_size_65535", "refused", len_header=65535)
_header_case("shifts_255", "any", position_shift=255, velocity_shift=255)


# --- Crimsonland replays --------------------------------------------------------------------------------------------


def crd(payload: bytes, **parameters: int) -> bytes:
    return zstandard.ZstdCompressor(level=3, **parameters).compress(payload)


def unsized(payload: bytes) -> bytes:
    return crd(payload, write_content_size=False)


@hostile(7, "crd", "refused")
def bomb_with_its_size_stated() -> bytes:
    return crd(bytes(160 * MIB))


@hostile(7, "crd", "refused")
def bomb_without_its_size() -> bytes:
    return unsized(bytes(160 * MIB))


@hostile(8, "crd", "refused")
def window_128_mib() -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
    return zstandard.ZstdCompressor(compression_params=parameters).compress(bytes(MIB))


@hostile(8, "crd", "refused")
def single_segment_over_8_mib() -> bytes:
    return crd(bytes(9 * MIB))


@hostile(8, "crd", "refused")
def skippable_frame_first() -> bytes:
    return struct.pack("<II", 0x184D2A50, 4) + b"skip" + sample("sample.crd")


@hostile(8, "crd", "refused")
def second_frame() -> bytes:
    return sample("sample.crd") + crd(b"")


@hostile(8, "crd", "refused")
def trailing_byte() -> bytes:
    return sample("sample.crd") + b"\0"


@hostile(9, "crd", "refused")
def nested_arrays_100000() -> bytes:
    return crd(b"\x91" * 100_000 + b"\xc0")


@hostile(9, "crd", "refused")
def nested_maps_100000() -> bytes:
    return crd(b"\x81\xa1a" * 100_000 + b"\xc0")


def _false_length(name: str, prefix: bytes) -> None:
    CASES.append(Hostile(10, "crd", name, lambda: crd(prefix + b"\xff\xff\xff\xff" + bytes(64)), "refused"))


_false_length("array32_false_length", b"\xdd")
_false_length("map32_false_length", b"\xdf")
_false_length("bin32_false_length", b"\xc6")
_false_length("str32_false_length", b"\xdb")


@hostile(9, "crd", "refused", seconds=4.0, memory=1024 * MIB)
def eight_million_empty_arrays() -> bytes:
    return unsized(b"\xdd" + struct.pack(">I", 8_000_000) + b"\x90" * 8_000_000)


def _payload() -> bytes:
    return zstandard.ZstdDecompressor().decompress(sample("sample.crd"))


@hostile(11, "crd", "any")
def version_widened_to_uint16() -> bytes:
    payload = _payload()
    at = payload.index(b"format_version") + len(b"format_version")
    return crd(payload[:at] + b"\xcd\x00" + payload[at : at + 1] + payload[at + 1 :])


@hostile(11, "crd", "any")
def duplicate_key() -> bytes:
    document = msgpack.unpackb(_payload(), strict_map_key=False)
    body = msgpack.packb(document)
    return crd(bytes([body[0] + 1]) + body[1:] + msgpack.packb("ticks") + b"\x90")


@hostile(11, "crd", "any")
def floats_narrowed_to_float32() -> bytes:
    return crd(msgpack.packb(msgpack.unpackb(_payload()), use_single_float=True))


# --- Spring demos ---------------------------------------------------------------------------------------------------

SCRIPT = b"""[game]
{
[player0]
{
name=Ann;
team=0;
}
[team0]
{
allyteam=0;
}
[allyteam0]
{
}
mapname=Plain;
}
"""
NEWFRAME = b"\x02"


def packet(message: bytes, time: float = 1.0, length: int | None = None) -> bytes:
    return struct.pack("<fI", time, len(message) if length is None else length) + message


def demo(stream: bytes, *, script: bytes = SCRIPT, trailer: bytes = b"", **changes: int) -> bytes:
    fields: dict[str, int] = dict(
        len_script=len(script), len_stream=len(stream), game_time=1, wallclock=1, num_players=0, len_player_stats=0,
        len_player_stat=20, num_teams=0, len_team_stats=0, len_team_stat=80, period=15, len_winners=0,
    )  # fmt: skip
    version, len_header = changes.pop("version", 5), changes.pop("len_header", 352)
    fields.update(changes)
    start = b"spring demofile\0" + struct.pack("<ii", version, len_header)
    head = start + b"2025.06.12".ljust(256, b"\0") + bytes(range(16)) + struct.pack("<Q", 1_700_000_000)
    return head + struct.pack("<12i", *fields.values()) + script + stream + trailer


@hostile(13, "spring", "refused")
def gzip_bomb() -> bytes:
    return gzip.compress(demo(bytes(160 * MIB)), 1)


@hostile(13, "spring", "read")
def gzip_members_joined() -> bytes:
    content = demo(packet(NEWFRAME) * 100)
    return gzip.compress(content[:500]) + gzip.compress(content[500:]) + gzip.compress(b"")


@hostile(13, "spring", "any")
def gzip_trailing_garbage() -> bytes:
    return gzip.compress(demo(packet(NEWFRAME) * 100)) + b"garbage" * 10


@hostile(13, "spring", "damaged")
def gzip_truncated() -> bytes:
    stream = b"".join(packet(NEWFRAME + struct.pack("<i", i * 7919)) for i in range(1000))
    return gzip.compress(demo(stream))[:-500]


@hostile(13, "spring", "damaged")
def gzip_bad_checksum_and_size() -> bytes:
    return gzip.compress(demo(packet(NEWFRAME) * 100))[:-8] + b"\x01" * 8


@hostile(13, "spring", "refused")
def zip_bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("match.sdf", demo(bytes(160 * MIB)))
    return file.getvalue()


def _sizes(name: str, outcome: str, **changes: int) -> None:
    CASES.append(Hostile(14, "spring", name, lambda: demo(packet(NEWFRAME), **changes), outcome))


for _field in (
    "len_script",
    "len_stream",
    "len_player_stats",
    "len_team_stats",
    "len_winners",
    "num_players",
    "num_teams",
):
    _sizes(f"{_field}_negative", "any", **{_field: -1})
    _sizes(f"{_field}_2147483647", "any", **{_field: MAX_I32})
for _field in ("len_player_stat", "len_team_stat", "period"):
    _sizes(f"{_field}_zero", "any", **{_field: 0})
    _sizes(f"{_field}_negative", "any", **{_field: -5})
_sizes("header_size_100", "refused", len_header=100)
_sizes("header_size_past_the_end", "refused", len_header=MAX_I32)
_sizes("header_size_negative", "refused", len_header=-352)
_sizes("version_99", "refused", version=99)
_sizes("stat_element_size_0_with_data", "any", num_players=5, len_player_stats=100, len_player_stat=0)


@hostile(15, "spring", "any")
def packet_lengths_wrong() -> bytes:
    good = packet(NEWFRAME) * 10
    return demo(good + packet(b"") + good + packet(b"\x02", length=2**32 - 1) + good)


@hostile(15, "spring", "any")
def packet_longer_than_what_remains() -> bytes:
    return demo(packet(NEWFRAME) * 10 + packet(NEWFRAME, length=1000))


@hostile(15, "spring", "read")
def packet_times_not_a_number_negative_and_backwards() -> bytes:
    return demo(b"".join(packet(NEWFRAME, time) for time in (1.0, float("nan"), -5.0, float("inf"), 0.5)))


@hostile(16, "spring", "any")
def script_nested_100000() -> bytes:
    return demo(packet(NEWFRAME), script=b"[a]{" * 100_000 + b"}" * 100_000)


@hostile(16, "spring", "any", seconds=6.0)
def script_unclosed_10_mb() -> bytes:
    return demo(packet(NEWFRAME), script=b'[game]{name="' + b"a" * 10_000_000)


@hostile(16, "spring", "read")
def script_duplicate_keys() -> bytes:
    return demo(packet(NEWFRAME), script=b"[game]{" + b"mapname=a;" * 100_000 + b"}")


def gamedata(packed: bytes, size: int | None = None) -> bytes:
    body = struct.pack("<H", len(packed) if size is None else size) + packed + bytes(132)
    return b"\x34" + struct.pack("<H", len(body) + 3) + body


@hostile(17, "spring", "damaged")
def gamedata_bomb() -> bytes:
    return demo(packet(gamedata(zlib.compress(bytes(50 * MIB), 9)[:60_000])) + packet(NEWFRAME))


def _repeated(name: str, head: bytes) -> None:
    """A block of 8 MiB in every packet, each with a wrong checksum of its own, all together 3 KB of gzip."""

    def build() -> bytes:
        packed = zlib.compress(bytes(8 * MIB - 1), 9)[:-4]
        bodies = (head + packed + struct.pack("<I", n) for n in range(400))
        kind = 0x3D if name == "client_data" else 0x32
        return gzip.compress(demo(b"".join(packet(bytes([kind]) + struct.pack("<H", len(b) + 3) + b) for b in bodies)))

    CASES.append(Hostile(17, "spring", f"{name}_bomb_in_every_packet", build, "any", seconds=4.0))


_repeated("client_data", b"\0")
_repeated("unit_list", struct.pack("<BHB", 0, 100, 0) + b"unitdefs:")


@hostile(17, "spring", "damaged", seconds=4.0)
def gamedata_bomb_in_every_packet() -> bytes:
    packed = zlib.compress(bytes(8 * MIB - 1), 9)[:-4]
    packets = (packet(gamedata(packed + struct.pack("<I", n))) for n in range(400))
    return gzip.compress(demo(b"".join(packets)))


@hostile(17, "spring", "any")
def gamedata_inner_length_lies() -> bytes:
    return demo(packet(gamedata(zlib.compress(SCRIPT), 65_535)) + packet(NEWFRAME))


@hostile(18, "spring", "any")
def sample_counts_past_the_end() -> bytes:
    trailer = struct.pack("<2i", MAX_I32, MAX_I32) + bytes(160)
    return demo(packet(NEWFRAME), trailer=trailer, num_teams=2, len_team_stats=168)


@hostile(18, "spring", "any")
def teams_2147483647() -> bytes:
    return demo(packet(NEWFRAME), trailer=bytes(64), num_teams=MAX_I32, len_team_stats=64)


@hostile(23, "spring", "read")
def texts_that_bite() -> bytes:
    name = "\x1b[31m=cmd()|'\u202e<script>\x07../../x".encode()
    script = SCRIPT.replace(b"Ann", name.replace(b";", b"")).replace(b"Plain", b"../../etc/\x1b]0;x\x07")
    chat = b"\x07" + bytes([4 + len(name) + 1, 0, 254]) + name + b"\0"
    return demo(packet(chat) + packet(NEWFRAME), script=script)


# --- TA recordings --------------------------------------------------------------------------------------------------


def record(body: bytes) -> bytes:
    return struct.pack("<H", len(body) + 2) + body


def recording(
    *packets: bytes, version: int = 5, players: int = 1, max_units: int = 1500, sectors: int = 0, rest: bytes = b"",
    map: bytes = b"Plain Map", player: bytes = b"Ann",
) -> bytes:  # fmt: skip
    """A recording with one player; ``packets`` are whole records."""
    header = record(b"TA Demo\0" + struct.pack("<HBH", version, players, max_units) + map)
    status = b"\x03\0\0" + b"\xff" * 4 + b"\x20" + bytes(185) + b"\x24" + bytes(5) + b"\0" * 3
    lobby = record(bytes([0, 0, 1]) + player) + record(bytes([1]) + status) + record(b"")
    return header + record(struct.pack("<i", sectors)) + lobby + b"".join(packets) + rest


def tad_packet(payload: bytes, *, flag: int = 3, sender: int = 1) -> bytes:
    return record(struct.pack("<HBB", 33, sender, flag) + payload)


@hostile(19, "tad", "any")
def record_length_0() -> bytes:
    return recording(tad_packet(b"\x06"), rest=bytes(2) + bytes(1000))


@hostile(19, "tad", "any")
def record_length_1() -> bytes:
    return recording(tad_packet(b"\x06"), rest=b"\x01\x00" + bytes(1000))


@hostile(20, "tad", "damaged")
def lz77_copies_from_beyond_its_output() -> bytes:
    return recording(tad_packet(b"\x02\x06" + struct.pack("<H", 4000 << 4 | 15), flag=4), tad_packet(b"\x06"))


@hostile(20, "tad", "damaged")
def lz77_without_terminator() -> bytes:
    return recording(tad_packet(b"\x00\x06\x06\x06", flag=4), tad_packet(b"\x06"))


@hostile(20, "tad", "any")
def lz77_at_its_most() -> bytes:
    full = b"\x00" + b"\x06" * 8 + b"".join(b"\xff" + struct.pack("<H", 1 << 4 | 15) * 8 for _ in range(3000))
    return recording(tad_packet(full + b"\x01\0\0", flag=4))


@hostile(21, "tad", "any")
def subpackets_shorter_than_their_headers() -> bytes:
    return recording(
        tad_packet(b"\xfd\x01\x00"),
        tad_packet(b"\xfd\x00\x00\x00\x00\x00\x00"),
        tad_packet(b"\x2c\x02\x00"),
        tad_packet(b"\x2c\x00\x00" + bytes(20)),
        tad_packet(b"\x05" + b"a" * 400),
        tad_packet(b""),
        tad_packet(b"\x06"),
    )


@hostile(21, "tad", "any")
def max_units_0() -> bytes:
    sync = b"\x2c\x0b\x00" + struct.pack("<I", 600) + bytes(4)
    return recording(tad_packet(sync), tad_packet(b"\xff" * 5), max_units=0)


@hostile(21, "tad", "any")
def status_shorter_than_its_header() -> bytes:
    header = record(b"TA Demo\0" + struct.pack("<HBH", 5, 1, 1500) + b"Plain Map")
    return header + record(struct.pack("<i", 0)) + record(b"\0\0\x01Ann") + record(b"\x01\x03") + record(b"")


@hostile(22, "tad", "any")
def sectors_minus_1() -> bytes:
    return recording(tad_packet(b"\x06"), sectors=-1)


@hostile(22, "tad", "any")
def sectors_2147483647() -> bytes:
    return recording(tad_packet(b"\x06"), sectors=MAX_I32)


@hostile(22, "tad", "any")
def players_255_with_none_following() -> bytes:
    return record(b"TA Demo\0" + struct.pack("<HBH", 5, 255, 1500) + b"Plain Map") + record(bytes(4))


@hostile(22, "tad", "refused")
def version_6() -> bytes:
    return recording(version=6)
