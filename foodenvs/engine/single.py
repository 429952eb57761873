"""The loops of one game: what an environment calls, one for a whole step."""

import numpy as np

from foodenvs.engine.given import apply, choice, determinize, observe, score_all
from foodenvs.engine.records import Float32s, Floats, Int8s, Int64s, Records
from foodenvs.engine.shared import REFUSED, SHAPED, earn, return_all, show, start


def begin(boxes: Records, states: Records, seed: int) -> None:
    """Deal a game into states from `seed`."""
    start(boxes[0], states[0], seed)


def ask(boxes: Records, states: Records, observation: Int8s, mask: Int8s) -> int:
    """What the seat to act sees into observation [D], what it may do into mask [A]; returns the seat.

    -1, and an empty mask, when the game is over.
    """
    show(boxes[0], states[0], observation, mask)
    return states[0].turn


def play(
    boxes: Records,
    states: Records,
    action: int,
    mode: int,
    accounts: Floats,
    sight: Int8s,
    scale: Float32s,
    scaled: Float32s,
) -> int:
    """Play one action; returns the seat to act, -1 at the end, REFUSED where the mask has no 1.

    mode: WIN, SCORE or SHAPED.  sight [D + A]: observation and mask, the mask as the call before wrote it.
    scale [2, D]: of each entry of an observation what is taken away, and by what it is then divided.
    Written, unless the action is refused: states; accounts [2, P], first the rewards of the step, then, where
    they are shaped, what the game has paid; sight, of the seat to act, at the end an empty mask; scaled [D],
    its observation in [0, 1].  There are few arrays, since to pass one costs as much as small rules.
    """
    length = len(scaled)
    observation, mask = sight[:length], sight[length:]
    box, s = boxes[0], states[0]
    if action < 0 or action >= box.actions or mask[action] == 0:
        return REFUSED
    apply(box, s, action)
    earn(box, s, mode, np.zeros(box.players, np.int64), accounts[1], accounts[0])
    show(box, s, observation, mask)
    for k in range(length):
        scaled[k] = (np.float32(observation[k]) - scale[0, k]) / scale[1, k]
    return s.turn


def look(boxes: Records, states: Records, seat: int, observation: Int8s) -> None:
    """What `seat` sees now into observation [D]."""
    observe(boxes[0], states[0], seat, observation)


def scores_and_returns(boxes: Records, states: Records, scores: Int64s, returns: Floats) -> None:
    """The running scores into scores [P], the returns so far into returns [P]."""
    score_all(boxes[0], states[0], scores)
    return_all(boxes[0], states[0], returns)


def settle(boxes: Records, states: Records, accounts: Floats) -> None:
    """Pay into accounts[0] [P] what a game of shaped rewards has not paid yet.

    accounts[1] [P] then stands where the scores do, paid in units of the game's scale.
    """
    box = boxes[0]
    earn(box, states[0], SHAPED, np.zeros(box.players, np.int64), accounts[1], accounts[0])


def redeal(boxes: Records, states: Records, seat: int, seed: int) -> None:
    """Deal anew in states what `seat` cannot know, from `seed`; chance starts from it too."""
    determinize(boxes[0], states[0], seat, seed)


def decide(k: int, boxes: Records, observation: Int8s, mask: Int8s) -> int:
    """The action of the game's k-th agent (from 1) for an observation [D] and a mask [A]."""
    return choice(k - 1, boxes[0], observation, mask)
