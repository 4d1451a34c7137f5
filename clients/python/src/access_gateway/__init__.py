"""A client of the REST API of the Access Gateway.

    from access_gateway import Gateway

    with Gateway("https://gateway.example.com/api", key) as gateway:
        for connection in gateway.all_connections():
            print(connection.name)

`Gateway` and `AsyncGateway` have a method for each operation of the API, named by its operationId. Bodies and answers
are in `access_gateway.models`.
"""

from .calls import Answer
from .changes import change, change_async
from .client import AsyncGateway, Gateway, TokenProvider
from .errors import GatewayError
from .events import Event, SessionEnd
from .generated.types import UNSET, Unset
from .retries import Retries
from .version import __version__

__all__ = [
    "UNSET",
    "Answer",
    "AsyncGateway",
    "Event",
    "Gateway",
    "GatewayError",
    "Retries",
    "SessionEnd",
    "TokenProvider",
    "Unset",
    "__version__",
    "change",
    "change_async",
]
