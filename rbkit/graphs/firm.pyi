# Written by `rbkit stubs` from the module beside it; do not edit.
from typing import NamedTuple
from pathlib import Path
from random import Random
from dataclasses import dataclass
from dataclasses import field
"A company's graph with the habits of real ones: what it means cannot be seen from its schema"
__all__ = ['FIRM_NAMES', 'FIRM_CLASSES', 'FIRM_PROPERTIES', 'quoted', 'turtle_line', 'Firm', 'FirmFiles', 'write_company', 'write_firm']
_HOME = 'https://example.org/rbkit/firm/'
FIRM_NAMES = 'hr erp auditor certificate company component currency family hall invoice line machine model\n    order part person rate site unit'.split()

def quoted(text: str) -> str:
    """A text as Turtle has it"""

def _head(title: str, names: list[str]=FIRM_NAMES) -> list[str]:
    """The first lines of a file"""

def _property(key: str) -> str:
    ...

def turtle_line(name: str, kinds: str, **values) -> str:
    """What is said about one thing"""
_FIRST = 'Alma Bero Cleo Dario Elin Faris Gesa Hanno Ilka Jorin Kaja Levi Malin Nuno Orla Pavo Runa Sanja\n    Tarek Ursa Vito Wanda Yaro Zita'.split()
_LAST = 'Abelin Barsk Cornado Dvorin Ekholt Fanelle Grauter Hallmar Ivenko Jastrow Kellmark Lindovar Mertens\n    Norvik Ostberg Pellano Quentrup Rasko Sandhus Tormund Ulvaeus Vossberg Wexley Zandor'.split()
_JOBS = 'Planner Buyer Welder Fitter Controller Draughtsman Electrician Clerk Technician Inspector\n    Programmer Storekeeper'.split()
_DIVISIONS = {'Fluid Systems': 'Pumps/Valve Works/Pipework', 'Drive Systems': 'Gears/Motors/Brakes', 'Services': 'Field Service/Spare Parts/Repair Shop', 'Central Functions': 'Logistics/Quality/Tooling'}
_SECTIONS = ('Assembly', 'Testing', 'Planning')
_BIRDS = 'Heron Kestrel Osprey Plover Curlew Merlin Siskin Bittern Dunlin Fulmar Gannet Harrier Jackdaw\n    Lapwing Nightjar Oriole Pipit Redstart Sandpiper Turnstone Wagtail Whinchat Wryneck Avocet'.split()
_SITES = 'Norrhaven Alderby Steinmoor Castelune'.split()
_COUNTRIES = 'Norway Austria Portugal Poland Ireland Estonia'.split()
_FAMILIES = 'Valve Gasket Shaft Bearing Flange Housing Spring Coupling'.split()
_MATERIALS = 'brass steel bronze nylon aluminium'.split()
_MAKERS = 'Arvo Belmar Cindral Dorvane Estelux Ferrand Gorlin Havelor Istrum Jorvale Kaldor Lumet Morvant\n    Nexor Orvelle Pastrim Quorin Rendal Solvik Trevane Umbrel Varkos Welmar Xantor Yselle'.split()
_TRADES = 'Metals Trading Freight Works'.split()
_AUDITORS = 'Lindqvist Ostermann Ferreira Kowal Dunmore Tamm'.split()

@dataclass
class Firm:
    """A seeded source of a company; lists hold what later parts refer to"""
    rng: Random
    lines: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    teams: list[str] = field(default_factory=list)
    machines: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    auditors: list[str] = field(default_factory=list)
    companies: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, kinds: str, **values) -> str:
        ...

    def chance(self, share: float) -> bool:
        ...

    def _unit(self, label, kind, parent):
        ...

    def organize(self) -> None:
        """Units and teams"""

    def employ(self, n: int=400) -> None:
        """People, with and without a present employment"""

    def equip(self, n: int=130) -> None:
        """Halls, models and machines"""

    def _exchange(self, n):
        """Pairs of machines that exchange tools, most of them entered on one of the two"""

    def _mass(self):
        ...

    def _lead_time(self):
        ...

    def _part(self, number, label, kind, **more):
        ...

    def _purchased(self, n):
        """Parts without parts"""

    def build(self, n_parts: int=200) -> None:
        """Part families, parts, assemblies and products"""

    def _assemble(self, whole, items):
        """The places of an assembly"""

    def trade_with(self) -> None:
        """Companies, their certificates and who gave them"""

    def _add_company(self, id: str, name: str, kinds: list[str]) -> str:
        ...

    def _certify(self, company: str) -> None:
        ...

    def sell(self, n: int=260) -> None:
        """Orders and their lines"""

    def buy(self, n: int=320) -> None:
        """Rates of currencies by month, and invoices"""
