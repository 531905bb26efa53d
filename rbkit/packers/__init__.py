"""What a layer says within its budget: one packer a layer"""

from ..ground.extras import need_all

need_all(__name__, "rdflib")

from .constraints import curated_rules, pack_constraints
from .contract import check_packer
from .fit import Packed, PackItem, estimate_tokens, fit
from .guide import GuideScore, pack_guide, score_guide
from .memory import pack_memory
from .sense import pack_sense

__all__ = [
    "GuideScore", "PackItem", "Packed", "check_packer", "curated_rules", "estimate_tokens", "fit",
    "pack_constraints", "pack_guide", "pack_memory", "pack_sense", "score_guide",
]
