"""What code of the user's prints, where one JSON object is asked for: it goes to standard error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import SAMPLE, envolve

MOVE = "move-the-anniversary-dinner"
LOUD = """
import os
import subprocess
import sys

from envolve.agents.judges import Judgement
from envolve.eval import SolverProfile

print("imported")


def aloud(how):
    print(how)
    sys.__stdout__.write(how)
    subprocess.run(["echo", how], check=True)


def review(dossier):
    aloud("reviewed")
    return []


async def judge(case):
    aloud("judged")
    return Judgement(ruling="met", reason="why not")


class Solver:
    profile = SolverProfile(name="mine", kind="custom", deterministic=True)

    async def solve(self, episode):
        aloud("solved")
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", SAMPLE, "--critic", "loud:review"), "reviewed"),
        (("solve", SAMPLE, MOVE, "--solver", "loud:Solver", "--judge", "loud:judge"), "judged"),
    ],
)
def test_standard_output_holds_the_object_alone(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = envolve(*words, "--json", env=environment)
    assert isinstance(json.loads(done.out), dict), done
    assert "imported" in done.err
    assert done.err.count(said) >= 3, done.err
