# Written by `rbkit stubs` from the module beside it; do not edit.
from fractions import Fraction
from collections.abc import Sequence
from rbkit.graphs.checks import Verdict
import atexit
from functools import lru_cache
import re
import threading
'Whether an answer is right, with algebra where it is needed and a limit that holds'
__all__ = ['CHECKER', 'NO_MATH_VERIFY', 'COMPARISONS', 'Checker', 'compare_answers', 'check_reply']

def _limit_memory(mb: int) -> None:
    ...

def _values(expression, others: list) -> list:
    """Numbers that stand for an expression or for its parts; its variables take fixed values"""

def _are_close(gold: list, said: list) -> bool:
    """Do two parsed answers agree as numbers, relative to their size? True where they are no numbers"""

def _is_whole(parsed: list) -> bool:
    """Was all of a text read, and not only what stands before a command that the parser does not know?"""
_APPROXIMATE = 5e-06
_EXACT = 1e-25

def _serve(secs: float, mb: int) -> None:
    """The process: a pair a line in; `same`, `other` or `unread` a line out, until there are no more"""

class Checker:
    """math-verify in a process, with a limit that holds; threads take turns"""

    def __init__(self, secs: float=5, mb: int=2048):
        self.secs = secs
        self.mb = mb
        self.process = None
        self.owner = 0
        self._lock = threading.Lock()

    def _start(self):
        ...

    def close(self) -> None:
        """End the process; the next question starts another"""

    def _ask(self, gold, said, secs):
        ...

    def _is_running(self):
        ...

    def ask(self, gold: str, said: str) -> str:
        """Do two expressions mean the same? RuntimeError if the process does not start"""
CHECKER = Checker()

@atexit.register
def _close_checker():
    ...

class _CutOff(Exception):
    pass

@lru_cache(maxsize=10000)
def _remembered(gold, said):
    ...

def _compute(gold: str, said: str) -> str:
    ...
NO_MATH_VERIFY = "math-verify is not installed, so only text and plain numbers were compared: pip install 'rbkit[math]'"
_BASE = re.compile('\\d_\\{?(\\d+)\\}?$')

def _parts(text: str) -> list[str]:
    ...

def _compare_simply(gold: str, said: str) -> str:
    """What can be said without algebra"""

def _bases(*texts: str) -> set[str]:
    """The bases of numbers such as 40_9"""

def _is_terminating(number: Fraction) -> bool:
    """Can a number be written as a decimal?"""

def _are_close_numbers(a: Fraction, b: Fraction) -> bool:
    """Are two numbers equal, up to the noise of floating point, or up to six digits of a decimal that stands for a fraction?"""

def _differ_as_numbers(gold: str, said: str) -> str | None:
    ...

def _differ_in_words(gold: str, said: str) -> str | None:
    """What units and variables tell, where both sides give them"""
_REASONS = dict(same='', other='another answer', unread='the gold answer is no mathematics')
_ROMAN = re.compile('\\\\(?:mathrm|mathit|mathsf|operatorname|rm|text) *(?:\\{ *([a-zA-Z]) *\\}|([a-zA-Z])(?![a-zA-Z]))')

def _readable(text: str) -> str:
    """An expression as math-verify reads it: single letters without a font, no unit"""

def _compare_math(gold: str, said: str) -> str:
    ...

def _compare_regex(gold: str, said: str) -> str:
    ...

def _compare_exact(gold: str, said: str) -> str:
    ...

def _compare_number(gold: str, said: str) -> str:
    ...

def _compare_choice(gold: str, said: str) -> str:
    ...
COMPARISONS = dict(math=_compare_math, regex=_compare_regex, exact=_compare_exact, number=_compare_number, choice=_compare_choice)

def compare_answers(gold: str, said: str, how: str='math') -> Verdict:
    """Is an answer right? The reason quotes neither. ValueError if there is no such comparison"""

def check_reply(gold: str, reply: str, how: str='math', options: Sequence[str] | int=10) -> Verdict:
    """Is a reply right?"""
