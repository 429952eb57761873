"""The loops of a batch: many games at once, each in its slot.

Across the Python border what belongs together comes as one plain tuple, which costs no more than its arrays
one by one (a named one costs more than 1 us a call), and gets its names here, where that costs nothing. What
is called in every step takes single arrays: to pass such a tuple on costs a third of a step.
"""

from typing import NamedTuple

import numpy as np

from foodenvs.engine.given import apply, choice, observe, score_all
from foodenvs.engine.network import Float32s
from foodenvs.engine.random import game_seed, pick
from foodenvs.engine.records import Bools, Floats, Int8s, Int64s, Record, Records, Stream
from foodenvs.engine.shared import (
    ILLEGAL_REWARD,
    RAISE,
    REFUSED,
    SHAPED,
    TERMINATE,
    advance,
    earn,
    show,
    start,
)

Arrays = tuple[np.ndarray, ...]


class Terms(NamedTuple):
    """How the games of a batch are played."""

    seed: int  # the seed of the batch: game k of slot i starts from game_seed(seed, i, k)
    mode: int  # of rewards: WIN, SCORE or SHAPED
    on_illegal: int  # RAISE, PENALIZE or TERMINATE
    max_refusals: int  # where refused actions are penalized, the refusal of a game that ends it


class Slots(NamedTuple):
    """The running games, each in its slot, and what is shown of them."""

    states: np.ndarray  # [N] records of STATE
    games: Int64s  # [N] which game of its slot's series is running, from 0
    paid: Floats  # [N, P] what games of shaped rewards have paid
    refusals: Int64s  # [N] in the running game
    observation: Int8s  # [N, D] what the seat to act sees
    mask: Int8s  # [N, A] what it may do
    seat: Int8s  # [N] the seat to act


class Report(NamedTuple):
    """What the last step brought; scores and final are those of the game that ended last."""

    rewards: np.ndarray  # float32 [N, P]
    terminated: Bools  # [N] the step ended the game by the rules (or by an illegal action)
    truncated: Bools  # [N] it ended it by a limit (or by an illegal action)
    scores: np.ndarray  # int32 [N, P]
    illegal: Bools  # [N] the action was refused
    final: Int8s  # [N, P, D] what each seat saw at the end; [0, P, D] if nobody wants to know


class Lineup(NamedTuple):
    """Who plays the seats (see `shared.choose_by`), below 0 for a seat from outside."""

    player: Int8s  # [N, P] in the running game
    coming: Int8s  # [N, P] in the game after that
    streams: Stream  # [N, P, 4] of the random agents in the running game
    coming_streams: Stream  # [N, P, 4] of those in the game after that
    networks: Float32s  # an image of those that play (see foodenvs.engine.network)
    lost: Int64s  # [1] how often an agent of the game chose an illegal action; it must stay 0


# Of a batch: its boxes, and `Terms`, `Slots` and `Report` as plain tuples.
Parts = tuple[Records, tuple[int, int, int, int], Arrays, Arrays]


def reset(first: int, last: int, boxes: Records, seed: int, slots: Arrays) -> None:
    """Start game `games[i]` of the slots first to last - 1 of a batch of `seed`.

    slots: `Slots` as a plain tuple; paid, observation, mask and seat are written.
    """
    slots = Slots(*slots)
    box = boxes[0]
    for i in range(first, last):
        s = slots.states[i]
        start(box, s, game_seed(seed, i, slots.games[i]))
        slots.paid[i, :] = 0
        show(box, s, slots.observation[i], slots.mask[i])
        slots.seat[i] = s.turn


