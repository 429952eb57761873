"""Information-set Monte Carlo tree search, one compiled call per decision, for every game.

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
from typing import NamedTuple

import numpy as np

from foodenvs.engine.given import apply, determinize, legal, observe, undo_pending
from foodenvs.engine.jit import rule
from foodenvs.engine.network import Float32s, outputs
from foodenvs.engine.random import below, game_seed, pick, start_stream
from foodenvs.engine.records import Floats, Int8s, Int64s, Record, Records, Stream
from foodenvs.engine.shared import RANDOM, choose_by, return_all, scaled_margins

_KEYS = 2**62 - 1  # keys of nodes are whole numbers from 1 to this


def node_dtype(actions: int) -> np.dtype:
    """A node of the tree: for each action how often it was taken, could be taken, and what it brought.

    preferred: what the prior is for, -1 before it is known.
    """
    each = [("total", np.float64, actions), ("visits", np.int32, actions), ("available", np.int32, actions)]
    return np.dtype([*each, ("preferred", np.int64)])


class Manner(NamedTuple):
    """How a search goes about it."""

    redeals: bool  # false leaves the hidden cards as they lie
    policy: int  # who plays a game out, see `shared.choose_by`
    explore: float  # the weight of the exploration term
    prior: float  # 0 to 1, how much of it goes to the choice of that agent (not to random's)
    margin_weight: float  # 0 to 1, of the score margin in what an end is worth
    guided: bool  # whether the networks of an image guide it: the first gives logits, the second values
    trust: float  # 0 to 1, how much a value counts at a leaf against a game played out from there


class _Tree(NamedTuple):
    nodes: Records  # [M] of node_dtype; nodes[0] is the root
    table: Int64s  # [2**n, 2] the keys of nodes, 0 for none, and where they stand
    used: Int64s  # [1] nodes that there are
    networks: Float32s  # an image of those that guide the search, or play games out


class _Desk(NamedTuple):
    """Where a search writes down what it needs for a while."""

    mask: Int8s  # [A]
    observation: Int8s  # [D]
    seen: Int8s  # [P, D] what each seat saw last
    keys: Int64s  # [P] of the histories of what each seat saw change
    path: Int64s  # [M + 1, 3] node, action and seat of the choices passed
    favour: Floats  # [A] how much each legal action is favoured: 1 for one of them, or in shares
    stream: Stream  # of random choices


@rule
def _mixed(key, word):
    """The next key of a history: one more word, a small whole number, was added."""
    key = ((key ^ (word + 1024)) * 0x1F83D9ABFB41BD6B) & _KEYS
    return key ^ (key >> 31)


def _begin(box: Record, s: Record, seen: Int8s, keys: Int64s) -> None:
    """Empty histories: each seat has seen the position as it is, and nothing change."""
    for p in range(box.players):
        observe(box, s, p, seen[p])
        keys[p] = _mixed(1, p)


def _notice(box: Record, s: Record, seen: Int8s, keys: Int64s, observation: Int8s) -> None:
    """Add to the history of each seat what changed before its eyes."""
    for p in range(box.players):
        observe(box, s, p, observation)
        before, key = seen[p], int(keys[p])
        for k in range(observation.shape[0]):
            change = int(observation[k]) - int(before[k])
            if change != 0:
                key = _mixed(_mixed(key, k), change)
                before[k] = observation[k]
        keys[p] = key


@rule
def _place(table, key):
    """Where a key stands in the hash table, or the free place that it would get."""
    last = table.shape[0] - 1
    at = key & last
    while table[at, 0] != 0 and table[at, 0] != key:
        at = (at + 1) & last
    return at


@rule
def _clear(node):
    node.total[:] = 0
    node.visits[:] = 0
    node.available[:] = 0
    node.preferred = -1


@rule
def _select(node, mask, explore, stream):
    """The legal action of the highest upper confidence bound; an untried one first, at random."""
    untried = 0
    for a in range(mask.shape[0]):
        if mask[a]:
            node.available[a] += 1
            if node.visits[a] == 0:
                untried += 1
    if untried > 0:
        k = below(stream, untried)
        for a in range(mask.shape[0]):
            if mask[a] and node.visits[a] == 0:
                if k == 0:
                    return a
                k -= 1
    best, best_bound = -1, -1e300
    for a in range(mask.shape[0]):
        if mask[a]:
            visits = node.visits[a]
            bound = node.total[a] / visits + explore * math.sqrt(math.log(node.available[a]) / visits)
            if bound > best_bound:
                best, best_bound = a, bound
    return best


@rule
def _favour_by_logits(logits, mask, favour):
    """The legal actions as a network would draw them: the softmax of its logits."""
    highest, total = -1e300, 0.0
    for a in range(len(mask)):
        if mask[a] and logits[a] > highest:
            highest = float(logits[a])
    for a in range(len(mask)):
        if mask[a]:
            favour[a] = math.exp(float(logits[a]) - highest)
            total += favour[a]
    for a in range(len(mask)):
        if mask[a]:
            favour[a] /= total


@rule
def _select_by_prior(node, mask, explore, prior, favour):
    """As `_select`, where some choices are thought to be good and others are tried where that costs little.

    Of what is expected of all actions together, `prior` goes to each by its favour, the rest to all alike.
    Every action starts at the mean of the node. Source: Rosin, "Multi-armed bandits with episode context"
    (2011), in the form of Silver et al. (2017).
    """
    choices, visits, total = 0, 0, 0.0
    for a in range(mask.shape[0]):
        if mask[a]:
            choices += 1
            node.available[a] += 1
            visits += node.visits[a]
            total += node.total[a]
    usual = total / visits if visits > 0 else 0.5
    best, best_bound = -1, -1e300
    for a in range(mask.shape[0]):
        if mask[a]:
            tried = node.visits[a]
            mean = node.total[a] / tried if tried > 0 else usual
            expected = (1 - prior) / choices + prior * favour[a]
            bound = mean + explore * expected * math.sqrt(node.available[a]) / (1 + tried)
            if bound > best_bound:
                best, best_bound = a, bound
    return best


@rule
def _node_of(nodes, table, used, key):
    """The node that stands under a key; -1 where none did, which is then added if there is room."""
    at = _place(table, key)
    if table[at, 0] != 0:
        return int(table[at, 1])
    if used[0] < nodes.shape[0]:
        table[at, 0], table[at, 1] = key, used[0]
        _clear(nodes[used[0]])
        used[0] += 1
    return -1


def _descend(box: Record, s: Record, seat: int, manner: Manner, tree: _Tree, desk: _Desk) -> int:
    """Play down the tree to where it ends; returns the number of choices passed, which desk.path lists."""
    mask, seen, path, favour = desk.mask, desk.seen, desk.path, desk.favour
    depth = 0
    while s.turn >= 0:
        turn = s.turn
        k = _node_of(tree.nodes, tree.table, tree.used, int(desk.keys[turn]))
        if k < 0:
            break
        node = tree.nodes[k]
        legal(box, s, mask)
        if manner.guided:
            _favour_by_logits(outputs(tree.networks, 0, seen[turn]), mask, favour)
            action = _select_by_prior(node, mask, manner.explore, 1.0, favour)
        elif manner.policy == RANDOM or manner.prior == 0:
            action = _select(node, mask, manner.explore, desk.stream)
        else:
            # The others come to a node with other cards each time; the searching seat is asked once.
            if turn != seat or node.preferred < 0:
                node.preferred = choose_by(manner.policy, box, seen[turn], mask, tree.networks)
            favour[node.preferred] = 1
            action = _select_by_prior(node, mask, manner.explore, manner.prior, favour)
            favour[node.preferred] = 0
        path[depth, 0], path[depth, 1], path[depth, 2] = k, action, turn
        depth += 1
        apply(box, s, action)
        _notice(box, s, seen, desk.keys, desk.observation)
    return depth


def _play_one(
    box: Record, s: Record, policy: int, networks: Float32s, mask: Int8s, observation: Int8s, stream: Stream
) -> None:
    """One decision of a player of the engine, RANDOM or see `shared.choose_by`."""
    legal(box, s, mask)
    if policy == RANDOM:
        action = pick(stream, mask)
    else:
        observe(box, s, s.turn, observation)
        action = choose_by(policy, box, observation, mask, networks)
    apply(box, s, action)


def _choose_again(
    box: Record,
    s: Record,
    seat: int,
    policy: int,
    networks: Float32s,
    mask: Int8s,
    observation: Int8s,
    stream: Stream,
) -> None:
    """The others have chosen in secret as whoever plays games out would have, not just anything."""
    undo_pending(box, s, seat)
    while s.turn != seat:
        _play_one(box, s, policy, networks, mask, observation, stream)


def _play_out(
    box: Record, s: Record, policy: int, networks: Float32s, mask: Int8s, observation: Int8s, stream: Stream
) -> None:
    """To the end, with one player on all seats. To pass the desk on at each step would take time."""
    while s.turn >= 0:
        _play_one(box, s, policy, networks, mask, observation, stream)


def _judge(
    box: Record, s: Record, margin_weight: float, scores: Int64s, margin: Floats, worth: Floats
) -> None:
    """What the end is worth to each seat, 0 to 1: share of the win and, by weight, score margin."""
    return_all(box, s, worth)
    scaled_margins(box, s, scores, margin)
    for p in range(box.players):
        share = (worth[p] * (box.teams - 1) + 1) / box.teams
        lead = 0.5 + 0.5 * margin[p] / (1 + abs(margin[p]))
        worth[p] = (1 - margin_weight) * share + margin_weight * lead


@rule
def _foretell(networks, seen, trust, worth):
    """Move what a game played out was worth to each seat by `trust` to what the value network expects."""
    for p in range(len(worth)):
        value = 1 / (1 + math.exp(-float(outputs(networks, 1, seen[p])[0])))
        worth[p] = (1 - trust) * worth[p] + trust * value


@rule
def _credit(nodes, path, depth, worth):
    """Add what the end is worth to the choices passed."""
    for k in range(depth):
        node, action = int(path[k, 0]), int(path[k, 1])
        nodes[node].visits[action] += 1
        nodes[node].total[action] += worth[int(path[k, 2])]


@rule
def _desk(players, length, actions, nodes):
    return _Desk(
        np.zeros(actions, np.int8),
        np.zeros(length, np.int8),
        np.zeros((players, length), np.int8),
        np.zeros(players, np.int64),
        np.zeros((nodes + 1, 3), np.int64),
        np.zeros(actions),
        np.zeros(4, np.uint32),
    )


def search(
    boxes: Records,
    states: Records,
    seat: int,
    seed: int,
    first: int,
    last: int,
    manner: Manner,
    networks: Float32s,
    length: int,
    nodes: Records,
    table: Int64s,
) -> None:
    """Iterations `first` to `last` - 1 of the search of `seat`, whose turn it is in states[0].

    states[1] is the working copy.  seed: of all chance.  networks: an image, see `Manner`.  length: D.
    nodes: [M] of node_dtype, the root first; once all are used the tree grows no more.  table: int64
    [2**n, 2] (key, node) with 2**n > M, all 0 before iteration 0.  With redeals the outcome depends on what
    `seat` knows of states[0], on nothing else.
    """
    box, s = boxes[0], states[1]
    tree = _Tree(nodes, table, np.zeros(1, np.int64), networks)
    for at in range(table.shape[0]):
        tree.used[0] += table[at, 0] != 0
    desk = _desk(box.players, length, box.actions, nodes.shape[0])
    scores, margin, worth = np.zeros(box.players, np.int64), np.zeros(box.players), np.zeros(box.players)
    mask, observation, stream = desk.mask, desk.observation, desk.stream
    for iteration in range(first, last):
        start_stream(stream, game_seed(seed, 1, iteration))
        states[1] = states[0]
        if manner.redeals:
            determinize(box, s, seat, game_seed(seed, 0, iteration))
            _choose_again(box, s, seat, manner.policy, networks, mask, observation, stream)
        _begin(box, s, desk.seen, desk.keys)
        depth = _descend(box, s, seat, manner, tree, desk)
        trust = manner.trust if manner.guided and s.turn >= 0 else 0.0
        if trust < 1:
            _play_out(box, s, manner.policy, networks, mask, observation, stream)
            _judge(box, s, manner.margin_weight, scores, margin, worth)
        if trust > 0:
            _foretell(networks, desk.seen, trust, worth)
        _credit(nodes, desk.path, depth, worth)
