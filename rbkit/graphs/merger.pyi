# Written by `rbkit stubs` from the module beside it; do not edit.
from collections.abc import Callable
from rbkit.graphs.firm import Firm
from rbkit.graphs.firm import FirmFiles
from typing import NamedTuple
from pathlib import Path
from dataclasses import dataclass
from dataclasses import field
'The same company with the books of another one in it: what is rare is what a query loses'
__all__ = ['BookEntry', 'EntryHabit', 'MergedFirm', 'write_merger']

@dataclass
class BookEntry:
    """What is about to be said about one thing"""
    name: str
    kinds: list[str]
    values: dict

class EntryHabit(NamedTuple):
    """How the other company entered records of a class"""
    enter: Callable
    share: float
_HABITS: dict[str, EntryHabit] = {}

@dataclass
class MergedFirm(Firm):
    """A firm with the records of another one among its own"""
    bays: set[str] = field(default_factory=set)

    def add(self, name: str, kinds: str, **values) -> str:
        """Write a record, as one company or the other would"""

    def _exchange(self, n):
        ...
_STATUS = {'3': 'active', '1': 'absent', '2': 'pensioner', '0': 'gone'}

def _enter_person(firm, record):
    ...

def _enter_section(firm, record):
    ...
_HABITS['hr:Person'] = EntryHabit(_enter_person, 0.14)
_HABITS['hr:Section'] = EntryHabit(_enter_section, 0.2)
_FAMILIES = 8
_BACK = 5

def _enter_mass(firm, record):
    ...

def _half_weeks(text):
    """A time such as `12 days`, to the nearest half of a week, with a comma"""

def _enter_part(firm, record):
    ...

def _enter_component(firm, record):
    ...
_HABITS['erp:Part'] = EntryHabit(_enter_part, 0.14)
_HABITS['erp:Component'] = EntryHabit(_enter_component, 0.9)

def _weeks(days):
    ...

def _enter_model(firm, record):
    ...

def _bay(firm, hall):
    """A bay of a hall, written when it is first named"""

def _enter_machine(firm, record):
    ...
_HABITS['erp:Model'] = EntryHabit(_enter_model, 0.2)
_COUNTRY_CODES = dict(Norway='NO', Austria='AT', Portugal='PT', Poland='PL', Ireland='IE', Estonia='EE')

def _enter_first(firm, record):
    """A company as the firm has it, with two certificates"""

def _enter_company(firm, record):
    ...

def _enter_invoice(firm, record):
    ...
_HABITS['erp:Invoice'] = EntryHabit(_enter_invoice, 0.14)
_MORE_CLASSES = ['erp:Bay', 'erp:Exchange']
_MORE_PROPERTIES = 'hr:staff: hr:Unit -> hr:Person\nhr:hasUnit: hr:Unit -> hr:Unit\nerp:bayOf: erp:Bay -> erp:Hall\nerp:kind: erp:Machine -> xsd:string\nerp:variantOf: erp:Part -> erp:Part. What is not said of a variant holds as for the part that it varies.\nerp:between: erp:Exchange -> erp:Machine'.split('\n')

def _merged_property(text: str) -> str:
    """The line of a property, as both companies can sign it"""

def write_merger(folder: str | Path, rng_seed: int=28) -> FirmFiles:
    """Write the graph of two companies, about 14,000 statements, and its vocabulary"""
