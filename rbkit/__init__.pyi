# Written by `rbkit stubs` from the module beside it; do not edit.
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
__version__: str
