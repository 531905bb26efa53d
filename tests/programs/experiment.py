"A small experiment: the baseline, the same again, and the sense card"
from rbkit import ablate
from rbkit.stats.paired import Comparison
from rbkit.trials.spec import AA_REPEAT, BASELINE, Arm
from rbkit.trials.trial import Trial

trial: Trial = ablate("E90", [BASELINE, AA_REPEAT, Arm("card", ("L0",))], n_tasks=3, suite="seeds/toy")
found: Comparison = trial.compare("card", metric="iterations")
low: float = found.lo
print(trial.aa(), low, trial.repeats(), trial.arms)
