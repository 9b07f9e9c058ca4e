"""Follows a recording that is still being written: each look reads on from where the last one stopped."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ksreplay.errors import Problem, Problems, ReplayError, Truncated
from ksreplay.formats import tad as container
from ksreplay.formats import tad_stream
from ksreplay.formats.tad import Setup
from ksreplay.formats.tad_stream import Clock, Stream
from ksreplay.limits import Limits


class Follower:
    """A growing ``.tad``.

    ``poll()`` gives the subpackets of the records that are whole since the last look, with ticks that go on where
    they were, or None where there is nothing new. ``setup`` is None until all records before the packets are there.
    Offsets in a stream's records count from the start of the file::

        follower = Follower("live.tad")
        while playing:
            if (stream := follower.poll()) is not None:
                print(len(stream), "subpackets up to tick", stream.tick.max())
    """

    def __init__(self, path: str | os.PathLike[str], *, limits: Limits | None = None) -> None:
        self.path = Path(path)
        self.limits = limits or Limits()
        self.setup: Setup | None = None
        self.position = 0  # where the next record begins
        self.records = 0  # packet records read so far
        self._clock = Clock()
        self._wall_ms = 0
        self._problems = Problems("tad", limit=self.limits.problems)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the records read so far; an end inside a record is not."""
        return list(self._problems)

    @property
    def wall_ms(self) -> int:
        """Wall clock of the recorder at the last record read."""
        return self._wall_ms

    def poll(self) -> Stream | None:
        """The new subpackets. Raises ReplayError for a file that is no recording or grows past the limits."""
        size = self.path.stat().st_size
        if size < self.position:
            raise Truncated("the recording became shorter", code="shrunk", format="tad", found=size)
        if self.setup is None and not self._read_setup():
            return None
        assert self.setup is not None
        data = self._read(self.position)
        offsets, end = container.frame(data, 0, self.limits)
        if not len(offsets):
            return None
        problems = Problems("tad", limit=self.limits.problems)
        packets = tad_stream.read_packets(data, offsets, self.setup.header.version, problems, self.limits)
        stream = tad_stream.read_stream(packets, problems, clock=self._clock)
        for problem in problems:
            self._problems.add(problem)
        packets.offsets = packets.offsets + self.position
        self._wall_ms += int(packets.dt_ms.sum(dtype=np.int64))
        self.position += end
        self.records += len(packets)
        return stream

    def _read_setup(self) -> bool:
        data = self._read(0)
        try:
            problems = Problems("tad", limit=self.limits.problems)
            setup = container.read_setup(data, problems)
        except Truncated:
            return False
        if not setup.whole:
            return False
        for problem in problems:
            self._problems.add(problem)
        self.setup, self.position = setup, setup.end
        return True

    def _read(self, position: int) -> bytes:
        with self.path.open("rb") as file:
            file.seek(position)
            data = file.read(self.limits.file_bytes + 1)
        if position + len(data) > self.limits.file_bytes:
            raise ReplayError("the file is larger than the limit file_bytes", code="file-bytes", format="tad")
        return data
