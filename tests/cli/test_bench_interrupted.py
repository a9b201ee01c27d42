"""Ctrl-C ends a bench and its workers at once, however long their jobs would take."""

import os
import signal
import subprocess
import sys
from functools import partial
from operator import add

from envolve.bench.side_by_side import side_by_side

LONG = """
import time
from functools import partial
from envolve.bench.side_by_side import side_by_side

if __name__ == "__main__":
    for number, _ in side_by_side([partial(time.sleep, 0), *[partial(time.sleep, 600)] * 3], 2):
        print(number, flush=True)
"""


def test_each_job_gives_its_result() -> None:
    assert sorted(side_by_side([partial(add, 1, 1), partial(add, 2, 2), partial(add, 3, 3)], 2)) == [
        (0, 2),
        (1, 4),
        (2, 6),
    ]


def test_ctrl_c_waits_for_no_job() -> None:
    command = [sys.executable, "-c", LONG]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as bench:
        assert bench.stdout is not None
        # The first job has ended: the others are under way.
        assert bench.stdout.readline() == b"0\n"
        os.killpg(bench.pid, signal.SIGINT)
        # Its standard output is the workers' too: it is closed once all have gone.
        _, told = bench.communicate(timeout=60)
    assert b"KeyboardInterrupt" in told
