"""The parser child: reads requests as lines of JSON, answers each with a line. Started by `sandbox.Sandbox`."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from ksreplay.batch.job import OUT_OF_MEMORY, BatchError, Item, Options, Versions
from ksreplay.batch.parse import read_file, write_part

try:
    import resource
except ImportError:  # Windows: no limit on memory, said in the documentation
    resource = None  # type: ignore[assignment,unused-ignore]


def main() -> None:
    """Answers requests until standard input ends; then the worker is gone, and so is the child at once."""
    # Replies go where standard output was; whatever prints meanwhile goes to standard error.
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to answer
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    options = Options.from_json(requests.get())
    _send(replies, {"versions": asdict(Versions.current())})
    while True:
        request = requests.get()
        try:
            answer = read(request, options) if "item" in request else write(request)
        except BatchError as error:
            answer = {"job_error": str(error)}
        _send(replies, answer)


def read(request: dict[str, Any], options: Options) -> dict[str, Any]:
    item = Item(**{**request["item"], "known": tuple(request["item"]["known"])})
    with _bounded(options):
        fate, sizes = read_file(item, options, Path(request["spool"]))
    fate.peak_bytes = _peak_bytes()
    # After it has run out of memory a process is not to be trusted: the worker starts another one.
    return {"fate": asdict(fate), "sizes": sizes, "leave": fate.code == OUT_OF_MEMORY}


def write(request: dict[str, Any]) -> dict[str, Any]:
    for part in request["parts"]:
        write_part(Path(request["spool"]), part["partition"], map(tuple, part["segments"]), Path(part["target"]))
    return {"written": len(request["parts"])}


def _listen(stream: BinaryIO, requests: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in stream:
        requests.put(json.loads(line))
    os._exit(0)  # also in the middle of a file: nobody waits for it any more


def _send(replies: BinaryIO, answer: dict[str, Any]) -> None:
    replies.write(json.dumps(answer).encode() + b"\n")


@contextlib.contextmanager
def _bounded(options: Options) -> Any:
    """Memory and, where the worker itself may have died, time."""
    _reset_peak()
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, options.timeout + 5)  # its default action ends the process
    hard = None
    if resource is not None and (used := _address_space()):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = used + options.memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    finally:
        if hard is not None:
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def _status(name: str) -> int | None:
    """A line of Linux' account of this process, in bytes."""
    with contextlib.suppress(OSError), Path("/proc/self/status").open() as file:
        for line in file:
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    return None


def _address_space() -> int | None:
    return _status("VmSize")


def _reset_peak() -> None:
    with contextlib.suppress(OSError), Path("/proc/self/clear_refs").open("w") as file:
        file.write("5")


def _peak_bytes() -> int | None:
    """The most memory that was resident since `_reset_peak`; elsewhere than on Linux, since the child's start."""
    if (peak := _status("VmHWM")) is not None:
        return peak
    if resource is None:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
