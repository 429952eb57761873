"""How a rule is compiled: machine code is made only of what Python calls, once, with everything in it.

numba makes machine code of every function, and it links all that a function calls into it, so that a rule
deep down is optimised and emitted again for every rule above it. Here a rule that another rule calls stays
code to be linked into that one. It buys shorter first compiles and nothing after: they are 1.3 to 2.1 times
as fast as by plain `njit`, by the game (all of Scratch & Catch takes 28 s of CPU time, not 47 s), and the
results run equally fast.

It rests on private parts of numba, which stand in `PRIVATE`. Importing this where one of them is missing is
an ImportError, and `foodenvs.engine.rule` does without it.
"""

from collections.abc import Callable
from typing import Any

import numba.core.typing.arraydecl  # noqa: F401  first of all, so that a[i] is tried for arrays before lists
from llvmlite import binding as llvm
from numba import types
from numba.core import codegen, compiler, dispatcher
from numba.core.registry import CPUDispatcher

from foodenvs.engine.private import need
from foodenvs.engine.turns import TURN

PRIVATE = {
    "llvmlite.binding": ("parse_bitcode",),
    "numba.types": ("Dispatcher", "signed_domain", "unliteral"),
    "numba.core.codegen:JITCodeLibrary": (
        *("_final_module", "_finalize_dynamic_globals", "_finalize_final_module", "_finalized"),
        *("_optimize_final_module", "serialize_using_bitcode"),
    ),
    "numba.core.codegen:JITCPUCodegen": ("set_env",),
    "numba.core.compiler": ("compile_result",),
    "numba.core.compiler:Compiler": ("define_pipelines", "func_id", "library", "state", "targetctx"),
    "numba.core.compiler:CompileResult": (
        *("_find_referenced_environments", "_replace", "codegen", "environment", "fndesc", "library"),
        *("signature", "target_context"),
    ),
    "numba.core.compiler:Flags": ("no_compile",),
    "numba.core.cpu:CPUContext": ("codegen", "insert_user_function", "typing_context"),
    "numba.core.dispatcher:_FunctionCompiler": ("_compile_core", "_customize_flags", "fold_argument_types"),
    "numba.core.environment:Environment": ("env_name",),
    "numba.core.funcdesc:PythonFunctionDescriptor": ("calltypes", "typemap"),
    "numba.core.registry:CPUDispatcher": (
        *("_compiler", "_numba_type_", "add_overload", "compile", "get_call_template", "locals"),
        *("overloads", "targetdescr"),
    ),
}
need(PRIVATE)

OPTIONS = {
    "nopython": True,
    "boundscheck": None,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}


class Called(CPUDispatcher):
    """A rule as Python calls it. To the compiler of other rules it is `inlined`."""

    def __init__(self, function: Callable[..., Any], targetoptions: dict[str, Any] = OPTIONS) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self.inlined = Inlined(function, targetoptions={**targetoptions, "no_cpython_wrapper": True})

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.inlined)

    def compile(self, signature: Any) -> Any:
        """One process at a time."""
        with TURN.of_one_call():
            return super().compile(signature)

    def add_overload(self, result: Any) -> None:
        """Also set the environments (what errors are made of) of inlined rules, which nobody else does."""
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
        super().add_overload(result)


class Inlined(CPUDispatcher):
    """A rule as other rules call it, which cannot be run by itself."""

    def __init__(self, function: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self._compiler = _Compiler(function, self.targetdescr, targetoptions, self.locals, _Pipeline)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Whole numbers are passed as int64, lest a rule be compiled for every width and constant."""
        _, folded = self._compiler.fold_argument_types(args, kws)
        return super().get_call_template(tuple(map(_widened, folded)), {})

    def add_overload(self, result: Any) -> None:
        """Keep the result; the base class would also register its machine code, which there is none of."""
        self.overloads[tuple(result.signature.args)] = result


def _widened(kind: Any) -> Any:
    return types.int64 if types.unliteral(kind) in types.signed_domain else kind


class _Compiler(dispatcher._FunctionCompiler):  # type: ignore[name-defined]
    def _customize_flags(self, flags: Any) -> Any:
        flags.no_compile = True
        return flags

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        """numba finds a function by its machine code; anything that stands for that will do."""
        result = super()._compile_core(args, return_type)._replace(entry_point=object())
        result.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class _Pipeline(compiler.Compiler):
    def define_pipelines(self) -> Any:
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _Library(codegen.JITCodeLibrary):
    """Code that is left as it is, for those into which it is linked."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def reduce(result: Any) -> tuple[Any, ...]:
    """What is kept on disk of a compiled inlined rule."""
    result.fndesc.typemap = result.fndesc.calltypes = None  # needed no more, and cannot always be pickled
    name, _, code = result.library.serialize_using_bitcode()
    return name, code, result.fndesc, result.environment, result.signature


def rebuild(target_context: Any, kept: tuple[Any, ...]) -> Any:
    """The compiled inlined rule that `reduce` took apart, in the compiler of this process."""
    name, code, fndesc, environment, signature = kept
    library = _Library(target_context.codegen(), name)
    library._final_module = llvm.parse_bitcode(code)
    library._finalize_final_module()
    return compiler.compile_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=object(),
        library=library,
        fndesc=fndesc,
        environment=environment,
        signature=signature,
        objectmode=False,
        lifted=(),
    )
