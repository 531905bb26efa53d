# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.models.sim_reader import Known
from typing import NamedTuple
from rbkit.models.sim_question import ParsedQuestion
from rbkit.models.sim_reader import Profile
from random import Random
from collections.abc import Sequence
from rbkit.models.sim_queries import Wanted
from dataclasses import dataclass
import re
'From one class to another, as far as the prompt says what leads where'
__all__ = ['Kind', 'NUMBERS', 'Translation', 'PathStep']

@dataclass
class Translation:
    """One question in the light of one prompt, and the noise of one attempt"""
    text: str
    question: ParsedQuestion
    known: Known
    rng: Random
    profile: Profile
    noise: int = 0

    def can(self, need: str, about: str='', told: bool | None=None) -> bool:
        """Does this attempt manage something that has to be known?"""

    def related(self, one: Kind, other: Kind) -> bool:
        """Is one class the other, or above or below it?"""

    def _price(self, path):
        """What one step costs"""

    def _steps_from(self, kind):
        """Steps that lead away from a class: (step, class where it ends)"""

    def _arrives(self, at, end):
        """May a thing of one class, or a certain thing, be what a way ends at?"""

    def find_path(self, start: Kind, end: Kind, most: int=3) -> tuple[PathStep, ...] | None:
        """The cheapest way from one class to another"""

    def step_text(self, step: PathStep) -> str:
        """One step as a property path"""

    def _holds_both_ways(self, name):
        """Is a property said to be symmetric, or does the question speak of it so?"""

    def _wants_all_below(self):
        ...

    def _can_repeat(self, name):
        """Does a property lead back to the class that it comes from, as far as anybody knows?"""

    def path_text(self, steps: Sequence[PathStep]) -> str:
        """Steps as one property path"""

    def _hierarchy_below(self, kind, steps):
        """The end of a path that follows the hierarchy of a class, where everything below is wanted"""

    def link(self, start: Kind, end: Kind) -> str | None:
        """A property path from a thing of one class to a thing of another; None without any idea"""

    def lineage(self, start: Kind, end: Kind) -> str | None:
        """A path along all properties that the question names and that lead from a class to itself; None if fewer than two"""

    def _asks_for_origin(self, step):
        """Does a question ask from which, of which or to which thing, along a property that leads from a class to itself?"""

    def _direction(self, name, start, end):
        """A property in the direction that one known end gives, or None"""

    def attribute(self, name: str, kind: Kind) -> str:
        """A property path from a class to an attribute, through other classes where edges say so"""

    def _conditions(self):
        """What holds of ?x, the things asked for"""

    def _typed(self, variable, kind):
        """The condition that a variable is of a class, or of one below it"""

    def _sides(self):
        """Things that are to be excluded, and those that are not"""

    def _lacking(self, things):
        """What is not to hold of ?x: a property, or a link to a thing"""

    def _absent(self, name):
        """That ?x has no value of a property, or is no value of it where it is not to be *followed by* one"""

    def _worded(self, kind):
        """What a name or another text of ?x is to hold, where the question quotes it"""

    def _linked_to_any(self, things):
        """Conditions that the mentioned things put on ?x: all of them, or any where an *or* stands between two"""

    def _of_groups(self, per):
        """What mentioned things put on the groups of a count, ?x: a link, or that they are left aside"""

    def _linked_to(self, thing):
        """The condition that a mentioned thing puts on ?x: it is the thing, or is linked to it"""

    def _measures(self, types):
        """Properties that the question names and whose values are of one of some types, best first"""

    def _compared(self):
        """A value and its threshold; numbers that are stored as text are cast, if that idiom is known"""

    def _number(self, name, variable='?v'):
        """A value as a number"""

    def _dated(self):
        """A date, or a number between two"""

    def _class_words(self, kind):
        ...

    def _class_in(self, words):
        """The first class whose words all stand among some words"""

    def _bounds_a_count(self):
        """Does a threshold stand for how many things there are, and not for a value?"""

    def _naming(self, kind: Kind):
        """The property path that names things of a class"""

    def _far_name(self, names, kind):
        """A name that hangs on a node of its own, as a path"""

    def _belongs_to(self, name, kind):
        """Is a property declared for a class, or for one above or below it?"""

    def _returned(self, variable, kind, number=''):
        """How a thing is returned: by its name, or as it is"""

    def _of_thing(self):
        """Queries for a property of the first thing mentioned, most likely first"""

    def _all_above(self, thing):
        """Everything above a thing, or everything that comes from it; None if that is not asked"""

    def _value_or_name(self, subject, name, classes):
        ...

    def wanted(self) -> list[Wanted]:
        """The columns that a question asks for; the things themselves if it does not say"""

    def _wanted_in(self, part, is_first):
        ...

    def _is_literal(self, name):
        ...

    def _listing(self):
        """Which things …? Their names, and what else was asked for"""

    def _column(self, number, wanted, body):
        """A column that is wanted, given the conditions so far; None where nothing can be written"""

    def _property_column(self, variable, name):
        ...

    def _first_after(self, patterns):
        """The first class, and the first property, that stands behind the first pattern that a question shows"""

    def _other_end(self, kind):
        """The class that things of a class are linked with, if there is only one"""

    def _pair(self):
        """The class that is counted, and the class that it is counted for"""

    def _counts(self):
        """The patterns of a count; None without any idea how its two classes are linked"""

    def _aggregate(self):
        """A question with a number in its answer; None when an idiom for it is not known"""

    def _once(self):
        """The word that counts each thing once"""

    def _ranked(self, text, counts, column):
        """The groups at the top: some of them, or all that are tied"""

    def _extreme(self):
        """The things with the highest value or the lowest, over all or for each group"""

    def _extreme_of_each(self, kind, path, per, best):
        ...

    def _returned_as(self, kind):
        """The column for things of a class: the property that the question asks to return, or the name"""

    def _measured(self, name):
        ...

    def _total(self):
        """The sum of a value for each group"""

    def _average(self, counts):
        ...

    def _how_many(self):
        """How many of the top groups are wanted"""

    def overlook(self) -> None:
        """Go on without the property that the question names first, or without its class where it names none"""

    def _shapes(self):
        """Queries of every shape that fits, most likely first"""

    def _wants_number(self):
        """Does a question ask for a number per group, above a threshold, at the top or on average?"""

class PathStep(NamedTuple):
    """One step of a path"""
    property: str
    forward: bool
Kind = str | frozenset[str] | None

def _classes(kind):
    """The classes that a thing may belong to, as a set"""

def _with_superclasses(cls, known):
    """A class and all classes above it"""

def _same_line(one, other, known):
    ...
_COST_MOST = 4

def _inverse(path):
    ...
_TEXT = re.compile('the word "(?P<part>[^"]+)" in (?:its|their) (?P<of>[\\w ]+)|whose \\w+ ends in "(?P<end>[^"]+)"')
NUMBERS = ('xsd:int', 'xsd:decimal', 'xsd:double', 'xsd:string')
