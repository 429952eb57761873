"""Broken environments, one fault each: subclasses of the sound reference.

FAULTS: the class, the check that must catch it, and the part of the check that must say so.
"""

import copy
import itertools
import os
import random
from types import SimpleNamespace

import numpy as np

from faulty.reference import RANKS, SealedBids

FAULTS = []


def caught_by(check, part, **options):
    """Enlist a broken environment. options: keyword arguments it is made with."""

    def enlist(broken):
        FAULTS.append((broken, check, part, options))
        return broken

    return enlist


# --- leaks ------------------------------------------------------------------------------------


@caught_by("leak", "observation")
class ShowsTheNextHand(SealedBids):
    def vector(self, agent):
        vector = super().vector(agent)
        left = self.possible_agents[(self.possible_agents.index(agent) + 1) % self.players]
        vector[0] += 10 * (self.hands[left] or [0])[0] // 5
        return vector


@caught_by("leak", "mask")
class MaskKnowsTheOthersCards(SealedBids):
    """Nobody may choose a card that another hand holds too: who may choose what tells the others' hands."""

    def is_legal(self, agent, action):
        return super().is_legal(agent, action) and (
            len(set(self.hands[agent])) == 1
            or action == self.hands[agent][0]
            or not any(action in self.hands[a] for a in self.possible_agents if a != agent)
        )


@caught_by("leak", "info")
class InfoListsTheDeckInItsOrder(SealedBids):
    """The unseen cards are no secret, the order in which they are listed is."""

    def info(self, agent):
        info = super().info(agent)
        others = [c for a in self.possible_agents if a != agent for c in self.kept(a)]
        return {**info, "unseen": self.deck + others}


@caught_by("leak", "info")
class InfoHoldsTheGenerator(SealedBids):
    """Whoever has the state of the generator knows the dice to come."""

    def info(self, agent):
        return {**super().info(agent), "generator": hash(self.chance.getstate())}


@caught_by("leak", "reward")
class RewardTellsTheBestHand(SealedBids):
    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        other.rewards = other.strength()
        return other

    def strength(self):
        return {agent: max(self.hands[self.possible_agents[0]], default=0) for agent in self.agents}

    def pay(self):
        super().pay()
        self.rewards = self.strength()


@caught_by("leak", "render")
class PictureIsOpen(SealedBids):
    def render(self, viewer=None):
        return super().render(viewer) and f"{super().render(viewer)} {self.hands}"


@caught_by("leak", "agent order")
class BestHandLeads(SealedBids):
    def next_to_choose(self):
        waiting = [agent for agent in self.possible_agents if agent not in self.pending]
        return max(waiting, key=lambda agent: self.hands[agent])

    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        if not other.terminations[agent]:
            other.agent_selection = other.next_to_choose()
            other.write_infos()
        return other


@caught_by("leak", "commitment")
class ChoiceShowsBeforeTheReveal(SealedBids):
    """The redeal keeps pending choices, so that redeals alone do not show it."""

    def vector(self, agent):
        vector = super().vector(agent)
        vector[2 * RANKS] += sum(self.pending.values())
        return vector

    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        other.hands, other.deck = copy.deepcopy(self.hands), list(self.deck)
        other.pending = dict(self.pending)
        other.write_infos()
        return other


@caught_by("leak", "commitment")
class OrderTellsTheChoice(SealedBids):
    """Whoever chooses a high card makes the last of the others choose next."""

    def next_to_choose(self):
        waiting = [agent for agent in self.possible_agents if agent not in self.pending]
        return waiting[-1] if sum(self.pending.values()) > RANKS // 2 else waiting[0]


class Toasts(SealedBids):
    """Sound: whoever has chosen names a card of its hand, in the open; nothing follows, but it is told."""

    secret_choices = property()  # not said; `is_secret` says which actions are

    def __init__(self, **options):
        super().__init__(**options)
        self.metadata["max_decisions"] *= 2

    def reset(self, seed=None, options=None):
        self.toasting, self.told = None, ""
        super().reset(seed, options)

    def is_secret(self, action):
        return self.toasting is None

    def next_to_choose(self):
        return self.toasting or super().next_to_choose()

    def take(self, agent, action):
        if self.toasting:
            self.toasting, self.told = None, f"{agent} toasts with {action}"
        else:
            super().take(agent, action)
            self.toasting = agent

    def seat_view(self, agent):
        return {"seen": SealedBids.vector(self, agent).tolist()}

    def render(self, viewer=None):
        return super().render(viewer) and f"{super().render(viewer)}, {self.told}"


