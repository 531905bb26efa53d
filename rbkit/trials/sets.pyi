# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.trials.learners import Learner
from rbkit.trials.learners import NO_MEMORY
from rbkit.trials.learners import NO_MEMORY_AGAIN
from rbkit.trials.learners import OWN_KINDS
from rbkit.trials.plans import Plan
from rbkit.policies.loop import Slot
from rbkit.trials.learning import StreamRun
from dataclasses import dataclass
'Arms by short names, each set walked as its tasks come, and what that will cost'
__all__ = ['SHORT_NAMES', 'SEVERAL', 'EXP', 'ONE_PASS', 'short_arm', 'short_arms', 'table_arms', 'Pass', 'suite_names', 'world_place', 'suite_place', 'options_for', 'set_names', 'open_set', 'tasks_to_learn', 'tasks_if_unsaid', 'caps_left']
SHORT_NAMES = dict(none=NO_MEMORY, again=NO_MEMORY_AGAIN, bank=Learner('', learn='lessons'), placebo=Learner('', learn='lessons', show='placebo'), blank=OWN_KINDS['blank'], trajectories=Learner('', learn='trajectories'))
SEVERAL = dict(best=NO_MEMORY, matts=Learner('', learn='lessons'), sequential=Learner('', learn='lessons', scaling='sequential'))

def short_arm(word: str) -> Learner:
    """An arm by its short name; ValueError for a word that names none"""

def short_arms(words: str, option: str='arms') -> list[Learner]:
    """The arms of a table; ValueError where `none` is missing, with which the others are compared"""

def _words(text):
    """Words with commas between them, each once"""

def table_arms(arms: str='', memory: str='', budget: str | None=None, k: int | str | None=None) -> list[Learner]:
    """The arms of a table and the kinds of memory, each once; ValueError for what would change none of them"""

def _with_room(arms, budget):
    """Arms whose memory has so much room"""

@dataclass
class Pass(StreamRun):
    """A run in which every task of a stream is met once, and nothing else is asked"""
    in_order: bool = False

    @property
    def unit(self) -> str:
        """What is counted as one observation"""

    def slots(self, arm: Learner, stream: int) -> list[Slot]:
        """What a stream asks, in order"""

    def there(self, out: str | None=None) -> list[dict]:
        """The rows that are stored of this run"""

    def plan(self, out: str | None=None) -> Plan:
        """What the run would cost and could find; no live model is asked"""

    def _pilot(self):
        """Rows of a few tasks under each arm, by the simulated model"""

    def spent(self, out: str | None=None) -> dict[str, float]:
        """What this run has taken so far; nothing where its tasks or its code were others"""

def suite_names() -> list[str]:
    """Suites of graphs that are shipped"""

def _has_tasks(folder):
    ...

def _there_are():
    """What a world can be called"""

def world_place(name: str) -> dict[str, str]:
    """Where a run takes place; ValueError for a name that is not known"""

def suite_place(name: str) -> str:
    """Where a suite lies; what is no folder of one's own may be the name of one that is shipped"""

def options_for(given: dict[str, object], world: str) -> dict[str, str]:
    """Options of one world among several: those with its name before a dot, as in tools.requests=1, or with none"""
EXP = 'table'
ONE_PASS = 'table-one-pass'

def set_names(text: str) -> list[str]:
    """Worlds and data sets by their names, each once; ValueError for one that is not known or cannot be used"""

def open_set(world: str, arms: list[Learner], one_pass: bool=False, **given) -> Pass:
    """A run over one set, checked; no model is asked, and ValueError is raised for what cannot work"""

def _refuse_idle(one_pass, given):
    """Refuse a number that would change nothing"""

def _streams(world, arms, given):
    """Several streams over the tasks that are not held out"""

def _prepared(exp, world, arms, given):
    """Specification and inputs; a set that cannot be read is named"""

def tasks_to_learn(world: str, given: dict) -> int:
    """How many tasks a run over a set learns from; ValueError where more were asked for than there are"""

def _size(world, there, asked, usual):
    """How many tasks a run takes of a set"""

def tasks_if_unsaid(world: str, given: dict) -> dict[str, int]:
    """The number of tasks of a world of steps where nobody said one"""

def _in_order(name, world, n, rng_seed):
    """So many tasks of a set in its own order; all if no number is given"""

def caps_left(given: dict[str, object], others: list[dict[str, float]]) -> dict[str, float] | None:
    """What of a table's caps is left for one run of it"""
