"""The bench as a page: one file, no script, nothing from elsewhere; whatever a critic said is escaped."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2

from envolve.display import printable
from envolve.environments.errors import ServiceError


def write_page(path: Path, told: dict[str, Any]) -> None:
    """Write what `--json` prints as HTML. Errors: ServiceError if the disk refuses."""
    try:
        path.write_text(render(told), encoding="utf-8")
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose another file with --html.") from error


def render(told: dict[str, Any]) -> str:
    """The page's HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("envolve", "bench/critics"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if isinstance(value, str) else value,
    )
    style = (files("envolve.report") / "style.css").read_text(encoding="utf-8")
    return environment.get_template("page.html.j2").render(told=told, style=style)
