"""The README's blocks: executing them, comparing what they print, and writing it anew.

`python tests/docs/session.py` runs every console block and writes the output into README.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
SAMPLES = "tests/data"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: what is in it, and where its text begins in the file."""

    language: str
    text: str
    start: int


class Command(NamedTuple):
    """A line after `$ ` and the lines that follow it."""

    line: str
    output: str


def blocks(text: str, *languages: str) -> Iterator[Block]:
    for match in _FENCE.finditer(text):
        if match[1] in languages:
            yield Block(match[1], match[2], match.start(2))


def commands(block: str) -> list[Command]:
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not parts[0].strip(), f"a console block begins with a command, not {parts[0]!r}"
    return [Command(*part.partition("\n")[::2]) for part in parts[1:]]


def prepare(folder: Path) -> None:
    """What a fresh clone has and the README's commands use."""
    shutil.copytree(ROOT / SAMPLES, folder / SAMPLES)


def execute(line: str, folder: Path) -> str:
    """Standard output and errors of a shell command, which must end well."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=280,
    )
    if done.returncode:
        raise AssertionError(f"{line!r} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def normalized(output: str) -> list[str]:
    """What must agree: words and their order. Numbers, hashes, durations and rules of tables may differ, and so may how
    many lines of a kind follow each other (rounds), and what is said only of some worlds: that tasks are pairs."""
    lines = list[str]()
    for line in output.splitlines():
        line = re.sub(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{6,64}\b", "HASH", line)
        line = re.sub(r", about [^;]* left", "", line)
        line = re.sub(r"not kept: [^;.]*", "not kept: …", line)
        line = re.sub(r" \d+ of them (is|are) a refusal with its twin, counted as one\.", "", line)
        line = re.sub(r"(\d+ (h|min) )*\d+ (s|min)\b", "TIME", line)
        line = re.sub(r"\d+(\.\d+)?", "N", line)
        line = re.sub(r"\b(environment|task|check)s\b", r"\1", line)
        line = re.sub(r"─+", "─", " ".join(line.split()))
        if line and (not lines or lines[-1] != line):
            lines.append(line)
    return lines


def rewritten(text: str, folder: Path) -> str:
    """The README with the output that its commands have now."""
    prepare(folder)
    pieces, end = list[str](), 0
    for block in blocks(text, "console"):
        pieces.append(text[end : block.start])
        ran = (f"$ {command.line}\n{execute(command.line, folder).rstrip()}" for command in commands(block.text))
        pieces.append("\n\n".join(part.rstrip() for part in ran) + "\n")
        end = block.start + len(block.text)
    return "".join([*pieces, text[end:]])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        README.write_text(rewritten(README.read_text(encoding="utf-8"), Path(scratch)), encoding="utf-8")
