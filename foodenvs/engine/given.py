"""What the loops call of a game: each stands here for the game's own (see `foodenvs.engine.loops`).

What a game must give, with all that it may leave out, is told in `foodenvs.core.contract`. box and s are
records: what does not change in play, and what does. P players, A actions, D length of an observation.
"""

from foodenvs.engine.records import Int8s, Int64s, Record

AGENTS = 0  # of the game
SCALE = 1.0  # the scores that count as 1 in rewards


def deal(box: Record, s: Record) -> None:
    """A fresh game into s, all of it, from s.rng; s.turn is the first seat to act."""
    raise NotImplementedError


def legal(box: Record, s: Record, mask: Int8s) -> None:
    """0 or 1 for the seat to act into all of mask int8 [A]; a 1 until the game is over."""
    raise NotImplementedError


def apply(box: Record, s: Record, action: int) -> None:
    """Play a legal action up to the next decision; s.turn is then the seat to act, -1 when over."""
    raise NotImplementedError


def standing(box: Record, s: Record, seat: int) -> int:
    """What ranks the seats at the end, the more the better; a team has one."""
    raise NotImplementedError


def score_all(box: Record, s: Record, out: Int64s) -> None:
    """The rulebook's scores of each seat into out int64 [P]."""
    raise NotImplementedError


def observe(box: Record, s: Record, seat: int, out: Int8s) -> None:
    """What a seat sees into all of out int8 [D]."""
    raise NotImplementedError


def determinize(box: Record, s: Record, seat: int, seed: int) -> None:
    """Redeal what a seat cannot know, from `seed`, from which s.rng starts anew too."""
    raise NotImplementedError


def undo_pending(box: Record, s: Record, seat: int) -> None:
    """Take back what others chose in secret before this seat."""
    raise NotImplementedError


def choice(k: int, box: Record, observation: Int8s, mask: Int8s) -> int:
    """What the game's agent number k, from 0, chooses by what it sees int8 [D] and the mask int8 [A]."""
    raise NotImplementedError
