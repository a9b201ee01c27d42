"""The bench as a page: one file, no script, nothing from elsewhere."""

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
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose another file with --page.") from error


def render(told: dict[str, Any]) -> str:
    """The page's HTML."""
    page = templates("bench/novelty").get_template("page.html.j2")
    return page.render(
        told=told, style=style_sheet(), points={view: _points(found) for view, found in told["curves"].items()}
    )


def _points(curve: list[dict[str, float]]) -> str:
    """A curve as an SVG polyline in a square of 100, rejected to the right, caught upwards."""
    return " ".join(f"{100 * point['rejected']:.2f},{100 - 100 * point['caught']:.2f}" for point in curve)
