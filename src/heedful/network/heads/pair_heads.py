"""Old names, until all imports follow."""

from heedful.network.heads.pair.concat import ConcatHead
from heedful.network.heads.pair.gated import GatedHead
from heedful.network.heads.pair.likeness import LikenessHead

__all__ = ["ConcatHead", "GatedHead", "LikenessHead"]
