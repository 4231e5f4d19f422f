"""The mistakes: each mutation of a function's syntax tree is the tree with one expression replaced."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType

OTHER_NAME = {
    "add": ["subtract"],
    "subtract": ["add"],
    "multiply": ["divide"],
    "divide": ["multiply"],
    "sin": ["cos"],
    "cos": ["sin"],
    "sinh": ["cosh"],
    "cosh": ["sinh"],
    "exp": ["log"],
    "log": ["exp"],
    "greater": ["less", "greater_equal"],
    "less": ["greater", "less_equal"],
    "equal": ["not_equal"],
    "zeros_like": ["ones_like"],
    "ones_like": ["zeros_like"],
    "sum": ["max"],
}
"""What a name of the namespace is mistaken for."""

COMMUTATIVE = {"add", "multiply", "equal", "not_equal", "maximum", "minimum", "hypot", "logaddexp"}
"""Here the order of the operands is no mistake."""

QUERIES = {"shape", "ndim", "dtype", "index", "tuple"}
"""Calls that nobody would leave away."""

OTHER_COMPARISON: dict[type, type] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.GtE: ast.Lt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True)
class Mutant:
    """A function with one mistake: what stood there, what stands there now, and the code to run instead."""

    before: str
    after: str
    line: int
    code: CodeType

    @property
    def text(self) -> str:
        return f"{self.before} -> {self.after}"


def mutants(function: FunctionType, attributes: tuple[str, ...] = ()) -> Iterator[Mutant]:
    """All mutants of a function; ``attributes`` are the layer's, which are mistaken for one another."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    strip_signature(definition)
    names = [node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)]
    values = [name for name in dict.fromkeys(names) if name not in ("self", "xp")]
    first = function.__code__.co_firstlineno
    seen = {ast.unparse(definition)}
    for parent, field, index, node in places(definition):
        for replacement in [*replacements(node, values, attributes), *pullback_mistakes(parent, node)]:
            put(parent, field, index, replacement)
            text = ast.unparse(definition)
            put(parent, field, index, node)
            if text not in seen:
                seen.add(text)
                before, after = ast.unparse(node), ast.unparse(replacement)
                yield Mutant(before, after, first + getattr(node, "lineno", 1) - 1, compiled(text, definition.name))


def strip_signature(definition: ast.FunctionDef) -> None:
    """Without decorators, annotations and docstring, which are no places for mistakes."""
    for node in ast.walk(definition):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            node.returns = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        elif isinstance(node, ast.arg):
            node.annotation = None


def compiled(text: str, name: str) -> CodeType:
    """The code object of the one function in some source."""
    module = compile(text, f"<mutant of {name}>", "exec")
    return next(const for const in module.co_consts if isinstance(const, CodeType) and const.co_name == name)


Place = tuple[ast.AST, str, int | None, ast.AST]


def places(root: ast.AST) -> list[Place]:
    """Every node with where it hangs."""
    found: list[Place] = []
    for parent in ast.walk(root):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                found.append((parent, field, None, value))
            elif isinstance(value, list):
                found.extend((parent, field, i, item) for i, item in enumerate(value) if isinstance(item, ast.AST))
    return found


def put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    """Hang a node in a place."""
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def replacements(node: ast.AST, values: list[str], attributes: tuple[str, ...]) -> Iterator[ast.AST]:
    """What might stand in the place of a node by mistake."""
    if isinstance(node, ast.Call):
        yield from call_mistakes(node)
    elif isinstance(node, ast.Constant):
        yield from constant_mistakes(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in values:
        yield from (ast.Name(other, ast.Load()) for other in values if other != node.id)
    elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self" and node.attr in attributes:
        yield from (ast.Attribute(node.value, other, ast.Load()) for other in attributes if other != node.attr)
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        yield from swapped(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER_COMPARISON:
        yield ast.Compare(node.left, [OTHER_COMPARISON[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield from branch_mistakes(node)


def call_mistakes(node: ast.Call) -> Iterator[ast.AST]:
    """A term dropped, a sum skipped, operands exchanged, another function called."""
    arguments = node.args
    plain = [one for one in arguments if ast.unparse(one) != "xp" and not isinstance(one, ast.Starred)]
    name = ast.unparse(node.func).rpartition(".")[2]
    if name not in QUERIES:
        yield from plain
    if len(plain) >= 2 and not node.keywords and name not in COMMUTATIVE:
        for i in range(len(plain) - 1):
            changed = copy.copy(node)
            changed.args = [*arguments]
            one, other = arguments.index(plain[i]), arguments.index(plain[i + 1])
            changed.args[one], changed.args[other] = plain[i + 1], plain[i]
            yield changed
    for other in OTHER_NAME.get(name, ()):
        yield ast.Call(ast.Attribute(ast.Name("xp", ast.Load()), other, ast.Load()), arguments, node.keywords)


def constant_mistakes(node: ast.Constant) -> Iterator[ast.AST]:
    """One more; the other truth."""
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, (int, float)):
        yield ast.Constant(node.value + 1)


def swapped(node: ast.Tuple) -> Iterator[ast.AST]:
    """Neighbours exchanged, such as the pullbacks of two operands."""
    for i in range(len(node.elts) - 1):
        order = [*node.elts[:i], node.elts[i + 1], node.elts[i], *node.elts[i + 2 :]]
        yield ast.Tuple(order, ast.Load())


def branch_mistakes(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    """The other branch."""
    changed = copy.copy(node)
    changed.test = ast.UnaryOp(ast.Not(), node.test)
    yield changed


def pullback_mistakes(parent: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """Of what a pullback returns: the sign flipped, the delta unchanged, one more factor, nothing at all."""
    returns = (isinstance(parent, ast.Lambda) and node is parent.body) or (
        isinstance(parent, ast.Return) and isinstance(node, (ast.Call, ast.Name))
    )
    if returns and isinstance(node, ast.expr):
        yield ast.parse("delta", mode="eval").body
        yield xp_call("negative", node)
        yield xp_call("add", node, node)
    if isinstance(node, ast.Lambda):
        yield ast.Constant(None)
        yield ast.Lambda(node.args, ast.Constant(None))


def xp_call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("xp", ast.Load()), name, ast.Load()), list(arguments), [])
