"""`build(game)`: information-set Monte Carlo tree search, one compiled call per decision, for every game.

Every iteration deals anew all that the searching seat cannot know, walks down a tree, adds one node, plays
the game out from there and adds the outcome to the choices it passed. A node belongs to the seat that
chooses there and stands for all positions that look the same to this seat: it is filed under what the seat
has seen change since the search began. So a secret choice of one seat leads all others to one and the same
node, whatever it was; that holds for the searching seat's own secrets, too.

The same choice may be legal in one deal of the hidden cards and not in another. A choice is therefore
weighed against the number of visits in which it could be made, not against all visits of its node.
Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012), algorithm MO-ISMCTS.
"""

import math
from typing import Any

import numpy as np

from foodenvs.engine.jit import rule
from foodenvs.engine.random import below, game_seed, pick, seed

_KEYS = 2**62 - 1  # keys of nodes are whole numbers from 1 to this


def node_dtype(actions: int) -> np.dtype:
    """A node of the tree: for each action how often it was taken, could be taken, and what it brought."""
    return np.dtype(
        [("total", np.float64, actions), ("visits", np.int32, actions), ("available", np.int32, actions)]
    )


@rule
def _mixed(key, word):
    """The next key of a history: one more word, a small whole number, was added."""
    key = ((key ^ (word + 1024)) * 0x1F83D9ABFB41BD6B) & _KEYS
    return key ^ (key >> 31)


def build(game: Any, margins: Any, choice: Any) -> Any:
    """The search of one game. `margins` and `choice` are those of the game's loops."""
    legal, apply, score_all = game.rules.legal, game.rules.apply, game.rules.scores
    return_all, observe, determinize = game.rules.returns, game.information.observe, game.information.determinize
    actions = game.rules.ACTIONS

    @rule
    def notice(box, s, seen, keys, observation):
        """Add to the history of each seat what changed before its eyes."""
        for p in range(box.players):
            observe(box, s, p, observation)
            before, key = seen[p], keys[p]
            for k in range(observation.shape[0]):
                change = int(observation[k]) - int(before[k])
                if change != 0:
                    key = _mixed(_mixed(key, k), change)
                    before[k] = observation[k]
            keys[p] = key

    @rule
    def place(table, key):
        """Where a key stands in the hash table (int64 [2**n, 2]: key, node), or the free place it would get."""
        last = table.shape[0] - 1
        at = key & last
        while table[at, 0] != 0 and table[at, 0] != key:
            at = (at + 1) & last
        return at

    @rule
    def select(node, mask, explore, stream):
        """The legal action of the highest upper confidence bound; an untried one first, at random."""
        untried = 0
        for a in range(actions):
            if mask[a]:
                node.available[a] += 1
                if node.visits[a] == 0:
                    untried += 1
        if untried > 0:
            k = below(stream, untried)
            for a in range(actions):
                if mask[a] and node.visits[a] == 0:
                    if k == 0:
                        return a
                    k -= 1
        best, best_bound = -1, -1e300
        for a in range(actions):
            if mask[a]:
                visits = node.visits[a]
                bound = node.total[a] / visits + explore * math.sqrt(math.log(node.available[a]) / visits)
                if bound > best_bound:
                    best, best_bound = a, bound
        return best

    @rule
    def play_out(box, s, policy, mask, observation, stream):
        """To the end, with the game's agent of this number on all seats; 0: random."""
        while s.turn >= 0:
            legal(box, s, mask)
            if policy == 0:
                action = pick(stream, mask)
            else:
                observe(box, s, s.turn, observation)
                action = choice(policy - 1, box, observation, mask)
            apply(box, s, action)

    @rule
    def judge(box, s, weight, scores, margin, worth):
        """The worth of the end to each seat, 0 to 1: win share and, by `weight`, margin of the score."""
        return_all(box, s, worth)
        players = box.players
        teams = 0
        for p in range(players):
            first = 1
            for q in range(p):
                if box.team[q] == box.team[p]:
                    first = 0
            teams += first
        margins(box, s, scores, margin)
        for p in range(players):
            share = (worth[p] * (teams - 1) + 1) / teams
            m = margin[p]
            worth[p] = (1 - weight) * share + weight * 0.5 * (1 + m / (1 + abs(m)))

    @rule
    def search(boxes, states, seat, number, first, last, explore, weight, policy, length, mode, nodes, table):
        """Iterations `first` to `last` - 1 of the search of `seat` from the position states[0].

        states[1] is the working copy. nodes: [M] of node_dtype; table: int64 [2**n, 2] with 2**n > M, all 0
        before iteration 0; nodes[0] is the root. Once all nodes are used the tree stops growing.
        The result depends on what `seat` knows of states[0], on nothing else.
        """
        box = boxes[0]
        players = box.players
        mask = np.zeros(actions, np.int8)
        observation = np.zeros(length, np.int8)
        seen = np.zeros((players, length), np.int8)
        keys = np.zeros(players, np.int64)
        stream = np.zeros(4, np.uint32)
        scores, margin, worth = np.zeros(players, np.int64), np.zeros(players), np.zeros(players)
        path = np.zeros((nodes.shape[0] + 1, 3), np.int32)
        used = 0
        for i in range(table.shape[0]):
            if table[i, 0] != 0:
                used += 1
        for iteration in range(first, last):
            fresh = game_seed(number, 0, iteration)
            seed(stream, game_seed(number, 1, iteration))
            states[1] = states[0]
            s = states[1]
            determinize(box, s, seat, fresh)
            for p in range(players):
                keys[p] = _mixed(p, p)
                if mode == 0:
                    observe(box, s, p, seen[p])
            depth = 0
            while s.turn >= 0:
                turn = s.turn
                at = place(table, keys[turn])
                grown = table[at, 0] == 0
                if grown:
                    if used == nodes.shape[0]:
                        break
                    table[at, 0], table[at, 1] = keys[turn], used
                    nodes[used].total[:] = 0
                    nodes[used].visits[:] = 0
                    nodes[used].available[:] = 0
                    used += 1
                node = table[at, 1]
                legal(box, s, mask)
                if grown and used > 1:
                    break
                action = select(nodes[node], mask, explore, stream)
                path[depth, 0], path[depth, 1], path[depth, 2] = node, action, turn
                depth += 1
                apply(box, s, action)
                if mode == 0:
                    notice(box, s, seen, keys, observation)
                else:
                    for p in range(players):
                        keys[p] = _mixed(keys[p], action)
            play_out(box, s, policy, mask, observation, stream)
            judge(box, s, weight, scores, margin, worth)
            for k in range(depth):
                node = nodes[path[k, 0]]
                node.visits[path[k, 1]] += 1
                node.total[path[k, 1]] += worth[path[k, 2]]
        return used

    return search
