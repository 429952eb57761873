"""The table of Katsu Curry?! as a picture."""

import functools
from collections.abc import Mapping

from foodenvs.core.notation import seat_name
from foodenvs.core.views import View
from foodenvs.drawing import kit
from foodenvs.drawing.kit import Page, Panel
from foodenvs.drawing.shapes import Picture, Sprite, fitted, oval, poly, text
from foodenvs.engine import Record
from foodenvs.games.katsu_curry.rules import LETTERS
from foodenvs.games.katsu_curry.words import product_name

ICONS = {
    "katsu_curry": "curry", "sukiyaki": "pot", "cup_noodles": "noodles", "draft_beer": "beer",
    "movie_ticket": "ticket", "haircut": "scissors", "umbrella": "umbrella", "taxi_home": "taxi",
    "gift_melon": "melon", "manga_volume": "book", "karaoke_night": "microphone", "lottery_ticket": "lottery",
    "birthday_cake": "cake", "counter_sushi": "sushi", "hot_spring": "spring", "golf_membership": "golf",
    "car": "car", "wedding_gift": "gift", "smartphone": "phone", "diamond_ring": "ring",
    "grand_piano": "piano", "tailored_suit": "suit", "vaccine": "syringe", "racing_bicycle": "bicycle",
    "earthquake_donation": "donation", "tea_bowl": "bowl", "world_cruise": "ship", "one_vote": "ballot",
}  # fmt: skip
TONES = dict(zip(LETTERS, map(kit.pale, (kit.GREEN, kit.SKY, kit.ORANGE, kit.PINK)), strict=True))


def draw(
    box: Record, view: View, seat: int = -1, turn: int = -1, last: str = "", narrow: bool = False
) -> Picture:
    """The product and the last round above, a place per player, the hand of `seat` (-1: none) below."""
    status = f"Round {view['round']} of {box.rounds}"
    status = f"{status}: {seat_name(turn)} chooses" if turn >= 0 else "The game is over"
    page = Page("Katsu Curry?!", status, last, narrow)
    numbers = {product_name(box, p): p for p in range(box.products)}
    page.block(lambda panel: draw_product(panel, box, view, numbers, narrow))
    columns = 5 if box.players > 6 else 3
    page.grid(
        box.players, 150, lambda panel, p: draw_place(panel, box, view, numbers, p, seat, turn), columns
    )
    if seat >= 0 and (turn >= 0 or not box.written):
        page.block(lambda panel: draw_choice(panel, box, view, seat))
    return page.picture()


def in_words(name: str) -> str:
    return name.replace("_", " ")


def short(yen: int) -> str:
    """`980`, `12,000`, `400k`, `1.4M`: at most six characters."""
    if yen >= 1_000_000:
        return f"{yen / 1_000_000:g}M"
    return f"{yen // 1000}k" if yen >= 100_000 else f"{yen:,}"


@functools.lru_cache(512)
def tag(yen: int, tone: str = kit.WHITE, heavy: bool = False) -> Sprite:
    """A price tag."""
    words, size = fitted(short(yen), 14, 50, True)
    shapes = (
        poly([(1, 1), (55, 1), (66, 13), (55, 25), (1, 25)], tone, kit.INK, 3 if heavy else 1.2),
        oval(56, 11, 4, 4, kit.INK),
        text(28, 18, words, size, kit.INK, "m", True),
    )
    return Sprite(68, 27, shapes)


def product_card(box: Record, name: str, p: int, caption: str, scale: float) -> Sprite:
    tone = TONES[LETTERS[box.letter[p]]]
    return kit.card(str(box.number[p]), ICONS.get(name, name), caption, tone, scale=scale)


