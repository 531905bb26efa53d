from ..ground.extras import need_all

need_all(__name__, "dspy", "psutil")
