"""Play in the terminal: the table as the player to move sees it, actions by number, name or beginning."""

import secrets
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from foodenvs import __version__
from foodenvs.agents import AGENTS
from foodenvs.core.checks import check_seed
from foodenvs.core.documents import may_name, printable, write
from foodenvs.core.notation import WIDTH
from foodenvs.core.setup import Setup
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.registry import find_game
from foodenvs.replay import Replay, load
from foodenvs.ui.session import HUMAN, GameSession

HELP = """\
Type the number or the name of an action; a beginning that only one action has is enough.
  hint        what an agent would do        undo        take your last decision back
  table       the table again               log         what has happened so far
  rules       the rules of the game         save FILE   keep the game (resume: foodenvs play --resume FILE)
  quit        leave the game                help        this text
"""
COMMANDS = ("hint", "undo", "table", "log", "rules", "save", "quit", "help")


class Terminal:
    """A session in a terminal. ask: reads one line after a prompt (EOFError at the end); say: prints."""

    def __init__(
        self,
        session: GameSession,
        hints: str = "greedy",
        ask: Callable[[str], str] = input,
        say: Callable[[str], Any] = print,
    ) -> None:
        self.session, self.hints, self.ask, self.say = session, hints, ask, say
        self._told: dict[str | None, int] = {}
        self._at_the_screen: str | None = None

    def run(self) -> bool:
        """Play until the game is over (True) or the player leaves (False)."""
        self.say(HELP)
        while not self.session.over:
            if self.session.waits:
                if not self._human():
                    return False
            else:
                self.session.advance()
                if not self.session.humans:
                    self._news(None)
        self._end()
        return True

    def _human(self) -> bool:
        """One decision of a human; False if the player leaves."""
        player = str(self.session.turn)
        self._hand_over(player)
        self._news(player)
        self._show(player)
        number = len(self.session.recorder.steps)
        while len(self.session.recorder.steps) == number:
            legal = self.session.legal()
            complete_with([*legal, *COMMANDS])
            try:
                line = " ".join(self.ask(f"{player}> ").split())
            except EOFError:
                self.say("")
                return False
            if line == "quit":
                return False
            self._do(line, legal, player)
        return True

    def _do(self, line: str, legal: Sequence[str], player: str) -> None:
        command, _, rest = line.partition(" ")
        try:
            if command in COMMANDS and line not in legal:
                self._command(command, rest, player)
            elif line:
                self.session.act(match(line, legal))
        except (ValueError, OSError) as error:
            self.say(printable(error))

    def _command(self, command: str, rest: str, player: str) -> None:
        session = self.session
        if command == "hint":
            self.say(f"{self.hints} would play: {session.hint(self.hints)}")
        elif command == "undo":
            session.undo()
            left = len(session.recorder.steps)
            self._told = {viewer: min(count, left) for viewer, count in self._told.items()}
        elif command == "table":
            self._show(player)
        elif command == "log":
            self.say("\n".join(map(wrapped, session.told(player))) or "nothing yet")
        elif command == "rules":
            self.say(session.setup.game.page)
        elif command == "save":
            if not rest:
                raise ValueError("save needs the name of a file: save game.json")
            session.replay().save(rest)
            agents = [who for who in session.seats.values() if who != HUMAN]
            own = "" if all(may_name(who, AGENTS) for who in agents) else " --allow-code"
            self.say(f"saved in {rest}; go on with: foodenvs play --resume {rest}{own}")
        else:
            self.say(HELP)

    def _hand_over(self, player: str) -> None:
        """Where several people play, the next one comes to a screen without the other's cards."""
        if len(self.session.humans) > 1 and self._at_the_screen not in (None, player):
            self.say("\n" * 60)
            try:
                self.ask(f"{player}, press Enter when only you look at the screen ")
            except EOFError:
                return
        self._at_the_screen = player

    def _news(self, viewer: str | None) -> None:
        """What has happened since this viewer was last told."""
        told = self.session.told(viewer)
        fresh = told[self._told.get(viewer, 0) :]
        self._told[viewer] = len(told)
        if fresh:
            self.say("\n".join(map(wrapped, fresh)))

    def _show(self, player: str) -> None:
        self.say("\n" + self.session.env.table(player))
        self.say(listed(self.session.legal()))

    def _end(self) -> None:
        env = self.session.env
        self.say("\n" + env.table("open"))
        returns = env.returns()
        best = max(returns.values())
        for agent, points in env.scores().items():
            won = " (wins)" if returns[agent] == best else ""
            self.say(printable(f"{agent} ({self.session.seats[agent]}): {points} points{won}"))


