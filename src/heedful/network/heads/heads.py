"""Old names, until all imports follow."""

from heedful.network.heads.full import FullHead
from heedful.network.heads.mapped import MappedHead
from heedful.network.heads.pruned import PrunedHead
from heedful.network.heads.vector import VectorHead

__all__ = ["FullHead", "MappedHead", "PrunedHead", "VectorHead"]
