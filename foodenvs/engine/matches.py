"""The loops that play whole games by themselves: matches between agents that the engine knows, rollouts."""

import numpy as np

from foodenvs.engine.given import apply, legal, score_all
from foodenvs.engine.network import Float32s
from foodenvs.engine.random import pick, start_stream
from foodenvs.engine.records import Floats, Int8s, Int64s, Records
from foodenvs.engine.shared import REFUSED, advance, return_all, start


def matches(
    boxes: Records,
    states: Records,
    seeds: Int64s,
    agent: Int8s,
    agent_seeds: Int64s,
    networks: Float32s,
    length: int,
    scores: Int64s,
    returns: Floats,
    decisions: Int64s,
    lost: Int64s,
) -> None:
    """Play whole games between agents that the engine knows, one after the other, in states.

    seeds [G]: of the games.  agent [G, P]: who has each seat, see `shared.choose_by`.  agent_seeds [G, P]:
    of random agents.  networks: an image of those that play.  length: D.  Written: scores [G, P], returns
    [G, P], decisions [G] of each game, and added to lost [1] the games in which an agent chose an illegal
    action (it must stay 0).
    """
    box, s = boxes[0], states[0]
    players = box.players
    observation = np.zeros(length, np.int8)
    mask = np.zeros(box.actions, np.int8)
    streams = np.zeros((players, 4), np.uint32)
    for g in range(seeds.shape[0]):
        start(box, s, int(seeds[g]))
        for p in range(players):
            start_stream(streams[p], int(agent_seeds[g, p]))
        count = advance(box, s, agent[g], streams, networks, observation, mask)
        if count == REFUSED:
            lost[0] += 1
        decisions[g] = count
        score_all(box, s, scores[g])
        return_all(box, s, returns[g])


def rollouts(boxes: Records, states: Records, seed: int, n: int, totals: Floats) -> int:
    """n random games to the end from the position states[0], with states[1] as working copy.

    seed: of all chance.  The sum of the returns is added to totals [P].  Returns the number of
    decisions played.
    """
    box = boxes[0]
    players = box.players
    stream = np.zeros(4, np.uint32)
    start_stream(stream, seed)
    mask = np.zeros(box.actions, np.int8)
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
