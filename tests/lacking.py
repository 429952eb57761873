"""Takes parts of numba away while foodenvs looks for what it uses of them, as a later numba might."""

import importlib.abc
import pkgutil
import sys

import pytest


def take_away(patch, owner, name):
    """An attribute of a module or a class, also one that only its constructor sets."""
    found = pkgutil.resolve_name(owner)
    for holder in getattr(found, "__mro__", (found,)):
        made = vars(holder).get("__init__")
        if name in vars(holder):
            patch.delattr(holder, name)
        if name in getattr(getattr(made, "__code__", None), "co_names", ()):
            renamed = tuple(each + "_" * (each == name) for each in made.__code__.co_names)
            patch.setattr(made, "__code__", made.__code__.replace(co_names=renamed))


def take_away_all(patch, used):
    """The modules that these attributes are in."""
    for module in {owner.partition(":")[0] for owner in used}:
        patch.setitem(sys.modules, module, None)


class Until(importlib.abc.MetaPathFinder):
    """Gives back what a patch took away, when a module is imported; numba needs it itself."""

    def __init__(self, patch, module):
        self.patch, self.module = patch, module
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path, target=None):
        if name == self.module:
            self.patch.undo()


def play_without(taken, *played):
    """Print what is missing, and these of `toy.runs`, where `taken(patch)` takes something away."""
    import numba.core.caching  # noqa: F401

    patch = pytest.MonkeyPatch()
    taken(patch)
    Until(patch, "foodenvs.engine.loops")  # by then the parts have been looked for, and no rule is made yet
    from toy import runs

    from foodenvs.engine import jit

    print([name for name in ("inlined", "cache") if not getattr(jit, name)])
    print(*(getattr(runs, name)() for name in played))
