"""One-token faults in Python source: which there are, and the source with one planted."""

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
EXTREMES = {"min": "max", "max": "min"}


@dataclass(frozen=True)
class Fault:
    """One fault of a module: characters `start` to `end` of its source become `new`.

    function: the innermost function that holds it, or "".  kernel: whether that is a rule or inside one, or
    it is a value of the module.  kind: comparison, constant, sign, dropped, swapped.
    """

    module: str
    function: str
    kernel: bool
    kind: str
    start: int
    end: int
    new: str
    source: str

    @property
    def planted(self) -> str:
        return planted([self])

    @property
    def line(self) -> int:
        return self.source.count("\n", 0, self.start) + 1

    @property
    def was(self) -> str:
        """The lines that change, stripped."""
        return self._lines(self.source, self.end)

    @property
    def becomes(self) -> str:
        return self._lines(self.planted, self.start + len(self.new))

    def _lines(self, text: str, end: int) -> str:
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", end)
        return "\n".join(line.strip() for line in text[first:last].split("\n"))

    @property
    def diff(self) -> str:
        lines = difflib.unified_diff(
            self.source.splitlines(), self.planted.splitlines(), self.module, self.module, lineterm="", n=2
        )
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function} {self.kind}: {self.becomes}"


def planted(together: list[Fault]) -> str:
    """The source of their module with some faults in it that lie apart."""
    source = together[0].source
    for fault in sorted(together, key=lambda fault: fault.start, reverse=True):
        source = source[: fault.start] + fault.new + source[fault.end :]
    return source


def faults(module: str, source: str) -> list[Fault]:
    """All faults of a module, in the order of its lines."""
    search = _Search(source)
    edits = sorted(search.module(), key=lambda edit: edit[2:])
    return [Fault(module, function, function in search.kernel, *edit, source) for function, *edit in edits]


Edit = tuple[str, str, int, int, str]  # function, kind, start, end, new


class _Search:
    def __init__(self, source: str) -> None:
        self.source = source
        self.kernel = {""}
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tokens = [
            (self.starts[t.start[0] - 1] + t.start[1], self.starts[t.end[0] - 1] + t.end[1], t.string)
            for t in tokenize.generate_tokens(io.StringIO(source).readline)
            if t.type in (tokenize.OP, tokenize.NAME)
        ]

    def at(self, line: int, column: int) -> int:
        """The character of a line and a byte of it."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.end_lineno or 0, node.end_col_offset or 0)

    def token(self, text: str, start: int) -> tuple[int, int]:
        """Where the first token `text` (of one word or two) from `start` on begins and ends."""
        words = text.split()
        for i, (first, _, _) in enumerate(self.tokens):
            if first >= start and [word for _, _, word in self.tokens[i : i + len(words)]] == words:
                return first, self.tokens[i + len(words) - 1][1]
        raise ValueError(f"no {text!r} after character {start}")

    def module(self) -> Iterator[Edit]:
        for node in ast.parse(self.source).body:
            if isinstance(node, ast.FunctionDef):
                yield from self.function(node)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value and not _is_storage(node):
                yield from self.inside(node.value, "")

    def function(self, function: ast.FunctionDef, inner: bool = False) -> Iterator[Edit]:
        if inner or any(isinstance(d, ast.Name) and d.id == "rule" for d in function.decorator_list):
            self.kernel.add(function.name)
        bound = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        bound += [argument.arg for argument in function.args.args]
        body = function.body[1:] if ast.get_docstring(function) else function.body
        for statement in body:
            yield from self.statement(statement, function.name, bound, statement is body[-1])

    def statement(self, node: ast.stmt, function: str, bound: list[str], last: bool) -> Iterator[Edit]:
        if isinstance(node, ast.FunctionDef):
            yield from self.function(node, function in self.kernel)
            return
        if _may_go(node, bound, last):
            yield function, "dropped", self.start(node), self.end(node), "pass"
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
            return
        if isinstance(node, ast.If):
            yield from self.negated(node.test, function)
        if isinstance(node, ast.AugAssign):
            was, new = OPERATORS[type(node.op)]
            place = self.token(was + "=", self.end(node.target))
            yield function, "sign", *place, new + "="
            yield function, "sign", *place, "="
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from self.statement(child, function, bound, False)
            elif not (isinstance(node, ast.AnnAssign) and child is node.annotation):
                yield from self.inside(child, function)

    def negated(self, test: ast.expr, function: str) -> Iterator[Edit]:
        """The condition turned round, where no other fault does that."""
        one_word = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            one_word = not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if not one_word:
            start, end = self.start(test), self.end(test)
            yield function, "swapped", start, end, f"not ({self.source[start:end]})"

    def inside(self, node: ast.AST, function: str) -> Iterator[Edit]:
        """The faults of an expression."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Compare):
            for left, op in zip([node.left, *node.comparators], node.ops, strict=False):
                was, new = COMPARISONS[type(op)]
                yield function, "comparison", *self.token(was, self.end(left)), new
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            was, new = OPERATORS[type(node.op)]
            yield function, "sign", *self.token(was, self.end(node.left)), new
        elif isinstance(node, ast.BoolOp):
            was, new = OPERATORS[type(node.op)]
            for left in node.values[:-1]:
                yield function, "comparison", *self.token(was, self.end(left)), new
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            kind, word = ("sign", "-") if isinstance(node.op, ast.USub) else ("swapped", "not ")
            yield function, kind, self.start(node), self.start(node) + len(word), ""
        elif isinstance(node, ast.IfExp):
            yield from self.negated(node.test, function)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EXTREMES:
            yield function, "comparison", self.start(node.func), self.end(node.func), EXTREMES[node.func.id]
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            for new in _others(node.value):
                yield function, "constant", self.start(node), self.end(node), new
        for child in ast.iter_child_nodes(node):
            yield from self.inside(child, function)