def draw_product(panel: Panel, box: Record, view: View, numbers: Mapping[str, int], narrow: bool) -> None:
    """The product up with its letter, usual price and arrow; beside it the last round and what is gone."""
    x: float = kit.PAD
    if view["product"]:
        p = numbers[view["product"]]
        x = panel.put(product_card(box, view["product"], p, "", 1.5), kit.PAD, kit.PAD) + 12
        letter, number = LETTERS[box.letter[p]], box.number[p]
        panel.write(in_words(view["product"]), x, 10, 20, kit.INK, True, room=210)
        panel.write(f"letter {letter}, {number} points", x, 37, 14, room=210)
        panel.write(f"usually {box.usual_price[p]:,} yen", x, 57, 14, room=210)
        down = bool(box.reversed[p])
        panel.put(kit.sign("down" if down else "up", 22), x, 80)
        panel.write(f"{'lowest' if down else 'highest'} common price", x + 28, 83, 13, room=190)
        x += 230
    y = 10
    if narrow and view["product"]:
        x, y = kit.PAD, 130
    draw_last(panel, view, x, y)


def draw_last(panel: Panel, view: View, x: float, y: float) -> None:
    last = view["last"]
    if last:
        won = "nobody" if last["winner"] < 0 else f"{seat_name(last['winner'])} for {last['price']:,}"
        panel.write(f"Last: {in_words(last['product'])} to {won}", x, y, 15, kit.INK, True)
    if view["gone"]:
        panel.write("Out of the game:", x, y + 30, 13, kit.FAINT)
        small = [kit.sign(ICONS.get(name, name), 26) for name in view["gone"]]
        panel.row(small, x, y + 50)


def draw_place(
    panel: Panel, box: Record, view: View, numbers: Mapping[str, int], p: int, seat: int, turn: int
) -> None:
    """Products with the prices paid for them, points, last bid, and what is known of the hand."""
    notes = [kit.badge("trophy", "wins")] if p in view["winners"] else []
    chosen = turn >= 0 and (p < turn or view["chosen"][p])
    if chosen:
        notes.append(kit.back(scale=0.3))
    y = panel.seat(p, seat_name(p), p == turn, p == seat, notes)
    counts = [kit.badge("star", str(view["scores"][p]))]
    if not box.written:
        counts.append(kit.badge("cards", str(view["hand_sizes"][p])))
    if view["last"]:
        won = view["last"]["winner"] == p
        bid = short(view["last"]["bids"][p])
        counts.append(kit.badge("trophy" if won else "tag", bid, kit.YELLOW if won else kit.WHITE))
    y = panel.row(counts, kit.PAD, y) + 6
    products = [
        (
            product_card(box, name, numbers[name], short(price), 0.8),
            (),
            f"{in_words(name)}, paid {price:,} yen",
        )
        for name, price in map(dict.values, view["won"][p])
    ]
    if products:
        y = panel.fan(products, kit.PAD, y) + 6
    known = view["hands"][p] or view["seen"][p]
    if p != seat and known:
        panel.row([kit.badge("", short(yen), kit.PAPER, 11) for yen in known], kit.PAD, y, 2)
    panel.height = max(panel.height, 110)


def draw_choice(panel: Panel, box: Record, view: View, seat: int) -> None:
    """The own hand in rising order, or all prices that may be written; the chosen one is marked."""
    chosen = view["chosen"][seat]
    verb = "write" if box.written else "play"
    prices = list(box.ladder_price)[: box.ladder] if box.written else view["hands"][seat]
    seen = view["seen"][seat]
    panel.write(
        "Write a price" if box.written else "Your hand (grey: the others know it)", kit.PAD, 6, 13, kit.FAINT
    )
    tags = [
        (
            tag(yen, kit.YELLOW if yen == chosen else kit.pale(kit.GREY, 0.5) if yen in seen else kit.WHITE,
                yen == chosen),
            f"{verb} {yen}",
            f"{yen:,} yen" + (", chosen" if yen == chosen else ""),
        )
        for yen in map(int, prices)
    ]  # fmt: skip
    panel.row(tags, kit.PAD, 28, 4)
