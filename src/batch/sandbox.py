"""A parser child as its worker sees it: asked one thing at a time, replaced when it dies."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from typing import Any

from ksreplay.batch.job import BatchError, Options, Versions

#: Seconds in which a child must be ready.
START_SECONDS = 120
#: A child may be ended from outside before it is ready.
START_TRIES = 10

_THREADS = ("KSREPLAY_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Death:
    """A child that ended instead of answering."""

    timeout: bool
    code: str
    message: str


class Sandbox:
    """At most one child at a time, started when it is first needed. Not for two threads at once."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.versions: Versions | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._errors: Any = None
        self._stopped = False

    def ask(self, request: dict[str, Any], timeout: float | None = None) -> dict[str, Any] | Death:
        """The child's answer, or how it died; raises BatchError where the child says that the job cannot go on."""
        self._start()
        answer = self._exchange(request, timeout)
        if isinstance(answer, dict) and "job_error" in answer:
            raise BatchError(answer["job_error"])
        if isinstance(answer, Death) or answer.get("leave"):
            self.close()
        return answer

    @property
    def pid(self) -> int | None:
        """The living child's process id."""
        return None if self._child is None else self._child.pid

    def start(self) -> Versions:
        """The versions of a child, which is started if there is none."""
        self._start()
        assert self.versions is not None
        return self.versions

    def _start(self) -> None:
        if self._stopped:
            self.close()
            raise BatchError("the job was stopped")
        if self._child is not None:
            return
        why = ""
        for _ in range(START_TRIES):
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
            self._child = subprocess.Popen(
                [sys.executable, *self.options.child],
                # One thread a child is the plan: thread pools only cost memory here.
                env={**dict.fromkeys(_THREADS, "1"), **os.environ},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            )  # fmt: skip
            answer = self._exchange(self.options.to_json(), START_SECONDS)
            if not isinstance(answer, Death):
                self.versions = Versions(**answer["versions"])
                return
            self._errors.seek(0)
            why = f"{answer.message}: {self._errors.read()[-2000:].decode(errors='replace').strip()}"
            self.close()
            if answer.code.startswith("exit-"):
                break
        raise BatchError(f"no parser child starts: {why}")

    def _exchange(self, request: dict[str, Any], timeout: float | None) -> dict[str, Any] | Death:
        child = self._child
        assert child is not None and child.stdin is not None and child.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(timeout, end) if timeout is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
            line = child.stdout.readline()
        except OSError:
            line = b""
        finally:
            if timer:
                timer.cancel()
        if line.endswith(b"\n"):
            with contextlib.suppress(ValueError):
                answer: dict[str, Any] = json.loads(line)
                return answer
            child.kill()
            return Death(False, "exit-garbled", f"the parser child answered {line[:100]!r}")
        return self._obituary(child, late.is_set(), timeout)

    def _obituary(self, child: subprocess.Popen[bytes], late: bool, timeout: float | None) -> Death:
        child.kill()
        code = child.wait()
        if late:
            return Death(True, "timeout", f"not done after {timeout:g} seconds")
        if code < 0:
            name = {item.value: item.name for item in signal.Signals}.get(-code, f"signal {-code}")
            if name == "SIGALRM":
                return Death(True, "timeout", "not done in time")
            return Death(False, name.lower(), f"the parser child was ended by {name}")
        return Death(False, f"exit-{code}", f"the parser child ended with exit code {code}")

    def stop(self) -> None:
        """From another thread: ends the child, and every question from now on with BatchError."""
        self._stopped = True
        if (child := self._child) is not None:
            child.kill()

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for stream in (self._child.stdin, self._child.stdout, self._errors):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        self._child = None


def item_request(item: Any, spool: str) -> dict[str, Any]:
    return {"item": asdict(item), "spool": spool}
