"""Which kind of memory makes a tool-using language-model agent better, and by how much?"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what a type checker and an editor see
    from rbkit.graphs.graph import load_graph as load_graph
    from rbkit.graphs.suites import load_suite as load_suite
    from rbkit.bank.bank import Bank as Bank
    from rbkit.bank.items import Item as Item
    from rbkit.tools.toolset import make_tools as make_tools
    from rbkit.context import ContextBuilder as ContextBuilder
    from rbkit.agents.executors import run_agent as run_agent
    from rbkit.policies.service import Service as Service
    from rbkit.trials.ablation import ablate as ablate
    from rbkit.trials.learning import learn as learn
    from rbkit.reports.frames import rows as rows

__version__ = "0.1.0"

_HOMES = {  # what users name first -> the module that holds it
    "load_graph": "rbkit.graphs.graph",
    "load_suite": "rbkit.graphs.suites",
    "Bank": "rbkit.bank.bank",
    "Item": "rbkit.bank.items",
    "make_tools": "rbkit.tools.toolset",
    "ContextBuilder": "rbkit.context",
    "run_agent": "rbkit.agents.executors",
    "Service": "rbkit.policies.service",
    "ablate": "rbkit.trials.ablation",
    "learn": "rbkit.trials.learning",
    "rows": "rbkit.reports.frames",
}

__all__ = sorted(_HOMES)


def __getattr__(name):
    "Import what is named when it is first used: `import rbkit` stays quick and loads no dspy"
    if name not in _HOMES:
        raise AttributeError(f"module 'rbkit' has no attribute {name!r}; it has {', '.join(__all__)} and its parts.")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted([*globals(), *__all__])
