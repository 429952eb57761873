"""The command; see the package's docstring."""

import argparse
import os
import random
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

if "--equivalent" not in sys.argv:
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before numba is imported

from . import __doc__ as about
from .equal import differs
from .faults import Fault, faults, kernel
from .killers import Target, kill, known_times, warm

ROOT = Path(__file__).parents[2]
PARTS = {
    "rules": "rules and scores",
    "information": "information",
    "box": "what packs and checks the box, and declares fields",
}
SHARED = (
    "foodenvs.envs.aec",
    "foodenvs.testing.scenario",
    "foodenvs.testing.configurations",
    "foodenvs.envs.gym",
)


def target_of(game: str) -> Target:
    shared = ("test_scenarios.py", "test_rules.py", "test_views.py", "test_readers.py")
    names = (*shared, f"games/test_{game}.py")
    tests = tuple(ROOT / "tests" / name for name in names)
    return Target(f"foodenvs.games.{game}", ROOT / "foodenvs" / "games" / game, tests, game)


def parts_of(target: Target) -> dict[str, list[Fault]]:
    """All faults by part; "box" are those of plain functions, which no position in play depends on."""
    parts: dict[str, list[Fault]] = {part: [] for part in PARTS}
    for part, modules in kernel(target.folder, target.package).items():
        for module in modules:
            for fault in faults(module, (target.folder / module).read_text()):
                parts[part if fault.kernel else "box"].append(fault)
    return parts


def listed_as_equivalent(game: str) -> list[dict[str, str]]:
    file = Path(__file__).parent / f"{game}.toml"
    rows: list[dict[str, str]] = tomllib.loads(file.read_text())["equivalent"] if file.exists() else []
    for row in rows:
        if set(row) != {"module", "function", "was", "becomes", "reason"}:
            raise SystemExit(f"{file.name}: needs module, function, was, becomes and reason, got {row}")
    return rows


def is_row(row: dict[str, str], fault: Fault) -> bool:
    return all(row[key] == getattr(fault, key) for key in ("module", "function", "was", "becomes"))


def judge(args: argparse.Namespace, target: Target, chosen: dict[str, list[Fault]], numbers: dict) -> bool:
    """Run the faults, tell each as it ends, and the survivors and shares at last; whether all were killed."""
    rows = listed_as_equivalent(args.game)
    alike = {fault for part in chosen.values() for fault in part if any(is_row(row, fault) for row in rows)}
    if args.only:
        alike = set()
    sources = [*(ROOT / "foodenvs").rglob("*.py"), *(ROOT / "foodenvs").rglob("*.toml")]
    sources += [*(ROOT / "tests/golden").glob("*.toml"), *(ROOT / "tests").glob("[!t]*.py")]
    begun = time.monotonic()
    times = known_times(target, sources, args.show)
    print(f"{len(times)} tests take {sum(times.values()):.0f} CPU seconds ({time.monotonic() - begun:.0f} s)")
    todo = [fault for part in chosen.values() for fault in part if fault not in alike]
    survivors = []
    for done, (fault, how) in enumerate(kill(target, todo, times, args.seconds, args.workers, args.show), 1):
        survivors += [] if how else [fault]
        print(f"{done}/{len(todo)} #{numbers[fault]} {fault}\n    {how or 'SURVIVED'}", flush=True)
    for fault in sorted(survivors, key=numbers.__getitem__):
        print(f"\n#{numbers[fault]} {fault.kind} in {fault.function or 'the module'}\n{fault.diff}")
    print()
    for part, of_part in chosen.items():
        if of_part:
            without = len(alike.intersection(of_part))
            counted = len(of_part) - without
            killed = counted - len(set(survivors).intersection(of_part))
            print(
                f"{PARTS[part]}: {len(of_part)} faults, {without} of them without effect "
                f"({without / len(of_part):.1%}); {killed} of {counted} killed: {killed / (counted or 1):.1%}"
            )
            kinds = Counter(fault.kind for fault in set(survivors).intersection(of_part))
            print("   survivors:", ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "none")
    print(f"{time.monotonic() - begun:.0f} s")
    return not survivors


def check_equivalent(args: argparse.Namespace, target: Target, everything: list[Fault]) -> bool:
    """Whether every listed fault is there, and makes no difference in play."""
    jobs, fine = [], True
    for row in listed_as_equivalent(args.game):
        meant = [fault for fault in everything if is_row(row, fault)]
        if not meant:
            print(f"no such fault: {row}")
            fine = False
        jobs += meant
    found = differs(target, args.game, jobs, args.games, args.workers)
    for fault, difference in found:
        print(f"{fault}\n    {difference or 'no difference'}", flush=True)
        fine = fine and not difference
    return fine


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.mutants", description=about.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, metavar="N", help="so many faults of each part")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="draws the sample")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=["rules", "information"])
    parser.add_argument("--only", nargs="+", type=int, metavar="K", help="the faults of these numbers")
    parser.add_argument("--list", action="store_true", help="list the faults and run none")
    parser.add_argument("--equivalent", action="store_true", help="check the faults listed as without effect")
    parser.add_argument("--games", type=int, default=2000, help="games for --equivalent")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of tests for a fault")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="pass on what pytest prints")
    args = parser.parse_args()
    os.chdir(ROOT)
    target = target_of(args.game)
    parts = parts_of(target)
    numbers = {fault: number for number, fault in enumerate(f for part in parts.values() for f in part)}
    if args.equivalent:
        warm(*SHARED)
        sys.exit(not check_equivalent(args, target, list(numbers)))
    if args.only:
        chosen = {part: [f for f in of_part if numbers[f] in args.only] for part, of_part in parts.items()}
    else:
        chosen = {part: parts[part] for part in PARTS if part in args.part}
    if args.sample is not None:
        for part, of_part in chosen.items():
            drawn = random.Random(args.seed).sample(of_part, min(args.sample, len(of_part)))
            chosen[part] = sorted(drawn, key=numbers.__getitem__)
    if args.list:
        for part, of_part in chosen.items():
            for fault in of_part:
                print(f"#{numbers[fault]} {part} {fault}")
        return
    warm(
        *SHARED,
        *(f"foodenvs.games.{g.name}" for g in target.folder.parent.iterdir() if is_other(g, args.game)),
    )
    sys.exit(not judge(args, target, chosen, numbers))


def is_other(folder: Path, game: str) -> bool:
    return folder.name != game and (folder / "__init__.py").exists()


if __name__ == "__main__":
    main()
