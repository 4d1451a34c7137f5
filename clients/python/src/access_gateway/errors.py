"""What the gateway refuses."""

import httpx

from .retries import retry_after


class GatewayError(Exception):
    """An answer other than success.

    What is no answer, such as a connection that failed, is an error of httpx.
    """

    def __init__(self, status: int, message: str, request_id: str | None, retry_after: float | None) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        """That of HTTP: 404, 409, 422..."""
        self.message = message
        """The gateway's sentence."""
        self.request_id = request_id
        """Finds the request in the gateway's log."""
        self.retry_after = retry_after
        """Seconds that the gateway asks to wait (429, 503), a day at most; None if it does not say."""


def error_of(response: httpx.Response) -> GatewayError:
    """The answer, whose body was read, as an error."""
    message = None
    try:
        body = response.json()
        message = body.get("message") if isinstance(body, dict) else None
    except ValueError:
        pass  # Not ours, such as the page of a load balancer.
    return GatewayError(
        response.status_code,
        message if isinstance(message, str) and message else response.reason_phrase,
        response.headers.get("x-request-id"),
        retry_after(response.headers.get("retry-after")),
    )
