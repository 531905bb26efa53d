from ..ground.extras import need_all

need_all(__name__, "dspy", "psutil")

from .interface import register_env # entered here, like a stranger's world, so that rows of other worlds keep their version

register_env("tables", "rbkit.worlds.tables:Tables")
