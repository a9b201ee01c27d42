"""The bench as a page: one file, no script, nothing from elsewhere; whatever a critic said is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envolve.environments.errors import ServiceError
from envolve.pages import style_sheet, templates


def write_page(path: Path, told: dict[str, Any]) -> None:
    """Write what `--json` prints as HTML. Errors: ServiceError if the disk refuses."""
    try:
        path.write_text(render(told), encoding="utf-8")
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose another file with --html.") from error


def render(told: dict[str, Any]) -> str:
    """The page's HTML."""
    return templates("bench/critics").get_template("page.html.j2").render(told=told, style=style_sheet())
