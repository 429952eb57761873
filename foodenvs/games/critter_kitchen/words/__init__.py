"""Critter Kitchen in words: actions, views, positions set up from them, events, and the table as text."""

from foodenvs.games.critter_kitchen.words.events import EVENTS, events
from foodenvs.games.critter_kitchen.words.position import POSITION
from foodenvs.games.critter_kitchen.words.text import table
from foodenvs.games.critter_kitchen.words.views import (
    ACTION_RANGES,
    NOT_SHOWN,
    RENAMED,
    action_name,
    deduced,
    face_down,
    parse_action,
    private,
    public,
)

__all__ = [
    "ACTION_RANGES", "EVENTS", "NOT_SHOWN", "POSITION", "RENAMED",
    "action_name", "deduced", "events", "face_down", "parse_action", "private", "public", "table",
]  # fmt: skip