def _others(value: bool | int | float) -> list[str]:
    """Constants to put in the place of one; nothing below 0, since a sign is a token of its own."""
    if isinstance(value, bool):
        return [str(not value)]
    return [repr(other) for other in (value - 1, value + 1) if other >= 0]


def _is_storage(node: ast.Assign | ast.AnnAssign) -> bool:
    """The fields of box and state, whose sizes are no rules."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return all(isinstance(name, ast.Name) and name.id in ("BOX", "STATE") for name in targets)


def _may_go(node: ast.stmt, bound: list[str], last: bool) -> bool:
    """Whether a statement can be left out without that every run trips over the missing name or answer."""
    if isinstance(node, ast.Expr | ast.AugAssign | ast.Continue | ast.Break | ast.Raise):
        return True
    if isinstance(node, ast.Return):
        return not last
    if isinstance(node, ast.Assign):
        names = [n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)]
        stored = [name for name in names if bound.count(name) == 1]
        return not (stored and all(isinstance(t, ast.Name | ast.Tuple) for t in node.targets))
    return False


def kernel(folder: Path, package: str) -> dict[str, list[str]]:
    """The modules (files) of a game: of "rules" with what it imports, of "information" what is left."""
    rules = _imported(folder, package, "rules")
    return {
        "rules": rules,
        "information": sorted(set(_imported(folder, package, "information")) - set(rules)),
    }


def _imported(folder: Path, package: str, first: str) -> list[str]:
    """The files of a package's module and of those that it imports, as paths in the folder."""
    found, todo = set(), [first]
    while todo:
        file = _file(folder, todo.pop())
        if file is None or file in found:
            continue
        found.add(file)
        for node in ast.walk(ast.parse((folder / file).read_text())):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
                parts = f"{node.module}".split(".")[package.count(".") + 1 :]
                todo += [".".join(parts[: number + 1]) for number in range(len(parts))]
                todo += [".".join([*parts, alias.name]) for alias in node.names]
    return sorted(found)


def _file(folder: Path, module: str) -> str | None:
    """The file of a module, which may be a package; None for what is no module."""
    path = module.replace(".", "/")
    return next((file for file in (f"{path}.py", f"{path}/__init__.py") if (folder / file).exists()), None)