_MACHINES = 'erp:Lathe erp:Mill erp:Press erp:Bender erp:CuttingMachine erp:FormingMachine erp:TestRig'.split()
_COMPANIES = dict(supplier='Supplier Foundry Forwarder Haulier Distributor', customer='Customer Dealer Integrator')
_STANDARDS = (9001, 14001, 27001, 45001)
_RATES = dict(CHF=1.04, SEK=0.088, USD=0.92)
FIRM_CLASSES = 'hr:Person hr:Site hr:Unit hr:Company<hr:Unit hr:Division<hr:Unit hr:Department<hr:Unit\n    hr:Section<hr:Unit hr:Team<hr:Unit erp:Hall erp:Model erp:Machine erp:CuttingMachine<erp:Machine\n    erp:Lathe<erp:CuttingMachine erp:Mill<erp:CuttingMachine erp:FormingMachine<erp:Machine erp:Press<erp:FormingMachine\n    erp:Bender<erp:FormingMachine erp:TestRig<erp:Machine erp:Item erp:Part<erp:Item erp:Subassembly<erp:Item\n    erp:Assembly<erp:Item erp:Product<erp:Item erp:Component erp:Family erp:Partner erp:Supplier<erp:Partner\n    erp:Foundry<erp:Supplier erp:Forwarder<erp:Supplier erp:Haulier<erp:Forwarder erp:Distributor<erp:Supplier\n    erp:Customer<erp:Partner erp:Dealer<erp:Customer erp:Integrator<erp:Customer erp:Auditor erp:Certificate erp:Order\n    erp:Line erp:Invoice erp:Currency erp:Rate'.split()
FIRM_PROPERTIES = 'hr:memberOf: hr:Person -> hr:Unit. The last unit of a person.\nhr:job: hr:Person -> xsd:string\nhr:status: hr:Person -> xsd:string. 3 at work, 1 on leave and employed, 2 retired, 0 has left.\nhr:entryYear: hr:Person -> xsd:integer\nhr:worksAt: hr:Person -> hr:Site\nhr:partOf: hr:Unit -> hr:Unit\nhr:formedBy: hr:Team -> hr:Unit. The unit that a team is part of.\nerp:onSite: erp:Hall -> hr:Site\nerp:model: erp:Machine -> erp:Model\nerp:inHall: erp:Machine -> erp:Hall\nerp:operatedBy: erp:Machine -> hr:Unit\nerp:serviceInterval: -> xsd:integer. In days. Given for a model, and for a machine where it differs from its model.\nerp:exchangesToolsWith: erp:Machine -> erp:Machine. Holds for both machines, whichever of them it was entered for.\nerp:family: erp:Part -> erp:Family\nerp:material: erp:Part -> xsd:string\nerp:mass: erp:Item -> xsd:string\nerp:leadTime: erp:Part -> xsd:string\nerp:inside: erp:Component -> erp:Item\nerp:item: -> erp:Item\nerp:count: erp:Component -> xsd:integer. Pieces of the item in one piece of what it is inside.\nerp:country: erp:Partner -> xsd:string\nerp:headcount: erp:Partner -> xsd:integer\nerp:holder: erp:Certificate -> erp:Partner\nerp:standard: erp:Certificate -> xsd:string\nerp:auditor: erp:Certificate -> erp:Auditor\nerp:orderedBy: erp:Order -> erp:Customer\nerp:freight: erp:Order -> xsd:integer. In euros, for the whole order.\nerp:ofOrder: erp:Line -> erp:Order\nerp:pieces: erp:Line -> xsd:integer\nerp:from: erp:Invoice -> erp:Supplier\nerp:date: erp:Invoice -> xsd:date\nerp:amount: erp:Invoice -> xsd:integer\nerp:currency: erp:Invoice -> erp:Currency. Of the amount; not given for euros.\nerp:of: erp:Rate -> erp:Currency\nerp:month: erp:Rate -> xsd:string\nerp:euros: erp:Rate -> xsd:decimal. For one unit of the currency, in that month.'.split('\n')

def _spoken(name: str) -> str:
    """A label: words instead of capitals"""

def _class_line(text: str) -> str:
    ...

def _property_line(text: str) -> str:
    ...

class FirmFiles(NamedTuple):
    """The files of a company that was written"""
    graph: Path
    ontology: Path

def write_company(folder: str | Path, company: Firm, title: str, classes: list[str]=FIRM_CLASSES, properties: list[str]=FIRM_PROPERTIES, names: list[str]=FIRM_NAMES) -> FirmFiles:
    """Fill a company and write its graph and its vocabulary"""

def write_firm(folder: str | Path, rng_seed: int=24) -> FirmFiles:
    """Write an invented company: about 12,000 statements, and its vocabulary"""
