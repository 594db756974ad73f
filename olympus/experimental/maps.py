"""Where older programs import `xmap` from."""

from ..transforms.xmap import xmap

__all__ = ["xmap"]
