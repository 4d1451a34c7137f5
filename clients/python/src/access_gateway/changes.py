"""Changes that nobody else's change is lost by."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from .calls import Answer
from .errors import GatewayError

R = TypeVar("R")
W = TypeVar("W")

TRIES = 5
"""How often a resource is read again when others change it meanwhile."""


def change(read: Callable[[], Answer[R]], write: Callable[[Answer[R]], Answer[W]]) -> Answer[W]:
    """Reads a resource and writes it back changed, and begins again if somebody else changed it in between.

    `write` has to send `if_match`:

        change(
            lambda: gateway.get_connection("pg-prod"),
            lambda read: gateway.patch_connection("pg-prod", changed(read.body), if_match=read.etag),
        )

    After five times the error, 412, is raised.
    """
    for tries_left in reversed(range(TRIES)):
        was = read()
        try:
            return write(was)
        except GatewayError as error:
            if error.status != 412 or tries_left == 0:
                raise
    raise AssertionError("the last try returns or raises")


async def change_async(
    read: Callable[[], Awaitable[Answer[R]]], write: Callable[[Answer[R]], Awaitable[Answer[W]]]
) -> Answer[W]:
    """`change` for programs with asyncio."""
    for tries_left in reversed(range(TRIES)):
        was = await read()
        try:
            return await write(was)
        except GatewayError as error:
            if error.status != 412 or tries_left == 0:
                raise
    raise AssertionError("the last try returns or raises")
