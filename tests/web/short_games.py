"""Games that are over soon."""

SHORT = {
    "target": 20,
    "max_turns": 8,
    "max_rounds": 4,
}  # options that make a game short, where there are such


def short(game):
    """Options of a short game for few players."""
    options = {name: value for name, value in SHORT.items() if name in game.options}
    return options | {"players": game.options["players"].allowed[0]}
