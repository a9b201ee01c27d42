"""An index more."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.package import Environment
from ..base import DecoyChange


class IndexAdded:
    kind = "index_added"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for table in environment.tables().values():
            for column in table.columns if not table.view else ():
                if not column.key and not column.generated:
                    sql = f"CREATE INDEX {table.name}_by_{column.name} ON {table.name} ({column.name});"
                    schema = f"{environment.schema_sql.rstrip()}\n{sql}\n"
                    yield DecoyChange(f"schema.{table.name}", f"an index on {column.name}", schema_sql=schema)
