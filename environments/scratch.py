"""Where SQLite puts what a sort or a temporary table cannot hold in its cache: memory, up to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from typing_extensions import Buffer

MOST_SPILLED = 32 << 20
"""Bytes in all temporary files of a thread. A call that needs more fails with SQLITE_FULL."""


class Spilled:
    """Counts the bytes in the temporary files that a thread opened."""

    def __init__(self) -> None:
        self.bytes = 0


class Scratch(apsw.VFSFile):
    """A temporary file in memory."""

    def __init__(self, spilled: Spilled) -> None:
        # The base class would open a file of another VFS; nothing of it is used.
        self._spilled = spilled
        self._data = bytearray()

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self._data[offset : offset + amount])

    def xWrite(self, data: Buffer, offset: int) -> None:
        written = memoryview(data).nbytes
        self._grow(offset + written)
        self._data[offset : offset + written] = memoryview(data)

    def _grow(self, size: int) -> None:
        more = size - len(self._data)
        if more <= 0:
            return
        if self._spilled.bytes + more > MOST_SPILLED:
            raise apsw.FullError("too much intermediate data")
        self._spilled.bytes += more
        self._data.extend(bytes(more))

    def xTruncate(self, newsize: int) -> None:
        self._spilled.bytes -= max(0, len(self._data) - newsize)
        del self._data[newsize:]

    def xFileSize(self) -> int:
        return len(self._data)

    def xClose(self) -> None:
        self.xTruncate(0)

    def xSync(self, flags: int) -> None:
        """Nothing outlives the process."""

    def xLock(self, level: int) -> None:
        """Only one connection knows the file."""

    def xUnlock(self, level: int) -> None:
        """Only one connection knows the file."""

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, op: int, ptr: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return 4096

    def xDeviceCharacteristics(self) -> int:
        return 0
