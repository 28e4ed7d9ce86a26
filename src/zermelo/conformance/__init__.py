"""The conformance check: does a game keep the protocol, in both modes, and what is its evaluation worth?"""

from zermelo.conformance.checking import check
from zermelo.conformance.report import Evaluation, Finding, Report, Statistics

__all__ = ["Evaluation", "Finding", "Report", "Statistics", "check"]
