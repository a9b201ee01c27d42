"""Fills the template and puts the file in place whole."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.display import counted, percent, shortened
from envolve.environments.errors import ServiceError
from envolve.pages import style_sheet, templates
from envolve.standing import is_simulated

if TYPE_CHECKING:
    from envolve.memory.store import RunStore

_SHORT = 72


def write_report(store: RunStore, folder: Path, output: Path | None = None) -> Path:
    """Write `folder`/report.html (or `output`) and return its path. Errors: ServiceError if the disk refuses."""
    path = output or folder / "report.html"
    if path.is_dir():
        raise ServiceError(f"{path} is a folder.", remedy="Give a file with -o.")
    partial = path.with_name(f"{path.name}.new")
    text = render(store, folder)
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose another place with -o.") from error
    return path


def render(store: RunStore, folder: Path) -> str:
    """The report's HTML. Whatever comes from models or data is escaped; the page's policy allows its own style
    sheet and nothing else: no script, no image, no connection."""
    from .facts import gather

    environment = templates("report")
    environment.filters.update(percent=percent, counted=counted, short=lambda text: shortened(text, _SHORT))
    environment.tests["simulated"] = is_simulated
    style, facts = style_sheet(), gather(store, folder)
    low, high = (float(bound) for bound in facts.config.band.split(":"))
    return environment.get_template("page.html.j2").render(
        name=folder.resolve().name,
        facts=facts,
        low=low,
        high=high,
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )
