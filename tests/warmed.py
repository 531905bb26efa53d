"What a process that forks for tests has done before: the package is read once for its version, which every run of a fork would read anew"
from rbkit.trials.versions import STREAMS, code_version

code_version(STREAMS)