@caught_by("leak", "commitment")
class ChoiceShowsBeforeTheToast(ChoiceShowsBeforeTheReveal, Toasts):
    """A choice that is followed by something open is looked at before that."""


class ViewTellsMore(SealedBids):
    """Sound: the cards shown stand in the seat view only, which the words of the game excuse."""

    secret_choices = property()
    words = SimpleNamespace(NOT_SHOWN={"observation": {"shown": "a vector keeps no score"}})
    setup = SimpleNamespace(game=SimpleNamespace(words=words))

    def vector(self, agent):
        vector = super().vector(agent)
        vector[RANKS : 2 * RANKS] = 0
        return vector

    def seat_view(self, agent):
        return {"shown": list(self.shown), "seen": self.vector(agent).tolist()}


@caught_by("leak", "varies in choosing")
class RedealKeepsPendingChoices(SealedBids):
    """Hands and deck are dealt anew, what has been chosen already is not."""

    def determinized(self, agent, seed):
        bare = copy.deepcopy(self)
        bare.pending = {}
        other = SealedBids.determinized(bare, agent, seed)
        other.pending = dict(self.pending)
        other.write_infos()
        return other


@caught_by("leak", "varies in a round begins")
class RedealDealsNothing(SealedBids):
    def determinized(self, agent, seed):
        return copy.deepcopy(self)


@caught_by("leak", "forgetting")
class RedealShufflesTheTrueOrder(SealedBids):
    """The hidden cards are not sorted before they are shuffled."""

    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        others = [a for a in self.possible_agents if a != agent]
        cards = self.deck + [c for a in others for c in self.kept(a)]
        random.Random(seed).shuffle(cards)
        for each in others:
            other.hands[each] = sorted(cards.pop() for _ in self.hands[each])
            if each in self.pending:
                other.pending[each] = cards.pop()
        other.deck = cards
        return other


@caught_by("leak", "playable")
class RedealLosesCards(SealedBids):
    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        other.deck = []
        for each in other.possible_agents:
            if each != agent:
                other.hands[each] = other.hands[each][:1]
        return other


@caught_by("leak", "redeal seed")
class RedealIgnoresItsSeed(SealedBids):
    """Each redeal cuts the deck in another place than the one before."""

    redeals = itertools.count()

    def determinized(self, agent, seed):
        other = super().determinized(agent, seed)
        at = next(self.redeals) % len(other.deck)
        other.deck = other.deck[at:] + other.deck[:at]
        return other


@caught_by("leak", "redeal disturbs")
class RedealUsesTheGamesOwnChance(SealedBids):
    def determinized(self, agent, seed):
        self.chance.random()
        return super().determinized(agent, seed)


# --- masks ------------------------------------------------------------------------------------


@caught_by("mask", "one too few", players=2)
class StaleMask(SealedBids):
    """The mask that was made before the last draw."""

    def reset(self, seed=None, options=None):
        self.kept_masks = {}
        super().reset(seed, options)

    def write_infos(self):
        self.kept_masks = {agent: self.now_masks.get(agent) for agent in self.agents} if self.round else {}
        self.now_masks = {agent: self.mask(agent) for agent in self.agents}
        super().write_infos()

    def shown_mask(self, agent):
        shown = super().shown_mask(agent)
        old = self.kept_masks.get(agent)
        return old.copy() if shown.any() and old is not None and old.any() else shown


@caught_by("mask", "one too many")
class MaskAllowsOneTooMany(SealedBids):
    def mask(self, agent):
        mask = super().mask(agent)
        mask[int(np.argmin(mask))] = 1
        return mask


