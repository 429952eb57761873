"""Bytes from elsewhere: what is no position of the game is refused, what is one plays on to its end."""

import json

import numpy as np
import pytest
from helpers import placed, positions, setups

import foodenvs
from foodenvs.core import saved
from foodenvs.core.setup import Setup
from foodenvs.engine import pick, start_stream
from foodenvs.envs.aec import FoodEnv
from foodenvs.envs.batch import Batch, _checksum

FLIPS = 4  # at each position
FIRST = 16  # bytes of the random stream come before the rest: all of them are possible


def play_to_the_end(setup, states, stream):
    """Random legal actions from a position, which must come to an end."""
    here = placed(setup, states)
    for _ in range(setup.max_decisions + 1):
        if here.over:
            return
        assert here.mask.any()
        here.play(pick(stream, here.mask))
    raise AssertionError("it does not end")


def test_every_position_that_play_comes_to_is_one(game):
    for number, options in enumerate(setups(game)):
        setup = Setup(game, options)
        reached = np.concatenate([states for states, _ in positions(setup, 20 + number)])
        saved.check_ranges(setup, reached)
        every = max(1, len(reached) // 4)
        saved.check_positions(setup, reached[number % every :: every])


def test_flipped_bytes_are_refused_or_play_on(game):
    setup, flip, stream = Setup(game), np.random.default_rng(3), np.zeros(4, np.uint32)
    start_stream(stream, 3)
    refused = 0
    for states, _ in positions(setup, 3, every=40):
        for _ in range(FLIPS):
            other = setup.new_states(1)
            other.view(np.uint8)[:] = states.view(np.uint8)
            other.view(np.uint8)[flip.integers(FIRST, other.nbytes)] ^= 1 << flip.integers(8)
            try:
                saved.check_positions(setup, other)
            except ValueError:
                refused += 1
            else:
                play_to_the_end(setup, other, stream)
    assert refused


def test_ranges_name_the_field_the_entry_and_what_is_allowed():
    setup = Setup(foodenvs.GAMES["scratch_catch"])
    states = next(positions(setup, 1))[0]
    for name, entry, value, message in (
        ("fleas", 1, -1, r"^fleas\[1\] must be 0 to \d+, got -1$"),
        ("deck_size", (), 99, r"^deck_size must be 0 to 76, got 99$"),
        ("turn", (), 3, r"^turn must be -1 to 2, got 3$"),
        ("pad", 0, 1, r"^pad\[0\] must be 0 to 0, got 1$"),
        ("hand_size", 0, 1, "no such position: .*hand_sizes: must be"),
    ):
        other = states.copy()
        other[name][(0, entry) if entry != () else 0] = value
        with pytest.raises(ValueError, match=message):
            saved.check_positions(setup, other)
    raw = states.copy()
    raw.view(np.uint8)[states.dtype.fields["done"][1]] = 2
    with pytest.raises(ValueError, match=r"^done must be 0 to 1, got 2$"):
        saved.check_positions(setup, raw)


# --- an environment's snapshot -------------------------------------------------------------------


def running(**keywords):
    env = foodenvs.make("scratch_catch", **keywords)
    env.reset(seed=1)
    for _ in range(9):
        env.step(int(env.last()[4]["action_mask"].argmax()))
    return env


def parts(snapshot):
    """Magic line, header and state of a snapshot."""
    at = snapshot.index(b"\n") + 1
    header, _, state = snapshot[at + saved.CHECKSUM :].partition(b"\n")
    return snapshot[:at], json.loads(header), state


def put_together(magic, header, state):
    body = (header if isinstance(header, bytes) else json.dumps(header).encode()) + b"\n" + state
    return magic + saved.checksum(body) + body


def test_every_flipped_byte_of_a_snapshot_is_noticed():
    env = running()
    snapshot = env.snapshot()
    env.step(int(env.last()[4]["action_mask"].argmax()))
    now = env.snapshot()
    for at in range(0, len(snapshot), 5):
        bad = bytearray(snapshot)
        bad[at] ^= 1 << at % 8
        with pytest.raises(ValueError, match="snapshot"):
            env.restore(bytes(bad))
    for end in range(0, len(snapshot), 40):
        with pytest.raises(ValueError, match="snapshot"):
            env.restore(snapshot[:end])
    assert env.snapshot() == now


def test_what_another_process_made_is_checked_and_taken(monkeypatch):
    monkeypatch.setattr(saved, "is_known", lambda seal: False)
    env = running(rewards="shaped", illegal="terminate")
    other = foodenvs.make("scratch_catch", rewards="shaped", illegal="terminate")

    def restored():
        other.restore(env.snapshot())
        assert other.snapshot() == env.snapshot()

    restored()
    assert repr(other.last()) == repr(env.last())
    env.step(-1)  # illegal, so it ends the game
    restored()
    while env.agents:
        env.step(None)
        restored()


def changed(path, value):
    def change(header):
        *keys, last = path
        for key in keys:
            header = header[key]
        if value is None:
            del header[last]
        else:
            header[last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["seed"], "1", "seed must be"),
        (["seed"], -1, "seed must be"),
        (["seed"], None, "seed: is missing"),
        (["running", "refusals"], 101, "refusals: must be 0 to 100"),
        (["games"], 1.5, "games: must be a whole number"),
        (["running"], [], "must be a table"),
        (["running"], None, "running: is missing"),
        (["more"], 1, "more: unknown key"),
        (["made"], None, "made with game"),
        (["made"], [[]], "made with game"),
        (["running", "paid"], [0, 0], "paid: must be 3 numbers"),
        (["running", "paid"], [0, 0, float("nan")], "paid: must be 3 numbers"),
        (["running", "paid"], [0, 0, 10**400], "paid: must be 3 numbers"),
        (["running", "rewards"], {}, "rewards: must be 3 numbers"),
        (["running", "cumulative"], None, "cumulative: is missing"),
        (["running", "agents"], ["player_1", "player_0"], "agents: must be out of"),
        (["running", "agents"], ["player_1"], "ended: must be true"),
        (["running", "agents"], [["player_1"]], "agents: must be a string"),
        (["running", "agent_selection"], "player_9", "agent_selection: must be one of"),
        (["running", "skip"], 3, "skip: must be a string"),
        (["running", "ended"], [0, 1], "ended: must be true or false"),
        (["running", "log", 0], [0, 99, False], "log: must be a seat"),
        (["running", "log", 0], [0, True, False], "log: must be a seat"),
        (["running", "log", 1], 5, "log: must be a seat"),
        (["running", "log"], [[0, 1, False]], "log: must be a list of 2"),
        (["running", "log"], {"last": 1}, "log: must be a list of 2"),
    ],
)
def test_a_header_that_cannot_be_is_refused_by_key(path, value, message):
    env = running()
    magic, header, state = parts(env.snapshot())
    before = env.snapshot()
    changed(path, value)(header)
    with pytest.raises(ValueError, match=message):
        env.restore(put_together(magic, header, state))
    assert env.snapshot() == before


