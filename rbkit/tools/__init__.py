"""What an agent can do: tools that hand out handles, and naive ones to compare them with"""

from ..ground.extras import need_all

need_all(__name__, "regex", "pyoxigraph")

from .ctx import find_all
from .naive import make_naive_tools
from .toolset import GROUPS, make_tools

__all__ = ["GROUPS", "find_all", "make_naive_tools", "make_tools"]
