"""Fills the template and puts the file in place whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from envolve.environments.errors import ServiceError

if TYPE_CHECKING:
    from envolve.memory.store import RunStore

TEMPLATE = "report.html.j2"


def write_report(store: RunStore, folder: Path, output: Path | None = None) -> Path:
    """Write `folder`/report.html (or `output`) and return its path. Errors: ServiceError if the disk refuses."""
    path = output or folder / "report.html"
    partial = path.with_name(f"{path.name}.new")
    text = render(store, folder)
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose another place with -o.") from error
    return path


def render(store: RunStore, folder: Path) -> str:
    """The report's HTML. Whatever comes from models or data is escaped."""
    import jinja2

    from .facts import gather

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("envolve", "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["printable"] = _printable
    facts = gather(store)
    low, high = (float(bound) for bound in facts.config.band.split(":"))
    return environment.get_template(TEMPLATE).render(name=str(folder), facts=facts, low=low, high=high)


def _printable(value: object) -> str:
    """Without control characters and direction marks, which could hide what a text says."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in str(value)
    )
