"""Which kind of memory makes a tool-using language-model agent better, and by how much?"""

from importlib import import_module

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
