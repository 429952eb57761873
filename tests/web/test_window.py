"""The window: shows what `rgb_array` gives, in step with the game; without a display it says what to do."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.extra("window")

SHOW = """
import foodenvs, pygame
shown_as = {"players": 2, "render_size": "small", "viewer": "player_0"}
env = foodenvs.make("scratch_catch", render_mode="human", **shown_as)
assert "human" in env.metadata["render_modes"]
env.metadata["render_fps"] = 1000
env.reset(seed=1)
for _ in range(3):
    env.step(int(env.last()[0]["action_mask"].argmax()))
shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
again = foodenvs.make("scratch_catch", render_mode="rgb_array", **shown_as)
again.restore(env.snapshot())
assert (shown == again.render()).all() and shown.std() > 10
assert env.render() is None
world = env.determinized("player_0", 1)
world.step(int(world.last()[0]["action_mask"].argmax()))  # opens no window
assert world.render_mode is None
env.close()
env.close()
"""


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, timeout=300, env=os.environ | environment,
    )  # fmt: skip


def test_the_window_shows_the_pixels_of_the_picture():
    done = run(SHOW, SDL_VIDEODRIVER="dummy")
    assert done.returncode == 0, done.stderr


def test_without_a_display_the_error_names_the_alternatives():
    done = run(SHOW)
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("RuntimeError")
    assert all(word in last for word in ("rgb_array", "ansi", "foodenvs serve"))
