"""How much memory this process takes."""

from __future__ import annotations

import resource
from pathlib import Path

_STATUS, _REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
"""See proc(5): the peak begins anew at what is resident now."""


def begin_peak() -> None:
    """Let `peak_mb` count from now on, where the system can do so."""
    try:
        _REFS.write_text(_RESET_PEAK, encoding="ascii")
    except OSError:
        return


def peak_mb() -> float:
    """The most that was resident since `begin_peak`, in MB; since the process began where the system cannot tell."""
    return _field("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mb() -> float:
    """What is resident now, in MB."""
    return _field("VmRSS") or peak_mb()


def _field(name: str) -> float:
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0.0)