@caught_by("mask", "one too few")
class MaskAllowsOneTooFew(SealedBids):
    def mask(self, agent):
        mask = super().mask(agent)
        if mask.sum() > 1:
            mask[int(np.argmax(mask))] = 0
        return mask


@caught_by("mask", "waiting")
class MoversMaskIsShownToAll(SealedBids):
    def shown_mask(self, agent):
        return super().shown_mask(self.agent_selection)


@caught_by("mask", "agreement")
class InfoHasAnotherMask(SealedBids):
    def info(self, agent):
        info = super().info(agent)
        info["action_mask"][0] = 1 - info["action_mask"][0]
        return info


@caught_by("mask", "form")
class MaskIsBool(SealedBids):
    def shown_mask(self, agent):
        return super().shown_mask(agent).astype(bool)


@caught_by("mask", "refusal changes")
class RefusalCostsAPoint(SealedBids):
    def refuse(self, agent, action):
        self.points[agent] -= 1
        super().refuse(agent, action)


@caught_by("mask", "refusal changes")
class RefusalMovesTheDice(SealedBids):
    """Nothing shows at once, but the chance to come is another."""

    def refuse(self, agent, action):
        self.chance.random()
        super().refuse(agent, action)


@caught_by("mask", "endless refusals")
class AsksForEver(SealedBids):
    """It says how many refusals it takes, and takes any number."""

    max_refusals = 3

    def step(self, action):
        agent = self.agent_selection
        if action is None or self.is_legal(agent, action):
            super().step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0) | {agent: -1}
        self.pay()


# --- play -------------------------------------------------------------------------------------


@caught_by("play", "rewards")
class RewardOnAnothersTurnIsLost(SealedBids):
    def pay(self):
        self._cumulative_rewards = {
            agent: reward if agent == self.agent_selection else self._cumulative_rewards[agent]
            for agent, reward in self.rewards.items()
        }


@caught_by("play", "rewards")
class RewardIsPaidTwice(SealedBids):
    def pay(self):
        super().pay()
        super().pay()


@caught_by("play", "spaces")
class WaitingObservationIsOutside(SealedBids):
    def vector(self, agent):
        vector = super().vector(agent)
        if agent != self.agent_selection:
            vector[-1] = -1
        return vector


@caught_by("play", "spaces")
class TerminalObservationIsOutside(SealedBids):
    def vector(self, agent):
        vector = super().vector(agent)
        return vector[:-1] if self.terminations[agent] else vector


@caught_by("play", "no legal action")
class ATurnWithoutAMove(SealedBids):
    def mask(self, agent):
        return super().mask(agent) * np.int8(self.round < 2)


@caught_by("play", "bound")
class TakesLongerThanItSays(SealedBids):
    def __init__(self, **options):
        super().__init__(**options)
        self.metadata["max_decisions"] -= 1


class OneAgainstTheRest(SealedBids):
    """Sound: two teams, the last player alone against all others, and their returns."""

    @property
    def teams(self):
        return {agent: int(agent == self.possible_agents[-1]) for agent in self.possible_agents}

    def returns(self):
        won = int(self.teams[max(self.possible_agents, key=self.points.get)])
        return {agent: 1 if team == won else -1 for agent, team in self.teams.items()}


@caught_by("play", "team returns")
class AWinIsSharedOutAmongTheTeam(OneAgainstTheRest):
    def returns(self):
        left = {agent: worth / (self.players - 1) for agent, worth in super().returns().items()}
        return left | {self.possible_agents[0]: 2 * left[self.possible_agents[0]]}


@caught_by("play", "sum of returns")
class ReturnsSumToNothingOverThePlayersOnly(OneAgainstTheRest):
    def returns(self):
        alone = self.possible_agents[-1]
        returns = super().returns()
        return returns | {alone: (self.players - 1) * returns[alone]}


@caught_by("play", "agents")
class AgentsVanish(SealedBids):
    def end(self):
        super().end()
        self.agents = self.agents[:-1]


@caught_by("play", "render ansi")
class RendersNothing(SealedBids):
    def render(self, viewer=None):
        return None


