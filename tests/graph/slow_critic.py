"""A critic that finds nothing and takes its time: as long as the file named by SLOW_WHILE exists."""

from __future__ import annotations

import os
import time
from pathlib import Path

from envolve.agents.base import Dossier
from envolve.environments.models import Finding


class Slow:
    name = "slow"

    async def review(self, dossier: Dossier) -> list[Finding]:
        waiting = Path(os.environ["SLOW_WHILE"])
        while waiting.exists():
            waiting.with_suffix(".begun").touch()
            time.sleep(0.05)
        return []
