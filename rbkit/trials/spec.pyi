# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.bank.bank import Bank
from collections.abc import Callable
from rbkit.context import ContextBuilder
from rbkit.bank.files import ENDINGS
from pathlib import Path
from rbkit.retrieval.interface import Retriever
from rbkit.ground.settings import budgets
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
'Arms and parameters, checked and frozen before anything runs'
__all__ = ['BANKS', 'PACK', 'DATABASE', 'ACT_NAMES', 'SHOWS', 'BASELINE', 'AA_REPEAT', 'SHAPING', 'SIZES', 'CAPS', 'OWN', 'KINDS', 'SPLITS', 'PARAMS', 'NO_VERDICT', 'refuse_unknown', 'refuse_odd_names', 'check_bank', 'open_bank', 'Arm', 'check_arm', 'check_whole', 'run_again', 'own_names', 'is_shipped_path', 'own_data', 'dry_run_of', 'dry_run_words', 'verdicts_of', 'verdict_word', 'content_of', 'check_settings', 'lock_here', 'described', 'Spec']

def refuse_unknown(what: str, given: object, known: tuple[str, ...]) -> None:
    """Raise ValueError when a value is none of those that are known"""

def refuse_odd_names(who: str, given: dict[str, object], known: tuple[str, ...]) -> None:
    """Raise ValueError when a keyword is none of those that are taken"""
BANKS = ('seeds', 'empty')
PACK = ENDINGS
DATABASE = ('.db', '.sqlite')

def check_bank(given: object) -> None:
    """Raise ValueError when a value names no bank"""

def open_bank(given: object, retriever: Retriever | None=None) -> Bank:
    """The bank that a value names; a file is read and not written to"""

def _items_of(given):
    """What a bank holds at first"""
ACT_NAMES = ('sense', 'constraints', 'guide', 'shown', 'asked', 'stored', 'archived', 'duplicate', 'contradiction', 'supersede', 'merge', 'reranked', 'chosen', 'mixed', 'several', 'looked_back')
SHOWS = ('memory', 'placebo', 'blank')

@dataclass(frozen=True, repr=False)
class Arm:
    """One way of running the tasks"""
    name: str
    layers: tuple[str, ...] = ()
    bank: object = 'seeds'
    show: str = 'memory'
    placebo: object = 'seeds'
    mode: str = 'inject'
    executor: str = 'rlm'
    toolset: str = 'handles'
    print_chars: int | None = None
    slice_sense: bool = True
    rules: dict[str, object] | None = None
    guide: str | Path = ''
    retriever: Callable[[], Retriever] | None = None
    k: int | None = None
    min_score: float | None = None
    cite: bool = False
    budgets: tuple[tuple[str, int], ...] = ()
    acts: tuple[tuple[str, int], ...] = ()
    salt: str = ''

    def __post_init__(self):
        object.__setattr__(self, 'budgets', tuple(sorted(dict(self.budgets).items())))
        object.__setattr__(self, 'acts', tuple(sorted(dict(self.acts).items())))
        check_arm(self)

    @property
    def limits(self) -> dict[str, int]:
        """Budgets that differ from those of the profile"""

    def builder(self, profile: str) -> ContextBuilder:
        """What puts this arm's layers together"""

    def make_retriever(self) -> Retriever | None:
        """A new one for a bank of this arm; None where the bank ranks by its own"""

    def __repr__(self):
        ...

    @property
    def choices(self) -> dict[str, object]:
        """The fields that are not as they usually are, apart from the name"""

def _placebo_of(arm):
    """Unrelated items: those that are shipped, or one's own"""

def check_arm(arm: Arm) -> None:
    """Raise ValueError when a field names nothing"""

def check_whole(name: str, given: object, least: int) -> None:
    """Raise ValueError for what is no whole number, or too small a one"""

def _check_guide(given):
    """Shipped guides, a Markdown file, or a folder of them"""

def _check_retriever(make):
    """What makes a retriever, tried once"""
BASELINE = Arm('baseline')

def run_again(arm: Arm) -> Arm:
    """The same arm with noise of its own: how far the two lie apart is the spread beside which an effect is read"""