@caught_by("play", "api_test")
class SpacesAreMadeAnew(SealedBids):
    def observation_space(self, agent):
        return copy.deepcopy(super().observation_space(agent))


# --- determinism ------------------------------------------------------------------------------


@caught_by("determinism", "global generators")
class UsesTheGlobalGenerator(SealedBids):
    def start_chance(self, seed):
        random.seed(seed)
        super().start_chance(seed)

    def throw(self):
        return random.randint(1, 6)


@caught_by("determinism", "global generators")
class UsesNumpysGlobalGenerator(SealedBids):
    def start_chance(self, seed):
        np.random.seed(seed)  # noqa: NPY002
        super().start_chance(seed)

    def throw(self):
        return int(np.random.randint(1, 7))  # noqa: NPY002


@caught_by("determinism", "again")
class IgnoresTheSeed(SealedBids):
    def start_chance(self, seed):
        self.chance = random.Random(os.urandom(8))


@caught_by("determinism", "after unfinished game")
class IgnoresLaterSeeds(SealedBids):
    chance = None

    def start_chance(self, seed):
        if self.chance is None:
            super().start_chance(seed)


@caught_by("determinism", "after finished game")
class ForgetsItsOptions(SealedBids):
    """After a whole game the number of rounds is the default again."""

    def end(self):
        super().end()
        self.rounds = 3


@caught_by("determinism", "interleaved")
class InstancesShareTheDice(SealedBids):
    dice = random.Random(0)

    def start_chance(self, seed):
        super().start_chance(seed)
        SealedBids.dice = random.Random(seed)

    def throw(self):
        return SealedBids.dice.randint(1, 6)


@caught_by("determinism", "second process")
class DependsOnTheHashSeed(SealedBids):
    def next_to_choose(self):
        return next(iter(set(self.possible_agents) - set(self.pending)))


# --- memory -----------------------------------------------------------------------------------


@caught_by("memory", "reused")
class ReusesItsBuffer(SealedBids):
    def __init__(self, **options):
        super().__init__(**options)
        self.buffers = {
            agent: np.zeros(RANKS * 3 + 4 * self.players + 2, np.int8) for agent in self.possible_agents
        }

    def vector(self, agent):
        self.buffers[agent][:] = super().vector(agent)
        return self.buffers[agent]


@caught_by("memory", "shared")
class HandsOutItsState(SealedBids):
    """The mask is the very array that legality is read from."""

    def reset(self, seed=None, options=None):
        self.legal = {}
        super().reset(seed, options)

    def write_infos(self):
        if not any(self.terminations.values()):
            self.legal = {
                self.agent_selection: np.array(
                    [a in self.hands[self.agent_selection] for a in range(RANKS)], np.int8
                )
            }
        super().write_infos()

    def is_legal(self, agent, action):
        return bool(self.legal[agent][action]) if agent in self.legal else super().is_legal(agent, action)

    def mask(self, agent):
        return self.legal[agent]


@caught_by("memory", "deepcopy")
class CopiesBadly(SealedBids):
    """A deepcopy starts its dice anew."""

    def __deepcopy__(self, memo):
        other = type(self).__new__(type(self))
        other.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k != "chance"})
        other.chance = random.Random(0)
        return other


@caught_by("memory", "deepcopy")
class CopiesShareTheirHands(SealedBids):
    def __deepcopy__(self, memo):
        other = copy.copy(self)
        other.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k != "hands"})
        return other


@caught_by("memory", "pickle")
class PicklesItsOptionsOnly(SealedBids):
    """As PettingZoo's EzPickle does it: what comes back is at the start of some game."""

    def __reduce__(self):
        return begun, (type(self), self.players, self.rounds)

    def __deepcopy__(self, memo):
        other = type(self).__new__(type(self))
        other.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return other


def begun(kind, players, rounds):
    env = kind(players=players, rounds=rounds)
    env.reset(seed=0)
    return env


@caught_by("memory", "growth")
class KeepsEveryGame(SealedBids):
    def __init__(self, **options):
        super().__init__(**options)
        self.history = []

    def end(self):
        super().end()
        self.history.append([self.observe(agent) for agent in self.possible_agents])
