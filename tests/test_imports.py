"""The plan of the rooms: what each may import, no circles, imports inside of functions for loading time alone."""

from __future__ import annotations

from tests.imports import circles, imports, modules

# The rooms of layertree from the bottom up: a room imports rooms above it in this list alone.
ROOMS = (
    "core",
    "layers",
    "sweep",
    "kernels",
    "namespaces",
    "updates",
    "tape",
    "text",
    "rewrite",
    "drawing",
    "program",
    "training",
    "datasets",
    "plots",
    "demo",
)
# The rooms of the compiler, likewise; the modules of ``layertree/program`` itself stand above them.
PROGRAM_ROOMS = ("ir", "lower", "runtime", "passes", "codegen", "report")
# The rooms of symbolic, in ranks: a room imports rooms of its own rank and of those before.
SYMBOLIC_RANKS = (
    ("signatures",),
    ("core",),
    ("building",),
    ("functions", "initializers", "losses", "nn", "attention", "parsing", "simplification", "derivatives"),
    ("solvers",),
)
# What stands above all rooms: the public names, the hooks of the facade, and the program `python -m layertree`.
ROOT = ("layertree", "layertree.__main__", "layertree._facade", "layertree.typing")
# Modules that use both packages.
ABOVE_SYMBOLIC = ("layertree.__main__", "layertree.demo")
# Imports for type checkers alone that point to a higher room: what methods of Layer and Tape return, or take.
UPWARD_FOR_CHECKERS = {
    ("layertree.core.facade", "layertree.tape.gradients"),
    ("layertree.core.facade", "layertree.rewrite.selection"),
    ("layertree.core.facade", "layertree.rewrite.surgery"),
    ("layertree.core.tape", "layertree.tape.gradients"),
    ("layertree.core.facade", "layertree.drawing.drawing"),
    ("layertree.core.layer", "layertree.drawing.drawing"),
    ("layertree.core.tape", "layertree.drawing.drawing"),
    ("layertree.core.layer", "layertree.rewrite.selection"),
    ("layertree.core.layer", "layertree.rewrite.surgery"),
}
# Circles between modules that are there for a reason.
CIRCLES: dict[frozenset[str], str] = {}
LOADING = "for loading time"


def room_of(module: str) -> str | None:
    """The room of a module of layertree; None for the root and for symbolic."""
    parts = module.split(".")
    return parts[1] if parts[0] == "layertree" and len(parts) > 1 and parts[1] in ROOMS else None


def test_the_root_is_small_and_all_else_is_in_a_room() -> None:
    root = [name for name in modules() if name.startswith("layertree") and room_of(name) is None]
    assert sorted(root) == sorted(ROOT)
    assert len(root) <= 8


def test_rooms_import_downward() -> None:
    wrong = [
        found
        for found in imports()
        if (source := room_of(found.source)) is not None
        and not found.for_checkers
        and ((target := room_of(found.target)) is None or ROOMS.index(target) > ROOMS.index(source))
        and not (source == "demo" and found.target.partition(".")[0] in ("symbolic", "layertree"))
    ]
    assert not wrong


def test_imports_for_checkers_point_upward_only_where_the_facade_does() -> None:
    upward = {
        (found.source, found.target)
        for found in imports()
        if found.for_checkers
        and (source := room_of(found.source)) is not None
        and (target := room_of(found.target)) is not None
        and ROOMS.index(target) > ROOMS.index(source)
    }
    assert upward == UPWARD_FOR_CHECKERS


def test_rooms_of_the_compiler_import_downward() -> None:
    def rank(module: str) -> int:
        room = module.split(".")[2] if module.count(".") > 1 else ""
        return PROGRAM_ROOMS.index(room) if room in PROGRAM_ROOMS else len(PROGRAM_ROOMS)

    inside = [one for one in imports() if {room_of(one.source), room_of(one.target)} == {"program"}]
    assert {rank(found.source) for found in inside} == set(range(len(PROGRAM_ROOMS) + 1))
    assert not [found for found in inside if not found.for_checkers and rank(found.target) > rank(found.source)]


def reached(start: str) -> set[str]:
    """The modules of the compiler that a module imports, itself or by others, functions included."""
    found, pending = {start}, [start]
    while pending:
        source = pending.pop()
        targets = {one.target for one in imports() if one.source == source and not one.for_checkers}
        fresh = {name for name in targets if room_of(name) == "program"} - found
        found |= fresh
        pending.extend(fresh)
    return found


def test_what_stands_before_the_seam_for_engines_knows_no_engine() -> None:
    """Derivation, lowering and the passes before an engine use no source text, arena, frame or thread."""
    before = reached("layertree.program.engine") | reached("layertree.program.lower.step_derivation")
    rooms = {name.split(".")[2] for name in before if name.count(".") > 2}
    assert rooms == {"ir", "lower", "passes", "runtime"}
    assert {name for name in before if ".runtime." in name} == {"layertree.program.runtime.diagnostics"}
    assert {name for name in before if name.count(".") == 2 and name.split(".")[2] not in PROGRAM_ROOMS} == {
        "layertree.program.engine"
    }
    assert "layertree.program.codegen.emit" in reached("layertree.program.numpy_engine")


def test_rooms_of_symbolic_import_downward() -> None:
    ranks = {room: rank for rank, rooms in enumerate(SYMBOLIC_RANKS) for room in rooms}
    rooms = {name.split(".")[1] for name in modules() if name.startswith("symbolic.")}
    assert rooms == {*ranks, "_facade"}
    for found in imports():
        source, target = found.source.split("."), found.target.split(".")
        if source[0] == target[0] == "symbolic" and len(source) > 1 and not found.for_checkers and source[1] in ranks:
            assert len(target) > 1, found
            assert ranks[target[1]] <= ranks[source[1]], found


def test_layertree_never_imports_symbolic() -> None:
    assert not [
        found
        for found in imports()
        if found.source.startswith("layertree")
        and found.target.startswith("symbolic")
        and not found.source.startswith(ABOVE_SYMBOLIC)
    ]


def test_there_are_no_circles() -> None:
    edges = {(found.source, found.target) for found in imports() if not found.for_checkers}
    found = {frozenset(circle) for circle in circles(edges)}
    assert found == set(CIRCLES)
    assert len(CIRCLES) <= 3
    assert all(CIRCLES.values())


def test_circles_are_found() -> None:
    assert circles({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")}) == [
        ["d", "e"],
        ["a", "b", "c"],
    ]
    assert circles({("a", "b"), ("a", "c"), ("b", "c")}) == []


def test_imports_inside_of_functions_say_that_they_are_for_loading_time() -> None:
    names = sorted({found.source for found in imports() if found.in_function})
    texts = {name: " ".join(modules()[name].read_text().replace("#", " ").split()) for name in names}
    silent = [name for name, text in texts.items() if LOADING not in text]
    assert names
    assert not silent, f"these import inside of functions: a comment says that it is {LOADING}, or the import moves up"
