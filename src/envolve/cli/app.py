"""The commands, each in a file of its own. Heavy imports wait until a command runs."""

from __future__ import annotations

import typer

from . import (
    audit,
    bench,
    check,
    doctor,
    evolve,
    lineage,
    measure,
    memory,
    new,
    report,
    run,
    scenarios,
    schema,
    serve,
    solve,
    status,
)

app = typer.Typer(
    name="envolve",
    help="Grow executable tool-use environments and keep their tasks in a measured difficulty band.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Every command takes --debug, which shows the traceback of an error.",
)
app.command("run")(run.run)
app.command("status")(status.status)
app.command("report")(report.report)
app.command("scenarios")(scenarios.scenarios)
app.command("new")(new.new)
app.command("check")(check.check)
app.command("audit")(audit.audit)
app.command("serve")(serve.serve)
app.command("solve")(solve.solve)
app.command("measure")(measure.measure)
app.command("evolve")(evolve.evolve)
app.add_typer(bench.app, name="bench")
app.command("memory")(memory.memory)
app.command("lineage")(lineage.lineage)
app.command("doctor")(doctor.doctor)
app.command("schema")(schema.schema)