@pytest.mark.parametrize(
    "header", [b"", b"[]", b"3", b"\xff", b"[" * 100_000, b'{"made":' + b"[" * 900 + b"]" * 900 + b"}"]
)
def test_a_header_that_is_none_is_refused(header):
    env = running()
    magic, _, state = parts(env.snapshot())
    with pytest.raises(ValueError, match="snapshot"):
        env.restore(put_together(magic, header, state))


def test_a_record_that_is_no_position_is_refused_with_its_checksum_right():
    env = running()
    magic, header, state = parts(env.snapshot())
    before = env.snapshot()
    for bad, message in (
        (bytes([255]) * len(state), "damaged: fleas"),
        (state[:-1], "length"),
        (bytes(len(state)), "damaged: "),
    ):
        snapshot = put_together(magic, header, bad)
        with pytest.raises(ValueError, match=message):
            env.restore(snapshot)
        with pytest.raises(ValueError, match=message):
            FoodEnv.__new__(FoodEnv).__setstate__(env.__getstate__() | {"snapshot": snapshot})
    assert env.snapshot() == before


# --- a batch's -----------------------------------------------------------------------------------


def stepped(**keywords):
    batch = Batch(Setup(foodenvs.GAMES["scratch_catch"]), 3, **keywords)
    for _ in range(9):
        batch.step(batch.sample())
    return batch


def sealed(snapshot):
    arrays = {name: array for name, array in snapshot.items() if name != "checksum"}
    return arrays | {"checksum": np.frombuffer(_checksum(arrays), np.uint8)}


def altered(snapshot, name, at, value):
    array = snapshot[name].copy()
    array[at] = value
    return snapshot | {name: array}


def with_agents(number):
    return [-1, 0, 1]


@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("_states", slice(None), 255, "fleas"),
        ("_states", slice(20, 40), 100, "fleas|line|no such position"),
        ("_games", 1, -1, "_games must be"),
        ("_passed_over", 1, -1, "_passed_over must be"),
        ("_refusals", 1, 100, "_refusals must be 0 to 99"),
        ("seed", (), -1, "seed must be"),
        ("player", 1, 0, "at least one seat"),
        ("player", (1, 1), 9, "player must be"),
        ("_coming", 2, 0, "at least one seat"),
    ],
)
def test_a_batch_is_not_brought_to_what_cannot_be(name, at, value, message):
    batch = stepped(seating=with_agents)
    before = batch.snapshot()
    bad = altered(before, name, at, value)
    with pytest.raises(ValueError, match="checksum"):
        batch.restore(bad)
    with pytest.raises(ValueError, match=message):
        batch.restore(sealed(bad))
    after = batch.snapshot()
    assert all(np.array_equal(after[key], before[key]) for key in before)


def test_a_batch_goes_on_from_what_another_process_made(monkeypatch):
    batch = stepped(seating=with_agents, rewards="shaped")
    other = Batch(batch.setup, 3, seed=5, seating=with_agents, rewards="shaped")
    monkeypatch.setattr(saved, "is_known", lambda seal: False)
    other.restore(batch.snapshot())
    for name in ("observation", "action_mask", "seat"):
        assert np.array_equal(getattr(batch, name), getattr(other, name))
    for _ in range(20):
        batch.step(batch.sample())
        other.step(other.sample())
        assert np.array_equal(batch.observation, other.observation)
        assert np.array_equal(batch.rewards, other.rewards)


def test_what_this_process_made_is_not_checked_again(monkeypatch):
    env, batch = running(), stepped()

    def never(setup, states):
        raise AssertionError("checked")

    monkeypatch.setattr(saved, "check_positions", never)
    env.restore(env.snapshot())
    batch.restore(batch.snapshot())
