"""A replay as pictures: one frame, a GIF, and an HTML page that needs nothing else."""

import io
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from foodenvs.core.documents import printable, write
from foodenvs.drawing import frame, image
from foodenvs.envs.aec import FoodEnv
from foodenvs.replay.document import Replay

OPEN = "open"


def viewers(replay: Replay, seat: str | None) -> list[str]:
    """Whose views an export of a seat (None: of all) shows; ValueError for a seat that is none."""
    names = [OPEN, *replay.make().possible_agents]
    if seat is None:
        return names
    if seat not in names:
        raise ValueError(f"seat must be {', '.join(names[1:])} or open, got {seat!r}")
    return [seat]


def save_gif(replay: Replay, path: Any, seat: str | None = None, size: str = "medium", ms: int = 900) -> int:
    """Write an animated GIF, `ms` milliseconds a frame, as a seat saw it (None: open); gives its frames."""
    from PIL import Image

    viewer = viewers(replay, seat or OPEN)[0]
    shots = [
        image(env.picture(viewer), size).quantize(64, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        for env in replay.positions()
    ]
    last, made = 4 * ms, io.BytesIO()
    shots[0].save(
        made,
        format="GIF",
        save_all=True,
        append_images=shots[1:],
        duration=[ms] * (len(shots) - 1) + [last],
        loop=0,
    )
    write(path, made.getvalue())
    return len(shots)


def frames(replay: Replay, shown: Sequence[str]) -> dict[str, Any]:
    """All positions as the given viewers saw them, as plain values for the page.

    Frames are lists of numbers into `pool`, since most of a picture stays as it is from step to step. What
    is told and thought is what that viewer may know; the seed is left out.
    """
    pool: dict[str, int] = {}
    sprites: dict[str, str] = {}
    views: dict[str, dict[str, list[Any]]] = {
        viewer: {"wide": [], "narrow": [], "told": [], "thought": [], "text": []} for viewer in shown
    }
    title = ""
    for number, env in enumerate(replay.positions(FoodEnv(replay.setup(), events=True))):
        title = env.setup.game.title
        step = replay.steps[number - 1] if number else None
        for viewer, view in views.items():
            for name in ("wide", "narrow"):
                drawn, used = frame(env.picture(viewer, narrow=name == "narrow"))
                sprites |= used
                items = [pool.setdefault(json.dumps(item[:3]), len(pool)) for item in drawn["items"]]
                view[name].append([drawn["width"], drawn["height"], items])
            view["told"].append(env.in_words(env.events(viewer)))
            knows = step is not None and viewer in (OPEN, step.agent)
            thought = step.probabilities if step is not None and knows else {}
            view["thought"].append({printable(action): share for action, share in thought.items()})
            view["text"].append(env.table(viewer))
    return {
        "title": title,
        "game": replay.game,
        "agents": {agent: printable(who) for agent, who in replay.agents.items()},
        "result": replay.result,
        "sprites": sprites,
        "pool": [json.loads(item) for item in pool],
        "views": views,
    }


def html(replay: Replay, seat: str | None = None) -> str:
    """The page: every position as one seat saw it, or (None) as every seat did and open, to choose from."""
    static = files("foodenvs.ui.web") / "static"
    data = json.dumps(frames(replay, viewers(replay, seat)), separators=(",", ":")).replace("<", "\\u003c")
    page = (static / "replay.html").read_text(encoding="utf-8")
    for mark, name in (
        ("/*style.css*/", "style.css"),
        ("/*table.js*/", "table.js"),
        ("/*replay.js*/", "replay.js"),
    ):
        page = page.replace(mark, (static / name).read_text(encoding="utf-8"))
    return page.replace("FRAMES", data)
