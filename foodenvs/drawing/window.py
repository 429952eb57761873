"""A window that shows a table, through pygame-ce (the extra `window`)."""

import os

import numpy as np


class Window:
    """A window of its own for one environment; raises RuntimeError where there is no display."""

    def __init__(self, title: str, fps: int) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame

        self._pygame, self._title, self._fps = pygame, title, fps
        self._screen: pygame.Surface | None = None

    def show(self, pixels: np.ndarray) -> None:
        """Show uint8 [height, width, 3] and wait as long as one frame lasts."""
        pygame = self._pygame
        if self._screen is None:
            self._screen = self._open(pixels.shape[1], pixels.shape[0])
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        pygame.surfarray.blit_array(self._screen, pixels.swapaxes(0, 1))
        pygame.display.flip()
        self._clock.tick(self._fps)

    def _open(self, width: int, height: int) -> "pygame.Surface":  # type: ignore[name-defined]  # noqa: F821
        pygame = self._pygame
        try:
            pygame.display.init()
            screen = pygame.display.set_mode((width, height))
        except pygame.error as error:
            raise RuntimeError(_no_display(str(error))) from None
        asked = os.environ.get("SDL_VIDEODRIVER", "")
        if pygame.display.get_driver() in ("dummy", "offscreen") and not asked:
            pygame.display.quit()
            raise RuntimeError(_no_display("no screen was found"))
        pygame.display.set_caption(self._title)
        return screen

    def close(self) -> None:
        """Close the window if it is open; `show` opens another."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None


def _no_display(why: str) -> str:
    return (
        f'render_mode="human" needs a display ({why}); use render_mode="rgb_array" (pixels), "ansi" (text), '
        "or `foodenvs serve` (a page in the browser)"
    )
