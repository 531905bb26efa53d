"""What an agent can do: tools that hand out handles, and naive ones to compare them with"""

from .ctx import find_all
from .naive import make_naive_tools
from .toolset import GROUPS, describe_tools, make_tools, own_tools

__all__ = ["GROUPS", "describe_tools", "find_all", "make_naive_tools", "make_tools", "own_tools"]
