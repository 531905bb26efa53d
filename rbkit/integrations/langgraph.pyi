# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.integrations.memory import AgentMemory
from typing import Any
from langgraph.store.base import BaseStore
from langchain_core.tools import BaseTool
from collections.abc import Callable
from collections.abc import Iterable
from langgraph.store.base import MatchCondition
from langgraph.store.base import Item as Stored
"A store for the graph, and tools for its agent: `pip install '.[langgraph]'` in a clone"
__all__ = ['graph_tools', 'BankStore']

def _handed_on(function: Callable) -> Callable:
    """A function whose ValueError is one that LangChain tells the model"""

def graph_tools(memory: AgentMemory, agent: str, scope: str='', session: str='') -> list[BaseTool]:
    """A memory's functions as LangChain tools; a mistake goes back to the model as text"""

class BankStore(BaseStore):
    """A bank as LangGraph's store: namespaces are scopes; what a value says in its content is what it is found by"""

    def __init__(self, memory: AgentMemory, agent: str='langgraph', tier: int=0):
        self.memory = memory
        self.agent = agent
        self.tier = tier

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Answer operations in their order"""

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """The same, in a thread"""

    def _put(self, op):
        """Keep a value, or give it up"""

    def _get(self, op):
        """A value that may be shown, or None"""

    def _below(self, namespace):
        """The scopes of a namespace and of those below it that hold something"""

    def _hits(self, query, k, scopes):
        """The best of several scopes; the order of one is the memory's own"""

    def _find(self, op):
        """The values that fit a query; without one, those that are there"""

    def _names(self, op):
        """Namespaces that hold something"""

def _scope(namespace: tuple[str, ...]) -> str:
    """The scope that a namespace stands for"""

def _namespace(scope: str) -> tuple[str, ...]:
    ...

def _id(namespace, key):
    """An item's id from where it is kept"""

def _text(value: dict, field: str, otherwise: str) -> str:
    """What a value says in a field, if that is text"""

def _stored(x, tools, kind=Stored, **more):
    """An item as the store returns it"""

def _meets(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    """Does a namespace begin, or end, as a condition says? * is any label"""