AA_REPEAT = run_again(BASELINE)
SHAPING = ('lm', 'profile', 'rng_seed', 'max_iters', 'step_timeout_secs', 'engine', 'query_timeout_secs', 'query_max_mb', 'grade', 'temperature', 'request_options', 'sim_p_discover', 'world', 'options', 'sim')
SIZES = dict(n_tasks=2, n_held_out=1, n_repeats=1, n_streams=2, max_iters=1, retries=0)
CAPS = ('max_calls', 'max_tokens', 'max_usd', 'max_secs')
_SETTINGS = ('lm', 'profile', 'rng_seed', 'max_iters', 'step_timeout_secs', 'engine', 'query_timeout_secs', 'query_max_mb', 'grade', 'temperature', 'request_options', 'sim_p_discover', 'suite', 'n_tasks', 'n_repeats', 'n_streams', 'retries', 'record', 'replay')
OWN = ('bank', 'placebo', 'rules', 'retriever')
KINDS = ('memory', 'memory_budget', 'memory_k')
SPLITS = ('train', 'held_out')
PARAMS = (*_SETTINGS, 'world', 'options', 'sim', 'n_held_out', 'split', 'interpreter', *CAPS, *OWN, *KINDS)

def _file_name(given):
    ...

def own_names(given: dict[str, object]) -> dict[str, str]:
    """What a user brought in place of what is shipped, by the name of its file"""
NO_VERDICT = 'test run, no verdict'

def is_shipped_path(path: str | Path) -> bool:
    """Did a file or a folder come with this package?"""

def own_data(settings: dict[str, object]) -> list[str]:
    """The data of a run that are the user's own, in words"""

def dry_run_of(settings: dict[str, object]) -> list[str]:
    """The user's own parts of a run that the simulated model cannot judge"""

def dry_run_words(settings: dict[str, object]) -> str:
    """That a run gives no verdict, why, and which option names a model that can give one"""

def verdicts_of(manifest: dict[str, object]) -> list[dict[str, str]]:
    """The verdicts of a run, one for each claim; of a test run none of them says held or failed"""

def verdict_word(manifest: dict[str, object]) -> str:
    """The verdicts of a run in a few words"""

def content_of(given: dict[str, object]) -> dict[str, str]:
    """Digests of the files that a user brought, so that a run's folder is named after their content"""

def _content_hash(given):
    """A short digest of a bank, of a file, or of all files of a folder"""

@lru_cache(maxsize=4096)
def _file_hash(path, changed):
    """The digest of a file; it is read again once it has changed"""

def check_settings(given: dict[str, object], live: bool=True) -> dict[str, object]:
    """Parameters resolved, and refused where they cannot work"""

def _check_numbers(p):
    """Sizes are whole numbers, chances are shares"""

def _profile(p, given):
    """What an agent's code runs under; NotLocked where that cannot be. A world of steps runs none"""

def lock_here() -> str:
    """Whether a model's code can be locked on this machine, or why not"""

def _recorded_model(p, given):
    """The model that a recording was made with, or the one that was named and is in it"""

def described(value: object) -> object:
    """A value as JSON that is the same whenever the value is"""

def _held(value):
    """What an object holds, by name"""

def _bank_hash(given):
    """A name stands for itself, a file for what is in it"""

def _guide_hash(given):
    """As for a bank"""

def _described_arm(arm):
    """Every choice of an arm, as far as it can change a row"""

@dataclass(frozen=True)
class Spec:
    """What a run is to be; nothing is open yet, and nothing changes any more"""
    exp: str
    arms: tuple[Arm, ...]
    params: dict[str, object]
    guide: str = 'model'
    learning: bool = False
    known: dict[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self):
        object.__setattr__(self, 'arms', tuple(self.arms))
        refuse_unknown('guide', self.guide, ('model', 'seeds'))
        if not self.known:
            self._check_arms()

    def _check_arms(self):
        ...

    def config(self, arm: Arm) -> str:
        """A hash of an arm's configuration and of every setting that shapes a row; the arm's name is not in it"""

    def _config(self, arm):
        ...

    def arm(self, name: str) -> Arm:
        """An arm by its name"""

    @property
    def baseline(self) -> Arm:
        """The first arm, which the others are compared with"""