def deal(setup: Setup, seats: Sequence[str], seed: int | None) -> GameSession:
    """A new game; fewer seats than players are repeated in turn after the first."""
    if not 1 <= len(seats) <= setup.players:
        raise ValueError(f"seats must be 1 to {setup.players}, one for each player, got {len(seats)}")
    others = seats[1:] or seats
    seated = [seats[0], *(others[k % len(others)] for k in range(setup.players - 1))]
    number = secrets.randbits(62) if seed is None else check_seed(seed)
    return GameSession.deal(setup, seated, number)


def resume(path: Path, game: str | None, seats: Sequence[str], allow_code: bool = False) -> GameSession:
    """A saved game, gone on with; see `GameSession.resume`."""
    saved = load(path)
    if game is not None and find_game(game).id != saved.game:
        raise ValueError(f"{path} is a game of {saved.game}, not of {game}")
    return GameSession.resume(saved, seats, allow_code)


def print_page(game: Any) -> None:
    """A game's page: laid out in a terminal, as it is elsewhere."""
    if not sys.stdout.isatty():
        print(game.page)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(game.page))


def print_replay(
    replay: Replay, seat: str | None, step: int | None, gif: Path | None, html: Path | None
) -> None:
    """A replay, run again: files where they are asked for, else one position or the whole game in words."""
    from foodenvs.replay import export

    viewer = export.viewers(replay, seat or export.OPEN)[0]
    for file, ending in ((gif, ".gif"), (html, ".html")):
        if file is not None and file.suffix.lower() != ending:
            raise ValueError(f"--{ending[1:]} writes a file that ends in {ending}, got {file}")
    if gif is not None:
        print(f"{gif}: {export.save_gif(replay, gif, seat)} frames")
    if html is not None:
        write(html, export.html(replay, seat))
        print(f"{html}: open it in a browser")
    if step is not None:
        print(replay.at(step).table(viewer), end="")
    elif gif is None and html is None:
        print_game(replay, viewer)


def print_game(replay: Replay, viewer: str) -> None:
    """Head, actions in words, last table and result of a replay."""
    options = ", ".join(f"{name}={value}" for name, value in replay.options.items())
    print(printable(f"{replay.game} ({options}), seed {replay.seed}, foodenvs {replay.foodenvs}"))
    for agent, who in replay.agents.items():
        print(printable(f"{agent}: {who}"))
    env = None
    for number, env in enumerate(replay.positions(FoodEnv(replay.setup(), events=True))):
        if number:
            print(f"{number:>4}  {env.in_words(env.events(viewer))}{_thought(replay, number, viewer)}")
    assert env is not None
    print(f"\n{env.table(viewer)}", end="")
    if replay.foodenvs != __version__:
        print(printable(f"Every position is as recorded, though {replay.made_by()}."))
    for agent, points in replay.result.get("scores", {}).items():
        print(f"{agent}: {points} points, return {replay.result['returns'][agent]:+.3f}")


def _thought(replay: Replay, number: int, viewer: str) -> str:
    step = replay.steps[number - 1]
    if viewer not in ("open", step.agent) or not step.probabilities:
        return ""
    best = sorted(step.probabilities.items(), key=lambda pair: -pair[1])[:4]
    return printable("  [" + ", ".join(f"{name} {100 * share:.0f} %" for name, share in best) + "]")


def match(text: str, legal: Sequence[str]) -> str:
    """The legal action of a number (from 1), a name, or a beginning that only one has; else ValueError."""
    if text in legal:
        return text
    if text.isdecimal():
        if 1 <= int(text) <= len(legal):
            return legal[int(text) - 1]
        raise ValueError(f"there are actions 1 to {len(legal)}, got {text}")
    found = [name for name in legal if name.startswith(text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{text!r} could be {', '.join(found)}")
    raise ValueError(
        f"{text!r} is no legal action; legal: {', '.join(legal)}; commands: {', '.join(COMMANDS)}"
    )


def wrapped(line: str) -> str:
    """A line of the log, indented, broken where it is too long."""
    return textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ")


def listed(names: Sequence[str]) -> str:
    """Names with their numbers, in columns that fit a terminal."""
    cells = [f"{number:>3} {name}" for number, name in enumerate(names, 1)]
    width = max(map(len, cells)) + 2
    columns = max(1, WIDTH // width)
    rows = -(-len(cells) // columns)
    lines = ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]
    return "\n".join(lines)


def complete_with(names: Sequence[str]) -> None:
    """Let the Tab key complete these, where there is a terminal and the standard library's readline."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        found = [name for name in names if name.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    editline = "libedit" in (readline.__doc__ or "")  # as on macOS
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
