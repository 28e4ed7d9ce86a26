"""The conformance check: does a game keep the protocol, in both modes, and what is its evaluation worth?"""

from __future__ import annotations

import sys
import types
from typing import Any

from zermelo.check.checking import check
from zermelo.check.report import Evaluation, Finding, Report, Statistics

__all__ = ["Evaluation", "Finding", "Report", "Statistics", "check"]


class _CallablePackage(types.ModuleType):
    """Importing this package makes it `zermelo.check`, which is also the function's name: both can be called."""

    def __call__(self, *arguments: Any, **options: Any) -> Report:
        return check(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
