"""Fast Food Fury in words: names of actions, views, positions set up from them, and the table as text."""

from foodenvs.games.fast_food_fury.words.events import EVENTS, events
from foodenvs.games.fast_food_fury.words.names import ACTION_RANGES, action_name, parse_action
from foodenvs.games.fast_food_fury.words.position import ALSO_READ, POSITION, RENAMED
from foodenvs.games.fast_food_fury.words.text import table
from foodenvs.games.fast_food_fury.words.views import NOT_SHOWN, face_down, private, public

__all__ = [
    "ACTION_RANGES", "ALSO_READ", "EVENTS", "NOT_SHOWN", "POSITION", "RENAMED",
    "action_name", "events", "face_down", "parse_action", "private", "public", "table",
]  # fmt: skip