def step(first: int, last: int, parts: Parts, action: Int64s, active: Bools, unasked: Bools) -> None:
    """One action in each active slot of first to last - 1; a game that ends is followed by the next.

    parts: slots and report are written.  action [N].  active [N]: the other slots are left as they are.
    unasked [N]: nobody who counts was asked in this game yet. Nothing of it is paid before, and if it ends it
    is not reported but left standing, with seat -1.
    """
    boxes, terms, slots, report = parts[0], Terms(*parts[1]), Slots(*parts[2]), Report(*parts[3])
    box = boxes[0]
    players = box.players
    score, reward = np.zeros(players, np.int64), np.zeros(players, np.float64)
    for i in range(first, last):
        if not active[i]:
            continue
        s, chosen = slots.states[i], int(action[i])
        # As a function of the slot's mask this would cost a tenth of a step.
        illegal = chosen < 0 or chosen >= box.actions or slots.mask[i, chosen] == 0
        report.illegal[i] = illegal
        report.terminated[i] = report.truncated[i] = False
        for p in range(players):
            report.rewards[i, p] = 0.0
        if illegal and terms.on_illegal == RAISE:
            continue
        if illegal:
            slots.refusals[i] += 1
            over = terms.on_illegal == TERMINATE or slots.refusals[i] >= terms.max_refusals
        else:
            apply(box, s, chosen)
            over = s.turn < 0
        if (over or illegal or terms.mode == SHAPED) and not unasked[i]:
            earn(box, s, terms.mode, score, slots.paid[i], reward)
            if illegal:
                reward[s.turn] += ILLEGAL_REWARD
            for p in range(players):
                report.rewards[i, p] = reward[p]
        if over and not unasked[i]:
            report.terminated[i] = s.done or (illegal and terms.on_illegal == TERMINATE)
            report.truncated[i] = s.truncated or illegal
            _conclude(box, terms.seed, slots, report, i)
        if over or not illegal:
            show(box, s, slots.observation[i], slots.mask[i])
            slots.seat[i] = s.turn


def respond(
    first: int, last: int, parts: Parts, lineup: Arrays, begun: Bools, active: Bools, unasked: Bools
) -> None:
    """The engine's agents play in each active slot of first to last - 1 up to a seat from outside.

    parts: slots and report are written, and rewards are added.  lineup: `Lineup` as a plain tuple, written
    too.  begun [N]: a game just began in the slot; it is played by whom `coming` names.
    active, unasked [N]: as in `step`; in a game that just began nobody was asked.
    """
    boxes, terms, slots, report = parts[0], Terms(*parts[1]), Slots(*parts[2]), Report(*parts[3])
    lineup = Lineup(*lineup)
    box = boxes[0]
    players = box.players
    score, reward = np.zeros(players, np.int64), np.zeros(players, np.float64)
    for i in range(first, last):
        if not active[i]:
            continue
        s, player, streams = slots.states[i], lineup.player[i], lineup.streams[i]
        silent = begun[i] or unasked[i]
        if begun[i]:
            player[:] = lineup.coming[i]
            streams[:] = lineup.coming_streams[i]
        if s.turn < 0 or player[s.turn] < 0:
            continue
        while s.turn >= 0 and player[s.turn] >= 0:
            observation, mask = slots.observation[i], slots.mask[i]
            if advance(box, s, player, streams, lineup.networks, observation, mask) == REFUSED:
                lineup.lost[0] += 1
                break
            over = s.turn < 0
            if silent:
                continue
            if over or terms.mode == SHAPED:
                earn(box, s, terms.mode, score, slots.paid[i], reward)
                for p in range(players):
                    report.rewards[i, p] += reward[p]
            if over:
                report.terminated[i], report.truncated[i] = s.done, s.truncated
                _conclude(box, terms.seed, slots, report, i)
                player[:] = lineup.coming[i]
                streams[:] = lineup.coming_streams[i]
                silent = True
        show(box, s, slots.observation[i], slots.mask[i])
        slots.seat[i] = s.turn


def _conclude(box: Record, seed: int, slots: Slots, report: Report, i: int) -> None:
    """Report how game i ended, and start the next in its slot."""
    s, score = slots.states[i], np.zeros(box.players, np.int64)
    score_all(box, s, score)
    for p in range(box.players):
        report.scores[i, p] = score[p]
        if report.final.shape[0] > 0:
            observe(box, s, p, report.final[i, p])
    slots.games[i] += 1
    slots.refusals[i] = 0
    slots.paid[i, :] = 0
    start(box, s, game_seed(seed, i, slots.games[i]))


def sample(first: int, last: int, streams: Stream, mask: Int8s, action: Int64s) -> None:
    """A uniformly random legal action for each slot of first to last - 1, from the slot's own stream.

    streams [N, 4] go on; mask [N, A]; action [N] is written.
    """
    for i in range(first, last):
        action[i] = pick(streams[i], mask[i])


def decide_many(k: int, boxes: Records, observation: Int8s, mask: Int8s, action: Int64s) -> None:
    """What the game's k-th agent (from 1) does for each of n observations [n, D] and masks [n, A].

    action [n] is written.
    """
    for i in range(len(action)):
        action[i] = choice(k - 1, boxes[0], observation[i], mask[i])
