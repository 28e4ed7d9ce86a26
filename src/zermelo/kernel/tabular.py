"""Results as tables: CSV for other programs, and data frames for notebooks."""

from __future__ import annotations

import csv
import io
from typing import Any

from zermelo.game.errors import ZermeloError


class Tabular:
    """A result that is a table."""

    def table(self) -> list[dict[str, Any]]:
        """The rows as plain data, each with the same columns."""
        raise NotImplementedError

    def to_csv(self) -> str:
        """The table as comma-separated values, with a row of headings."""
        rows = self.table()
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0] if rows else (), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame."""
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise ZermeloError("a data frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.table())
