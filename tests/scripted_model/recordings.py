"""Recorded model replies in a compact form, and their replay.

A recording keeps replies whole and of each request only what finds it again: a hash of all that the model saw, and a
sketch (checksums of its lines). Where a prompt has changed since, the recorded request that is most like it is taken,
so that a new sentence in a prompt does not cost all recordings.

    compact(log, out)    makes a recording of a log of exchanges, one JSON object a line: {"request": …, "reply": …}
"""

from __future__ import annotations

import json
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .script import Failure, identity

LEAST_ALIKE = 0.4
"""Share of common lines below which a request counts as one that was never recorded."""


@dataclass
class Exchange:
    """One recorded reply. `kind` is the first line of the system text: which prompt it was."""

    kind: str
    identity: str
    sketch: frozenset[int]
    reply: dict[str, Any]
    used: bool = False


@dataclass
class Recording:
    """Answers requests from what was recorded; each reply once, then again for a request that reads the same."""

    exchanges: list[Exchange]
    changed: list[str] = field(default_factory=list)
    """Kinds of requests that were answered by likeness."""
    missing: list[str] = field(default_factory=list)
    """Kinds of requests that were not answered."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def load(cls, path: Path) -> Recording:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return cls([Exchange(row["kind"], row["identity"], frozenset(row["sketch"]), row["reply"]) for row in rows])

    def answer(self, body: dict[str, Any]) -> dict[str, Any] | Failure:
        """The recorded reply, or a 404 for a request that nothing recorded is like."""
        with self._lock:
            found = self._same(body) or self._alike(body)
            if found is None:
                self.missing.append(_kind(body))
                return Failure(404, f"no recorded request is like this one: {_kind(body)}")
            found.used = True
            return found.reply

    def _same(self, body: dict[str, Any]) -> Exchange | None:
        wanted = identity(body)
        same = [exchange for exchange in self.exchanges if exchange.identity == wanted]
        return next((exchange for exchange in same if not exchange.used), same[-1] if same else None)

    def _alike(self, body: dict[str, Any]) -> Exchange | None:
        kind, sketch = _kind(body), frozenset(_sketch(body))
        rated = [
            (len(sketch & exchange.sketch) / len(sketch | exchange.sketch), -index)
            for index, exchange in enumerate(self.exchanges)
            if exchange.kind == kind and not exchange.used
        ]
        likeness, index = max(rated, default=(0.0, 0))
        if likeness < LEAST_ALIKE:
            return None
        self.changed.append(kind)
        return self.exchanges[-index]


def compact(log: Path, out: Path) -> int:
    """Write the recording of a log; how many exchanges it has."""
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    lines = [
        json.dumps(
            {
                "kind": _kind(row["request"]),
                "identity": identity(row["request"]),
                "sketch": _sketch(row["request"]),
                "reply": row["reply"],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for row in rows
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _kind(body: dict[str, Any]) -> str:
    return (_texts(body)[0].splitlines() or [""])[0][:100]


def _sketch(body: dict[str, Any]) -> list[int]:
    lines = {line.strip() for text in _texts(body) for line in text.splitlines()}
    return sorted(zlib.crc32(line.encode()) for line in lines if line)


def _texts(body: dict[str, Any]) -> list[str]:
    return [str(message.get("content") or "") for message in body["messages"]] or [""]
