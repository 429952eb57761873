"""`build(game)`: the fused loops that everything outside runs, specialised for one game.

A game comes as its rule functions (see `foodenvs.game`). All loops take arrays of records, since passing a
single record across the Python border costs ten times as much, and do a whole step in one call.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foodenvs.engine import search as tree
from foodenvs.engine.jit import choose, rule
from foodenvs.engine.random import game_seed, pick, seed
from foodenvs.engine.seats import build_returns, margins
from foodenvs.engine.turns import announce

WIN, SCORE, SHAPED = 0, 1, 2  # what `rewards` may mean; in the order of foodenvs.game.REWARDS
RAISE, PENALIZE, TERMINATE = 0, 1, 2  # what an illegal action does; in the order of foodenvs.game.ILLEGAL
REFUSED = -2  # play's answer to an illegal action; -1 is "the game is over"
ILLEGAL_REWARD = -1.0
RANDOM = 0  # who plays a seat inside the engine: the random agent, or k for the game's k-th agent
OUTSIDE = -1  # a seat that is played from outside; so is every number below


@dataclass(frozen=True)
class Engine:
    """The loops of one game. Shapes: P players, D observation length, A actions, N games.

    box, state(s): record arrays; rewards and paid float64 [P]; observation int8 [D]; mask int8 [A].
    """

    begin: Any
    play: Any
    look: Any
    tally: Any
    settle: Any
    redeal: Any
    decide: Any
    decide_many: Any
    reset: Any
    step: Any
    respond: Any
    sample: Any
    matches: Any
    rollouts: Any
    search: Any


def build(game: Any) -> Engine:
    """Specialise the loops for a game's functions. Nothing is compiled before its first call."""
    deal, legal, apply = game.rules.deal, game.rules.legal, game.rules.apply
    score_all, return_all = game.scores, build_returns(game.rules.standing)
    observe, determinize = game.information.observe, game.information.determinize
    choice = choose(*game.agents.AGENTS.values())
    actions, scale = game.rules.ACTIONS, float(game.scale)
    announce(
        deal,
        f"compiling {game.title} for this machine; the first use takes about "
        f"{game.compile_seconds} s per kind of use, later ones start from the cache",
    )

    @rule
    def show(box, s, observation, mask):
        """What the seat to act sees; after the end an empty mask."""
        turn = s.turn
        if turn >= 0:
            observe(box, s, turn, observation)
            legal(box, s, mask)
        else:
            mask[:] = 0

    @rule
    def start(box, s, number):
        seed(s.rng, number)
        s.done = False
        s.truncated = False
        deal(box, s)

    @rule
    def scaled_margins(box, s, scores, out):
        """The score margins in units of the game's scale."""
        score_all(box, s, scores)
        margins(box.team, scores, out)
        for p in range(box.players):
            out[p] /= scale

    @rule
    def earn(box, s, mode, scores, paid, rewards):
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

    # --- one game ------------------------------------------------------------------------

    @rule
    def begin(boxes, states, number, paid, observation, mask):
        """Deal a game from a seed; returns the seat to act."""
        start(boxes[0], states[0], number)
        paid[:] = 0
        show(boxes[0], states[0], observation, mask)
        return states[0].turn

    @rule
    def play(boxes, states, action, mode, scores, paid, rewards, observation, mask):
        """Play one action; returns the seat to act, -1 at the end, REFUSED where the mask has no 1."""
        if action < 0 or action >= actions or mask[action] == 0:
            return REFUSED
        box, s = boxes[0], states[0]
        apply(box, s, action)
        earn(box, s, mode, scores, paid, rewards)
        show(box, s, observation, mask)
        return s.turn

    @rule
    def look(boxes, states, seat, observation, mask):
        """What `seat` sees now; its mask is empty unless it is the seat to act."""
        box, s = boxes[0], states[0]
        observe(box, s, seat, observation)
        if s.turn == seat:
            legal(box, s, mask)
        else:
            mask[:] = 0

    @rule
    def tally(boxes, states, scores, returns):
        """The running scores (int64 [P]) and the returns so far (float64 [P])."""
        score_all(boxes[0], states[0], scores)
        return_all(boxes[0], states[0], returns)

    @rule
    def settle(boxes, states, scores, paid, rewards):
        """Pay in a game of shaped rewards what is not paid yet; `paid` then stands where the scores do."""
        earn(boxes[0], states[0], SHAPED, scores, paid, rewards)

    @rule
    def redeal(boxes, states, seat, number):
        determinize(boxes[0], states[0], seat, number)

    @rule
    def decide(k, boxes, observation, mask):
        """The action of the game's k-th agent (from 1), which sees an observation and a mask."""
        return choice(k - 1, boxes[0], observation, mask)

    @rule
    def decide_many(k, boxes, observation, mask, action):
        """The same for n observations [n, D] and masks [n, A], into `action` int64 [n]."""
        for i in range(len(action)):
            action[i] = choice(k - 1, boxes[0], observation[i], mask[i])

    # --- many games ----------------------------------------------------------------------

    @rule
    def reset(boxes, states, number, games, paid, observation, mask, seat, first, last):
        """Start game `games[i]` of the slots first to last - 1 of a batch seeded with `number`."""
        box = boxes[0]
        for i in range(first, last):
            start(box, states[i], game_seed(number, i, games[i]))
            paid[i, :] = 0
            show(box, states[i], observation[i], mask[i])
            seat[i] = states[i].turn

    @rule
    def conclude(
        box, s, i, number, games, ended, cut, paid, refusals, terminated, truncated, scores, final
    ):  # fmt: skip
        """Report how game i ended, and start the next in its slot."""
        terminated[i], truncated[i] = ended, cut
        score = np.zeros(box.players, np.int64)
        score_all(box, s, score)
        for p in range(box.players):
            scores[i, p] = score[p]
            if final.shape[0] > 0:
                observe(box, s, p, final[i, p])
        games[i] += 1
        start(box, s, game_seed(number, i, games[i]))
        paid[i, :] = 0
        refusals[i] = 0

    @rule
    def step(
        boxes, states, number, games, mode, on_illegal, max_refusals, action, active, unasked, paid,
        refusals, observation, mask, seat, rewards, terminated, truncated, scores, illegal, final,
        first, last,
    ):  # fmt: skip
        """One action in each active slot of first to last - 1; a game that ends is followed by the next.

        unasked bool [N]: nobody who counts was asked in this game yet. Nothing of it is paid before, and if
        it ends it is not reported but left standing, with seat -1. refusals int64 [N]: in the running games;
        where refused actions are penalized, the max_refusals-th ends the game.
        """
        box = boxes[0]
        players = box.players
        score = np.zeros(players, np.int64)
        reward = np.zeros(players, np.float64)
        for i in range(first, last):
            if not active[i]:
                continue
            s = states[i]
            chosen = int(action[i])
            refused = chosen < 0 or chosen >= actions or mask[i, chosen] == 0
            illegal[i] = refused
            terminated[i] = False
            truncated[i] = False
            for p in range(players):
                rewards[i, p] = 0.0
            if refused and on_illegal == RAISE:
                continue
            if refused:
                refusals[i] += 1
                over = on_illegal == TERMINATE or refusals[i] >= max_refusals
            else:
                apply(box, s, chosen)
                over = s.turn < 0
            if (over or refused or mode == SHAPED) and not unasked[i]:
                earn(box, s, mode, score, paid[i], reward)
                if refused:
                    reward[s.turn] += ILLEGAL_REWARD
                for p in range(players):
                    rewards[i, p] = reward[p]
            if over and not unasked[i]:
                conclude(
                    box, s, i, number, games, s.done or (refused and on_illegal == TERMINATE),
                    s.truncated or refused, paid, refusals, terminated, truncated, scores, final,
                )  # fmt: skip
            if over or not refused:
                show(box, s, observation[i], mask[i])
                seat[i] = s.turn

    @rule
    def advance(box, s, player, streams, observation, mask):
        """The engine's agents play until a seat from outside is to act or the game is over.

        player int8 [P]: RANDOM, k for the game's k-th agent, below 0 for a seat from outside; streams uint32
        [P, 4]: those of random agents; observation and mask are written. Returns the number of decisions, or
        REFUSED where an agent chose an illegal action, which is not played.
        """
        count = 0
        while s.turn >= 0 and player[s.turn] >= 0:
            seat = s.turn
            kind = int(player[seat])
            legal(box, s, mask)
            if kind == RANDOM:
                action = pick(streams[seat], mask)
            else:
                observe(box, s, seat, observation)
                action = choice(kind - 1, box, observation, mask)
            if action < 0 or action >= actions or mask[action] == 0:
                return REFUSED
            apply(box, s, action)
            count += 1
        return count

    @rule
    def respond(
        boxes, states, number, games, mode, begun, active, unasked, player, coming, streams, coming_streams,
        lost, paid, refusals, observation, mask, seat, rewards, terminated, truncated, scores, final,
        first, last,
    ):  # fmt: skip
        """The engine's agents play in each active slot of first to last - 1 up to a seat from outside.

        begun bool [N]: a game just began in the slot; it is played by whom `coming` names. unasked as in
        `step`; in a game that just began nobody was asked. `lost` as in `matches`.
        """
        box = boxes[0]
        players = box.players
        score = np.zeros(players, np.int64)
        reward = np.zeros(players, np.float64)
        for i in range(first, last):
            if not active[i]:
                continue
            s = states[i]
            silent = begun[i] or unasked[i]
            if begun[i]:
                player[i] = coming[i]
                streams[i] = coming_streams[i]
            if s.turn < 0 or player[i, s.turn] < 0:
                continue
            while s.turn >= 0 and player[i, s.turn] >= 0:
                if advance(box, s, player[i], streams[i], observation[i], mask[i]) == REFUSED:
                    lost[0] += 1
                    break
                over = s.turn < 0
                if silent:
                    continue
                if over or mode == SHAPED:
                    earn(box, s, mode, score, paid[i], reward)
                    for p in range(players):
                        rewards[i, p] += reward[p]
                if over:
                    conclude(
                        box, s, i, number, games, s.done, s.truncated, paid, refusals, terminated, truncated,
                        scores, final,
                    )  # fmt: skip
                    player[i] = coming[i]
                    streams[i] = coming_streams[i]
                    silent = True
            show(box, s, observation[i], mask[i])
            seat[i] = s.turn

    @rule
    def sample(streams, mask, action, first, last):
        """A uniformly random legal action for each slot, from the slot's own stream."""
        for i in range(first, last):
            action[i] = pick(streams[i], mask[i])

    @rule
    def matches(boxes, states, seeds, agent, agent_seeds, length, scores, returns, decisions, lost):
        """Play whole games between agents that the engine knows.

        seeds int64 [G]; agent int8 [G, P], RANDOM or k for the game's k-th agent; agent_seeds int64 [G, P];
        written: scores int64 [G, P], returns float64 [G, P], decisions int64 [G]. `length` is that of an
        observation. `lost` is int64 [1]: games in which an agent chose an illegal action (it must stay 0).
        """
        box, s = boxes[0], states[0]
        players = box.players
        observation = np.zeros(length, np.int8)
        mask = np.zeros(actions, np.int8)
        streams = np.zeros((players, 4), np.uint32)
        for g in range(seeds.shape[0]):
            start(box, s, int(seeds[g]))
            for p in range(players):
                seed(streams[p], int(agent_seeds[g, p]))
            count = advance(box, s, agent[g], streams, observation, mask)
            if count == REFUSED:
                lost[0] += 1
            decisions[g] = count
            score_all(box, s, scores[g])
            return_all(box, s, returns[g])

    @rule
    def rollouts(boxes, states, number, n, totals):
        """n random games to the end from the position states[0], with states[1] as working copy.

        totals: float64 [P], the sum of the returns is added. Returns the number of decisions played.
        """
        box = boxes[0]
        players = box.players
        stream = np.zeros(4, np.uint32)
        seed(stream, number)
        mask = np.zeros(actions, np.int8)
        returns = np.zeros(players, np.float64)
        count = 0
        for _ in range(n):
            states[1] = states[0]
            s = states[1]
            for k in range(4):
                s.rng[k] = stream[k]
            while s.turn >= 0:
                legal(box, s, mask)
                apply(box, s, pick(stream, mask))
                count += 1
            return_all(box, s, returns)
            for p in range(players):
                totals[p] += returns[p]
        return count

    search = tree.build(game, scaled_margins, return_all, choice)
    return Engine(
        begin,
        play,
        look,
        tally,
        settle,
        redeal,
        decide,
        decide_many,
        reset,
        step,
        respond,
        sample,
        matches,
        rollouts,
        search,
    )
