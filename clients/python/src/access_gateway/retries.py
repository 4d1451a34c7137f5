"""When a request is tried again."""

import math
import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

DAY = 86_400.0
FIRST_WAIT = 0.5
IDEMPOTENT = frozenset({"GET", "PUT", "DELETE"})
TRY_LATER = frozenset({429, 503})


@dataclass(frozen=True)
class Retries:
    """GET, PUT and DELETE are sent again after 429, 503 and a connection that failed. POST and PATCH are sent once."""

    attempts: int = 4
    """How often a request is sent at most; 1: never again."""
    max_wait: float = 60
    """Seconds of the longest wait before an attempt, a day at most.

    If the gateway asks for more, the error comes at once; its `retry_after` says how much.
    """

    def wait(self, attempt: int, method: str, outcome: httpx.Response | httpx.HTTPError) -> float | None:
        """Seconds to wait after that attempt; None: do not try again."""
        if attempt >= self.attempts or method not in IDEMPOTENT:
            return None
        if isinstance(outcome, httpx.HTTPError):
            return self.back_off(attempt) if isinstance(outcome, httpx.TransportError) else None
        if outcome.status_code not in TRY_LATER:
            return None
        asked = retry_after(outcome.headers.get("retry-after"))
        if asked is None:
            return self.back_off(attempt)
        if asked > self.longest:
            return None
        # Not before that, and not all clients at once.
        return min(asked * random.uniform(1, 1.1), self.longest)

    @property
    def longest(self) -> float:
        return min(self.max_wait, DAY)

    def back_off(self, attempt: int) -> float:
        """A random time that doubles with each attempt."""
        return min(FIRST_WAIT * 2.0 ** min(attempt - 1, 16), self.longest) * random.uniform(0.5, 1)


def retry_after(header: str | None, now: float | None = None) -> float | None:
    """The header in seconds: a number or a date (RFC 9110, section 10.2.3). Never more than a day."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - (time.time() if now is None else now)
        except ValueError:
            return None
    return None if math.isnan(seconds) or seconds <= 0 else min(seconds, DAY)
