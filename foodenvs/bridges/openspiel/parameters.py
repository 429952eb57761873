"""The options of a game as pyspiel takes parameters, and back; what it must know of a game beforehand."""

import re
import urllib.parse
from typing import Any

from foodenvs.core.components import small_components
from foodenvs.core.errors import extra
from foodenvs.core.game import Game, Option
from foodenvs.core.setup import Setup

with extra("openspiel", "foodenvs.openspiel"):
    import pyspiel

PREFIX, SMALL = "foodenvs_", "small"
REWARDS = ("win", "score")  # pyspiel's returns are those of the end; what "shaped" pays adds up to "score"
CHANCE = ("seed", "draws")


def defaults(game: Game, small: bool) -> dict[str, Any]:
    """The parameters of a game with their defaults, as pyspiel takes them."""
    own = game.small if small else {}
    options = {o.name: as_parameter(o, own.get(o.name, o.default)) for o in game.options.values()}
    box, chance = (SMALL, "draws") if small else ("", "seed")
    return options | {"rewards": "win", "components": box, "chance": chance}


def as_parameter(option: Option, value: Any) -> Any:
    """A value of an option as pyspiel takes it: as it is, or as text where the option takes several kinds."""
    return value if _one_kind(option) else _text(value)


def _one_kind(option: Option) -> bool:
    """Whether all values of an option are whole numbers, words or truth values, as pyspiel wants it."""
    allowed = option.allowed if isinstance(option.allowed, tuple) else (option.default,)
    return type(option.default) in (int, str, bool) and len({type(value) for value in allowed}) == 1


def _text(value: Any) -> str:
    """A value of any kind as a text that pyspiel takes for nothing else when it reads a game by name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "+".join(map(_text, value))
    return "" if value is None else f"#{value}" if isinstance(value, int) else str(value)


def _value(text: str) -> Any:
    if "+" in text:
        return [_value(part) for part in text.split("+")]
    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return {"": None, "yes": True, "no": False}.get(text, text)


QUOTED = "percent:"  # begins a path in which all that pyspiel takes for something else is percent-encoded
MISREAD = re.compile(rf"[,=()\n]|^{QUOTED}|^[-+.\d]+$|^([Tt]rue|[Ff]alse)$")


def path_text(path: str) -> str:
    """The path of a file as a text that pyspiel reads as it is, in the name of a game too."""
    return QUOTED + urllib.parse.quote(path) if MISREAD.search(path) else path


def path_of(text: str) -> str:
    """The path that `path_text` made this of."""
    return urllib.parse.unquote(text.removeprefix(QUOTED)) if text.startswith(QUOTED) else text


def make_setup(game: Game, parameters: dict[str, Any]) -> Setup:
    """The set-up that the parameters of a game ask for; raises as `Setup` does."""
    given = {o.name: parameters[o.name] for o in game.options.values()}
    options = {
        name: value if _one_kind(game.options[name]) else _value(value) for name, value in given.items()
    }
    components = parameters["components"]
    box = small_components(game.home) if components == SMALL else path_of(components) or None
    return Setup(game, options, box)


def game_type(game: Game, small: bool, zero_sum: bool = True) -> Any:
    """What pyspiel must know of a game before it is configured."""
    seats = game.options["players"].allowed
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.name}_{SMALL}" if small else f"{PREFIX}{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(game, small),
    )
