"""What the loops of single games, batches, matches and searches share: start, show, pay, decide."""

from foodenvs.engine.given import (
    AGENTS,
    SCALE,
    apply,
    choice,
    deal,
    legal,
    observe,
    score_all,
    standing,
)
from foodenvs.engine.network import Float32s, best_legal, outputs
from foodenvs.engine.random import pick, start_stream
from foodenvs.engine.records import Floats, Int8s, Int64s, Record, Stream
from foodenvs.engine.seats import first_of_team, margins

WIN, SCORE, SHAPED = 0, 1, 2  # what `rewards` may mean; as in foodenvs.core.checks.REWARDS
RAISE, PENALIZE, TERMINATE = 0, 1, 2  # an illegal action; as in foodenvs.core.checks.ILLEGAL
REFUSED = -2  # the answer to an illegal action; -1 is "the game is over"
ILLEGAL_REWARD = -1.0
RANDOM = 0  # who plays a seat inside the engine: the random agent; see `choose_by` for the others
EXTERNAL = -1  # a seat that is played from outside; so is every number below


def start(box: Record, s: Record, seed: int) -> None:
    """Deal a game from `seed`."""
    start_stream(s.rng, seed)
    s.done = False
    s.truncated = False
    deal(box, s)


def show(box: Record, s: Record, observation: Int8s, mask: Int8s) -> None:
    """What the seat to act sees; after the end an empty mask."""
    turn = s.turn
    if turn >= 0:
        observe(box, s, turn, observation)
        legal(box, s, mask)
    else:
        mask[:] = 0


def return_all(box: Record, s: Record, out: Floats) -> None:
    """The zero-sum win share into out, float64 [P]; zeros before the end.

    +1 for a sole winner and -1/(T - 1) for the other T - 1 teams; the best share the win. Each seat has
    what its team has.
    """
    players, teams = box.players, box.teams
    if s.turn >= 0:
        for seat in range(players):
            out[seat] = 0.0
        return
    best, winners = standing(box, s, 0), 0
    for seat in range(players):
        if first_of_team(box.team, seat):
            own = standing(box, s, seat)
            if own > best:
                best, winners = own, 0
            if own == best:
                winners += 1
    for seat in range(players):
        share = 1.0 / winners if standing(box, s, seat) == best else 0.0
        out[seat] = (teams * share - 1.0) / (teams - 1.0)


def scaled_margins(box: Record, s: Record, scores: Int64s, out: Floats) -> None:
    """The scores into scores [P], and their margins in units of the game's scale into out [P]."""
    score_all(box, s, scores)
    margins(box.team, scores, out)
    for p in range(box.players):
        out[p] /= SCALE


def earn(box: Record, s: Record, mode: int, scores: Int64s, paid: Floats, rewards: Floats) -> None:
    """Write the rewards of the step just made; `paid` keeps what a shaped game has paid so far.

    A refused action is a step too: it brings what was not paid yet, such as what the deal gave.
    """
    players = box.players
    if mode == SHAPED:
        scaled_margins(box, s, scores, rewards)
        for p in range(players):
            now = rewards[p]
            rewards[p] = now - paid[p]
            paid[p] = now
    elif s.turn >= 0:
        for p in range(players):
            rewards[p] = 0.0
    elif mode == SCORE:
        scaled_margins(box, s, scores, rewards)
    else:
        return_all(box, s, rewards)


def choose_by(who: int, box: Record, observation: Int8s, mask: Int8s, networks: Float32s) -> int:
    """What a player of the engine does by what it sees; -1 where a network finds nothing legal.

    who: k for the game's k-th agent; the numbers after these for the networks of an image (see
    `foodenvs.engine.network`). The random player, RANDOM, sees nothing: whoever calls this draws for it.
    """
    if who <= AGENTS:
        return choice(who - 1, box, observation, mask)
    return best_legal(outputs(networks, who - 1 - AGENTS, observation), mask)


def advance(
    box: Record,
    s: Record,
    player: Int8s,
    streams: Stream,
    networks: Float32s,
    observation: Int8s,
    mask: Int8s,
) -> int:
    """The engine's players play until a seat from outside is to act or the game is over.

    player int8 [P]: who has each seat, see `choose_by`, below 0 for a seat from outside; streams uint32
    [P, 4]: those of random players; observation and mask are written. Returns the number of decisions, or
    REFUSED where an agent chose an illegal action, which is not played.
    """
    count = 0
    while s.turn >= 0 and player[s.turn] >= 0:
        seat = s.turn
        who = int(player[seat])
        legal(box, s, mask)
        if who == RANDOM:
            action = pick(streams[seat], mask)
        else:
            observe(box, s, seat, observation)
            action = choose_by(who, box, observation, mask, networks)
        if action < 0 or action >= box.actions or mask[action] == 0:
            return REFUSED
        apply(box, s, action)
        count += 1
    return count
