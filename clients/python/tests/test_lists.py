"""Lists, while others change them."""

import itertools
from collections.abc import Callable

import pytest
from conftest import Open, variable

from access_gateway import Gateway, GatewayError, recordings


def test_a_list_that_changes(gateway: Gateway, make: Callable[[str], str]) -> None:
    names = [f"python-page-{number}" for number in range(7)]
    for name in names:
        make(name)
    names.reverse()

    def read_all(at: int = 0, change: Callable[[], object] = lambda: None) -> list[str]:
        all_names: list[str] = []
        for connection in gateway.all_connections(search="python-page-", page_size=2):
            all_names.append(connection.name)
            if len(all_names) == at:
                change()
        return all_names

    assert read_all() == names
    # New ones shift the pages: nothing comes twice.
    assert read_all(2, lambda: make("python-page-new")) == names
    # Those that go move others up: none of the rest is skipped.
    gone = ["python-page-new", *names[:2]]
    assert read_all(4, lambda: [gateway.delete_connection(name) for name in gone]) == [
        "python-page-new",
        *names,
    ]


def test_a_list_that_is_refused(connect: Open) -> None:
    with pytest.raises(GatewayError, match="^401"):
        next(iter(connect(credential="gwk_wrong").all_users()))


def test_sessions_beyond_the_largest_offset(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    # The gateway's own limit is 10 000; there, as here, the list goes on by time.
    monkeypatch.setattr(recordings, "SESSIONS_ON_PAGE", 10)
    monkeypatch.setattr(recordings, "LARGEST_OFFSET", 30)
    sessions = list(gateway.all_sessions(correlation_id="many"))
    assert len({session.id for session in sessions}) == len(sessions) == int(variable("GATEWAY_SESSIONS"))
    assert all(newer.start_date >= older.start_date for newer, older in itertools.pairwise(sessions))
