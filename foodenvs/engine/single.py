"""The loops of one game: what an environment calls, one for a whole step."""

from foodenvs.engine.given import apply, choice, determinize, legal, observe, score_all
from foodenvs.engine.records import Floats, Int8s, Int64s, Records
from foodenvs.engine.shared import REFUSED, SHAPED, earn, return_all, show, start


def begin(boxes: Records, states: Records, seed: int, paid: Floats, observation: Int8s, mask: Int8s) -> int:
    """Deal a game into states from `seed`; returns the seat to act.

    Written: paid [P], with 0; observation [D] and mask [A], of the seat to act.
    """
    start(boxes[0], states[0], seed)
    paid[:] = 0
    show(boxes[0], states[0], observation, mask)
    return states[0].turn


def play(
    boxes: Records,
    states: Records,
    action: int,
    mode: int,
    scores: Int64s,
    paid: Floats,
    rewards: Floats,
    observation: Int8s,
    mask: Int8s,
) -> int:
    """Play one action; returns the seat to act, -1 at the end, REFUSED where the mask has no 1.

    mode: WIN, SCORE or SHAPED.  mask [A]: as the call before wrote it.  Written, unless the action is
    refused: states; rewards [P] of the step; observation [D] and mask of the seat to act, at the end an empty
    mask; where rewards are shaped paid [P], what the game has paid.  scores [P] is room to work in.
    """
    box, s = boxes[0], states[0]
    if action < 0 or action >= box.actions or mask[action] == 0:
        return REFUSED
    apply(box, s, action)
    earn(box, s, mode, scores, paid, rewards)
    show(box, s, observation, mask)
    return s.turn


def look(boxes: Records, states: Records, seat: int, observation: Int8s, mask: Int8s) -> None:
    """What `seat` sees now into observation [D]; mask [A] is empty unless it is the seat to act."""
    box, s = boxes[0], states[0]
    observe(box, s, seat, observation)
    if s.turn == seat:
        legal(box, s, mask)
    else:
        mask[:] = 0


def scores_and_returns(boxes: Records, states: Records, scores: Int64s, returns: Floats) -> None:
    """The running scores into scores [P], the returns so far into returns [P]."""
    score_all(boxes[0], states[0], scores)
    return_all(boxes[0], states[0], returns)


def settle(boxes: Records, states: Records, scores: Int64s, paid: Floats, rewards: Floats) -> None:
    """Pay into rewards [P] what a game of shaped rewards has not paid yet.

    paid [P] and scores [P] then stand where the scores do, paid in units of the game's scale.
    """
    earn(boxes[0], states[0], SHAPED, scores, paid, rewards)


def redeal(boxes: Records, states: Records, seat: int, seed: int) -> None:
    """Deal anew in states what `seat` cannot know, from `seed`; chance starts from it too."""
    determinize(boxes[0], states[0], seat, seed)


def decide(k: int, boxes: Records, observation: Int8s, mask: Int8s) -> int:
    """The action of the game's k-th agent (from 1) for an observation [D] and a mask [A]."""
    return choice(k - 1, boxes[0], observation, mask)
