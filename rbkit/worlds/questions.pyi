# Written by `rbkit stubs` from the module beside it; do not edit.
from rbkit.worlds.interface import BaseEnv
from typing import NamedTuple
from rbkit.worlds.question_files import Question
from rbkit.worlds.interface import WorldTask
'Maths and multiple choice as a world of one step, and items that must never be printed'
__all__ = ['ANSWER_FORMATS', 'Questions']
ANSWER_FORMATS = dict(choice='Finish with: The answer is (LETTER).', math='Put the final answer in \\boxed{}.')

class Questions(BaseEnv):
    """Questions with one answer: a reply, and the end"""
    name = 'questions'
    single = True
    family = 'question'

    def __init__(self, source: str='seeds', n: int | None=None, how: str | None=None, max_steps: int=1, rng_seed: int=0):
        self.source = source
        self.n = n
        self.how = how
        self.max_steps = max_steps
        self.rng_seed = rng_seed
        self._entries = None

    def _tasks(self):
        ...

    def _answer(self, action):
        ...

    def _check(self, prediction):
        """Is a whole reply right?"""

    def _all(self):
        ...

    def _task_of(self, q):
        ...

    def _comparison(self, q):
        ...

    def question_of(self, task: WorldTask | None=None) -> Question:
        """The question behind a task, with what the agent is not told. ValueError if there is none"""

    def _begin(self, task, seed):
        ...

    def _act(self, action):
        ...

    def _gold(self):
        ...

class _Entry(NamedTuple):
    task: WorldTask
    question: Question

def _digest_of_id(q):
    ...

def _format_of(q):
    ...
