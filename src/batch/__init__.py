"""A folder of replays as one Parquet data set: `run` reads what is missing or changed, `compact` merges small parts.

Read `job` (what a chunk is), `manifest` (what is done), `chunk` (how one is read) in this order; `driver` joins them.
"""

from __future__ import annotations

from ksreplay.batch.compact import compact
from ksreplay.batch.driver import run
from ksreplay.batch.job import BatchError, Options

__all__ = ["BatchError", "Options", "compact", "run"]
