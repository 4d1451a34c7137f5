"""What the tests share: clients of the gateway that npm run test:clients starts."""

import itertools
import json
import os
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from access_gateway import Gateway, GatewayError, Retries
from access_gateway.client import TokenProvider
from access_gateway.models import (
    ConnectionBody,
    ConnectionBodySecret,
    ConnectionBodySubtype,
    ConnectionBodyType,
)

QUICK = Retries(max_wait=2)
"""Keeps the waits of retries short."""

numbers = itertools.count()


def variable(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        pytest.skip(f"{name} is not set; npm run test:clients starts a gateway")
    return value


class Failing:
    """The address of a gateway whose requests meet this fault first."""

    def __init__(self, fault: str) -> None:
        self._proxy = variable("GATEWAY_FAULTS")
        self._name = f"python-{os.getpid()}-{next(numbers)}"
        self.address = f"{self._proxy}{fault}/{self._name}/api"

    def count(self) -> int:
        """How many requests came."""
        with urllib.request.urlopen(f"{self._proxy}/count/{self._name}") as answer:
            return int(answer.read())


Open = Callable[..., Gateway]


@pytest.fixture
def connect() -> Iterator[Open]:
    """Opens clients, and closes them after the test."""
    opened: list[Gateway] = []

    def open_client(address: str | None = None, credential: str | TokenProvider | None = None) -> Gateway:
        client = Gateway(
            address or variable("GATEWAY_API"), credential or variable("GATEWAY_KEY"), retries=QUICK
        )
        opened.append(client)
        return client

    yield open_client
    for client in opened:
        client.close()


@pytest.fixture
def gateway(connect: Open) -> Gateway:
    return connect()


@pytest.fixture
def make(gateway: Gateway) -> Iterator[Callable[[str], str]]:
    """Makes connections, and deletes them after the test. Returns the ETag."""
    made: list[str] = []

    def make_connection(name: str) -> str:
        etag = gateway.create_connection(connection_body(name)).etag
        made.append(name)
        return etag

    yield make_connection
    for name in made:
        try:
            gateway.delete_connection(name)
        except GatewayError as error:
            assert error.status == 404


def connection_body(name: str) -> ConnectionBody:
    return ConnectionBody(
        name=name,
        type_=ConnectionBodyType.DATABASE,
        subtype=ConnectionBodySubtype.POSTGRES,
        secret=ConnectionBodySecret.from_dict(json.loads(variable("GATEWAY_TARGET"))),
        access_groups=["*"],
    )
